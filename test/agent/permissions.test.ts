import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PermissionsConfig } from '../../src/agent/agent.js';
import {
  buildPermissions,
  composePermissions,
  permissionsFromToml,
  permissionsToToml,
  replacePermissions,
  stricterMode,
} from '../../src/agent/permissions.js';
import { MODES, type Mode } from '../../src/policy/policy.js';
import { parseEntry } from '../../src/rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';

function rule(effect: Effect, text: string): PermissionRule {
  const entry = parseEntry(text);
  if (!entry.ok) throw new Error(entry.message);
  return {
    effect,
    tool: entry.tool,
    pattern: entry.pattern,
    text,
    layer: 'overlay',
    source: { file: 'o.toml', line: 1, column: 1 },
  };
}

function config(defaultMode: Mode, rules: readonly string[], allowedTools: readonly string[] | null = null): PermissionsConfig {
  return {
    rules: rules.map((text) => rule(text.split(' ', 1)[0] as Effect, text.slice(text.indexOf(' ') + 1))),
    defaultMode,
    allowedTools,
    disallowedTools: [],
  };
}

const textsOf = (permissions: PermissionsConfig | null) => permissions?.rules.map((one) => `${one.effect} ${one.text}`);

test('nothing said is nothing built (R207)', () => {
  assert.is(buildPermissions({ mode: null, allow: [], deny: [], ask: [] }), null);
});

test('rules stand in the order allow, deny, ask, and the mode is ask (R208, R209)', () => {
  const built = buildPermissions({ mode: null, ask: [rule('ask', 'A')], deny: [rule('deny', 'B')], allow: [rule('allow', 'C')] });
  assert.equal(textsOf(built), ['allow C', 'deny B', 'ask A']);
  assert.is(built?.defaultMode, 'ask');
});

const sample = config('deny', ['allow Grep', 'allow FileRead(src/**)', 'deny Bash(rm *)', 'ask Bash(git *)'], ['Grep']);

test('TOML there and back (R201, R212)', () => {
  const toml = permissionsToToml(sample);
  assert.match(toml, /^\[permissions\]\ndefault_mode = "deny"\n/);
  assert.is(toml.match(/\[\[permissions\.rules\]\]/g)?.length, 4);
  const { permissions, problems } = permissionsFromToml(toml, 'o.toml');
  assert.equal(problems, []);
  assert.equal(textsOf(permissions), textsOf(sample));
  assert.is(permissions?.defaultMode, 'deny');
  assert.equal(permissions?.allowedTools, ['Grep']);
});

test('null and an empty list of tools stay two things in TOML', () => {
  for (const allowed of [null, []])
    assert.equal(permissionsFromToml(permissionsToToml(config('ask', [], allowed)), 'o').permissions?.allowedTools, allowed);
});

test('whatever the pattern, TOML gives it back', () => {
  const pattern = fc.string({ unit: 'grapheme-ascii' }).filter((text) => parseEntry(`Read(${text})`).ok);
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 5 }), fc.constantFrom(...MODES), (patterns, mode) => {
      const made = config(
        mode,
        patterns.map((text) => `deny Read(${text})`),
      );
      const back = permissionsFromToml(permissionsToToml(made), 'o').permissions;
      assert.equal(
        back?.rules.map((one) => one.pattern),
        made.rules.map((one) => one.pattern),
      );
      assert.is(back?.defaultMode, mode);
    }),
    { numRuns: 200 },
  );
});

/** [why, TOML, code of the first problem] */
const broken: readonly (readonly [string, string, string])[] = [
  ['garbage', '%%%', 'file/syntax'],
  ['nothing', '', 'overlay/no-permissions'],
  ['another table', '[security]\nx = 1', 'overlay/unknown-key'],
  ['permissions that are no table', 'permissions = 5', 'overlay/no-permissions'],
  ['a misspelt key', '[permissions]\ndefualt_mode = "deny"', 'overlay/unknown-key'],
  ['an unknown mode', '[permissions]\ndefault_mode = "yolo"', 'agent/unknown-mode'],
  ['rules that are no list', '[permissions]\nrules = "x"', 'overlay/not-a-list'],
  ['a rule without a tool', '[[permissions.rules]]\naction = "deny"', 'overlay/rule'],
  ['a rule without an action', '[[permissions.rules]]\ntool = "Bash"', 'overlay/rule'],
  ['a rule with an unknown action', '[[permissions.rules]]\ntool = "Bash"\naction = "no"', 'agent/unknown-mode'],
  ['a rule that is no table', '[permissions]\nrules = ["Bash"]', 'overlay/rule'],
  ['a tool with a parenthesis', '[[permissions.rules]]\ntool = "Bash(rm"\naction = "deny"', 'rule/missing-paren'],
  [
    'a tool that would swallow its pattern',
    '[[permissions.rules]]\ntool = "Bash(a"\npattern = "b"\naction = "deny"',
    'overlay/rule',
  ],
  ['tools that are no list', '[permissions]\nallowed_tools = 5', 'agent/not-a-list'],
  ['an empty tool', '[permissions]\ndisallowed_tools = [""]', 'agent/empty-entry'],
];

