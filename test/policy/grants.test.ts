/** Which changes of a project's policy grant something that nobody has looked at yet. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { grantsBeyond, grantsOf, NO_GRANTS } from '../../src/policy/grants.js';
import { layer } from './composing.js';

const documents = (...texts: readonly string[]) => texts.map((text) => layer('project', text).document);
const beyond = (before: string, after: string) => grantsBeyond(grantsOf(documents(before)), documents(after));

const BASE = 'preset: safe\ndefault: ask\nallow: [Read(src/**), Bash(npm test)]\nask: [Bash(git push *)]\ndeny: [Bash(rm *)]';

const kept: readonly (readonly [string, string, string])[] = [
  ['nothing', BASE, BASE],
  [
    'comments and order',
    BASE,
    `# hello\ndeny: [Bash(rm *)]\nask: [Bash(git push *)]\nallow: [Bash(npm test), Read(src/**)]\ndefault: ask\npreset: safe`,
  ],
  ['an allow rule less', BASE, BASE.replace('Read(src/**), ', '')],
  ['an allow rule twice', BASE, BASE.replace('Bash(npm test)', 'Bash(npm test), Bash(npm test)')],
  ['a deny rule more', BASE, BASE.replace('Bash(rm *)', 'Bash(rm *), WebFetch')],
  ['an ask rule more', BASE, BASE.replace('Bash(git push *)', 'Bash(git push *), WebFetch')],
  ['an ask rule that became a deny rule', BASE, BASE.replace('ask: [Bash(git push *)]\ndeny: [', 'deny: [Bash(git push *), ')],
  ['a reason for a rule', 'deny: [Read(x)]', 'deny: [{rule: Read(x), reason: because}]'],
  ['a stricter preset', BASE, BASE.replace('preset: safe', 'preset: readOnly')],
  ['a stricter default', BASE, BASE.replace('default: ask', 'default: deny')],
  ['the strictest default where there was none', 'allow: [Read]', 'allow: [Read]\ndefault: deny'],
  ['the lock', BASE, `${BASE}\nsecurity: {disable_bypass_permissions: true}`],
  ['a smaller budget', 'budget: {tokens: 10}', 'budget: {tokens: 9}'],
  ['no budget at all for an agent', 'budget: {perAgent: {x: 10}}', 'budget: {perAgent: {x: 10, y: 0}}'],
  ['one more protected branch', 'protectedBranches: [main]', 'protectedBranches: [release, main]'],
  ['one harmless variable less', 'harmlessVariables: [A, B]', 'harmlessVariables: [A]'],
  ['one lint finding less accepted', 'lint: {ignores: [{rule: a/b, reason: r}]}', 'lint: {ignores: []}'],
  ['no lint finding accepted any more', 'allow: [Read]\nlint: {ignores: [{rule: a/b, reason: r}]}', 'allow: [Read]'],
  ['a custom tool in a stricter tier', 'custom_tools: [{name: X, tier: safe}]', 'custom_tools: [{name: X, tier: dangerous}]'],
  [
    'settings that no repository may write',
    BASE,
    `${BASE}\nmode: observe\nonAsk: allow\ntrustedRepos: [/x]\nprotected: {except: ['**']}`,
  ],
];
for (const [why, before, after] of kept)
  test(`keeps trust: ${why}`, () =>
    assert.equal(
      beyond(before, after).map(({ what }) => what),
      [],
    ));

const asks: readonly (readonly [string, string, string, string])[] = [
  ['a new allow rule', BASE, BASE.replace('Bash(npm test)', 'Bash(npm test), Bash(npm *)'), 'added allow Bash(npm *) :4:39'],
  [
    'an ask rule that became an allow rule',
    'ask: [WebFetch]',
    'allow: [WebFetch]',
    'added allow WebFetch :2:9|removed ask WebFetch -',
  ],
  ['a deny rule less', BASE, BASE.replace('deny: [Bash(rm *)]', ''), 'removed deny Bash(rm *) -'],
  ['a deny rule that became an ask rule', 'deny: [WebFetch]', 'ask: [WebFetch]', 'removed deny WebFetch -'],
  ['a looser preset', 'preset: inspect', 'preset: safe', 'changed preset: "safe" (was "inspect") :2:9'],
  ['a preset where there was none', 'allow: [Read]', 'allow: [Read]\npreset: inspect', 'added preset: "inspect" :3:9'],
  [
    'no preset any more: another layer may say a looser one',
    'preset: safe\nallow: [Read]',
    'allow: [Read]',
    'removed preset: "safe" -',
  ],
  ['a looser default', 'default: deny', 'default: ask', 'changed default: "ask" (was "deny") :2:10'],
  ['a default that cannot be compared', 'default: ask', 'default: plan', 'changed default: "plan" (was "ask") :2:10'],
  [
    'a default where there was none: another layer may have said deny',
    'allow: [Read]',
    'allow: [Read]\ndefault: ask',
    'added default: "ask" :3:10',
  ],
  ['a larger budget', 'budget: {calls: 1}', 'budget: {calls: 2}', 'changed budget.calls: 2 (was 1) :2:17'],
  ['no budget any more', 'budget: {calls: 1}\nallow: [Read]', 'allow: [Read]', 'removed budget.calls: 1 -'],
  [
    'no lock any more',
    'security: {disable_bypass_permissions: true}\nallow: [Read]',
    'allow: [Read]',
    'removed security.disable_bypass_permissions: true -',
  ],
  [
    'a protected branch less',
    'protectedBranches: [main, x]',
    'protectedBranches: [x]',
    'changed protectedBranches: ["x"] (was ["main","x"]) :2:20',
  ],
  [
    'no protected branches any more',
    'protectedBranches: [main]\nallow: [Read]',
    'allow: [Read]',
    'removed protectedBranches: ["main"] -',
  ],
  [
    'a lint finding accepted',
    'lint: {ignores: []}',
    'lint: {ignores: [{rule: a/b, reason: r}]}',
    'changed lint.ignores: [{"rule":"a/b","reason":"r"}] (was []) :2:17',
  ],
  [
    'a lint rule switched off',
    'lint: {rules: {}}\nallow: [Read]',
    'lint: {rules: {a/b: off}}\nallow: [Read]',
    'added lint.rules.a/b: "off" :2:21',
  ],
  ['another way to log', 'log: {input: masked}', 'log: {input: full}', 'changed log.input: "full" (was "masked") :2:14'],
  [
    'a new custom tool',
    'allow: [Read]',
    'allow: [Read]\ncustom_tools: [{name: X, tier: dangerous}]',
    'added custom_tools.X: {"name":"X","tier":"dangerous"} :3:16',
  ],
  [
    'a custom tool less',
    'allow: [Read]\ncustom_tools: [{name: X, tier: dangerous}]',
    'allow: [Read]',
    'removed custom_tools.X: {"name":"X","tier":"dangerous"} -',
  ],
  [
    'a review for a dangerous tool',
    'custom_tools: [{name: X, tier: dangerous}]',
    'custom_tools: [{name: X, tier: dangerous, review: {by: me, date: 2026-01-01, reason: r}}]',
    'changed custom_tools.X: {"name":"X","tier":"dangerous","review":{"by":"me","date":"2026-01-01","reason":"r"}} (was {"name":"X","tier":"dangerous"}) :2:16',
  ],
];
for (const [why, before, after, expected] of asks)
  test(`asks again: ${why}`, () => {
    const shown = beyond(before, after).map(
      ({ kind, what, before: was, source }) =>
        `${kind} ${what}${was === undefined ? '' : ` (was ${was})`} ${source === null ? '-' : `:${source.line}:${source.column}`}`,
    );
    assert.is(shown.join('|'), expected);
  });

test('a policy that only tightens needs nobody', () => {
  assert.equal(grantsBeyond(NO_GRANTS, documents('deny: [Bash]\nask: [Read]\nprotectedBranches: [main]\ndefault: deny')), []);
});

test('a value that moves to a nearer file asks again: with a lock the strictest of all counts, without it the nearest', () => {
  const before = grantsOf(documents('default: deny', 'default: ask'));
  assert.equal(grantsBeyond(before, documents('default: deny', 'default: ask')), []);
  assert.equal(grantsBeyond(before, documents('default: ask', 'default: ask')).length, 1);
  assert.equal(grantsBeyond(before, documents('default: ask')).length, 1);
});

test('what was granted survives being written down', () => {
  const written = JSON.parse(JSON.stringify(grantsOf(documents(BASE))));
  assert.equal(grantsBeyond(written, documents(BASE)), []);
});

const SNIPPETS = [
  'harmlessVariables: [A]',
  'preset: safe',
  'default: ask',
  'default: deny',
  'allow: [Read]',
  'allow: [Bash(npm *)]',
  'deny: [Bash]',
  'protectedBranches: [main]',
  'budget: {tokens: 5}',
];
test('property: what comes to be trusted step by step is never more than what the last step showed', () => {
  const text = fc.uniqueArray(fc.constantFrom(...SNIPPETS), { selector: (line) => line.split(':')[0], minLength: 1 });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      const [first, second, third] = [a, b, c].map((lines) => lines.join('\n'));
      if (beyond(first ?? '', second ?? '').length === 0 && beyond(second ?? '', third ?? '').length === 0)
        assert.equal(beyond(first ?? '', third ?? ''), []);
    }),
  );
});

test.run();