for (const [why, toml, code] of broken)
  test(`an overlay that cannot be read is refused, never ignored (R214): ${why}`, () => {
    const { permissions, problems } = permissionsFromToml(toml, 'o.toml');
    assert.is(permissions, null);
    assert.ok(problems.length > 0);
    assert.ok(
      problems.some((one) => one.code === code),
      JSON.stringify(problems),
    );
    assert.ok(problems.every((one) => one.source.file === 'o.toml' && one.source.line >= 1));
  });

test('an action that is a mode counts as the stricter effect', () => {
  const toml = ['plan', 'accept_edits', 'auto'].map((one) => `[[permissions.rules]]\ntool = "T"\naction = "${one}"`).join('\n');
  assert.equal(
    permissionsFromToml(toml, 'o').permissions?.rules.map((one) => one.effect),
    ['deny', 'ask', 'ask'],
  );
});

/** [why, host, overlay, rules of both] */
const composed: readonly (readonly [string, PermissionsConfig, PermissionsConfig, readonly string[]])[] = [
  ['denials unite', config('ask', ['deny A']), config('ask', ['deny B', 'ask C']), ['deny A', 'deny B', 'ask C']],
  ['the same rule stands once', config('ask', ['deny A']), config('ask', ['deny A']), ['deny A']],
  ['an allow of one side alone goes', config('ask', ['allow Read']), config('ask', ['allow Write']), []],
  ['an allow of both stays', config('ask', ['allow Read']), config('ask', ['allow Read']), ['allow Read']],
  [
    'the narrower allow stays',
    config('ask', ['allow Bash(git *)']),
    config('ask', ['allow Bash(git log *)']),
    ['allow Bash(git log *)'],
  ],
  [
    'a bare tool covers its patterns',
    config('ask', ['allow Read']),
    config('ask', ['allow FileRead(src/**)']),
    ['allow FileRead(src/**)'],
  ],
  ['a path that climbs is in no folder', config('ask', ['allow Read(src/**)']), config('ask', ['allow Read(src/../**)']), []],
  ['a prefix without a boundary covers nothing', config('ask', ['allow Bash(git*)']), config('ask', ['allow Bash(gitk *)']), []],
  ['Edit covers Write', config('ask', ['allow Edit']), config('ask', ['allow Write(a)']), ['allow Write(a)']],
  ['Write does not cover Edit', config('ask', ['allow Write']), config('ask', ['allow Edit(a)']), []],
  ['a host that allows all keeps what the overlay allows', config('allow', []), config('deny', ['allow Grep']), ['allow Grep']],
  ['an overlay cannot allow what the host does not', config('deny', []), config('allow', ['allow Bash']), []],
  ['plan keeps the allow of a reader', config('ask', ['allow Read(src/**)']), config('plan', []), ['allow Read(src/**)']],
  ['plan does not keep the allow of a writer', config('ask', ['allow Write(src/**)']), config('plan', []), []],
  ['a total rule covers every tool', config('ask', ['allow *']), config('ask', ['allow mcp__a__b']), ['allow mcp__a__b']],
  ['a glob is not covered by a name, but covers it', config('ask', ['allow Read']), config('ask', ['allow R*']), ['allow Read']],
];

for (const [why, host, overlay, rules] of composed)
  test(`compose: ${why}`, () => {
    assert.equal(textsOf(composePermissions(host, overlay)), [...rules]);
    assert.equal(new Set(textsOf(composePermissions(overlay, host))), new Set(rules), 'the order of the sides does not matter');
  });

/** [host, overlay, both] */
const toolLists: readonly (readonly [readonly string[] | null, readonly string[] | null, readonly string[] | null])[] = [
  [null, null, null],
  [null, ['Read'], ['Read']],
  [['Read'], null, ['Read']],
  [['Read'], ['Bash'], []],
  [[], ['Read'], []],
  [[], null, []],
  [['*'], ['Read'], ['Read']],
  [['Read', 'Bash'], ['FileRead'], ['Read', 'FileRead']],
  [['mcp__a'], ['mcp__a__b'], ['mcp__a__b']],
];
for (const [left, right, both] of toolLists)
  test(`visible tools ${JSON.stringify(left)} and ${JSON.stringify(right)}`, () => {
    assert.equal(composePermissions(config('ask', [], left), config('ask', [], right)).allowedTools, both);
  });

/** [one, other, both] */
const modes: readonly (readonly [Mode, Mode, Mode])[] = [
  ['allow', 'deny', 'deny'],
  ['deny', 'allow', 'deny'],
  ['allow', 'ask', 'ask'],
  ['ask', 'ask', 'ask'],
  ['auto', 'plan', 'plan'],
  ['auto', 'accept_edits', 'accept_edits'],
  ['accept_edits', 'ask', 'ask'],
  ['ask', 'plan', 'deny'],
  ['accept_edits', 'plan', 'deny'],
  ['allow', 'plan', 'plan'],
  ['auto', 'ask', 'ask'],
];
for (const [one, other, both] of modes)
  test(`modes ${one} and ${other} are ${both} together`, () => {
    assert.is(stricterMode(one, other), both);
    assert.is(stricterMode(other, one), both);
  });

test('what is composed with itself stays', () => {
  for (const mode of MODES) assert.is(stricterMode(mode, mode), mode);
  assert.equal(new Set(textsOf(composePermissions(sample, sample))), new Set(textsOf(sample)));
});

test('replacing is replacing (R198)', () => {
  const overlay = config('allow', []);
  assert.is(replacePermissions(sample, overlay), overlay);
});

test.run();
