// Corrections in the settings of Claude Code: what comes out is read, does what was meant, and never allows more than before.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyFixes } from '../../../src/lint/text/fix.js';
import { lintTexts } from '../linted.js';
import { claudeRuleRows } from '../rows-claude-rules.js';

const test = suite('corrections in settings of Claude Code');
const PATH = '.claude/settings.json';

type Lists = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

function listsOf(text: string): Lists {
  const { permissions = {} } = JSON.parse(text) as { permissions?: Partial<Lists> };
  return { allow: permissions.allow ?? [], ask: permissions.ask ?? [], deny: permissions.deny ?? [] };
}

/** Until nothing is left to correct; a correction beside another one waits for the next run. */
function corrected(text: string): string {
  let current = text;
  for (let run = 0; run < 5; run++) {
    const { text: next, done } = applyFixes(current, lintTexts({ [PATH]: current }).findings);
    if (done.length === 0) return current;
    assert.not.equal(next, current, 'a correction changes something');
    current = next;
  }
  throw new Error(`never done:\n${current}`);
}

const rows: readonly (readonly [say: string, before: object, after: object])[] = [
  [
    'dead denials',
    { deny: ['Write(./.env*)', 'bash(rm:*)', 'Read(/etc/**)', 'Bash(rm *) '] },
    { deny: ['Edit(./.env*)', 'Bash(rm:*)', 'Read(//etc/**)', 'Bash(rm *)'] },
  ],
  [
    'a host',
    { deny: ['WebFetch(https://Paste.example/*)', 'WebFetch(domain: a.example)'] },
    { deny: ['WebFetch(domain:paste.example)', 'WebFetch(domain:a.example)'] },
  ],
  [
    'a host that is not certain',
    { deny: ['WebFetch(https://paste.example/x/*)'] },
    { deny: ['WebFetch(https://paste.example/x/*)'] },
  ],
  [
    'the same under allow stays dead',
    { allow: ['Write(src/**)', 'bash(rm:*)', 'Bash(rm *) ', 'WebFetch(a.example)'] },
    { allow: ['Write(src/**)', 'bash(rm:*)', 'Bash(rm *) ', 'WebFetch(a.example)'] },
  ],
  ['the last rules of a list', { allow: ['Bash(ls)', 'Bash(ls)', 'Bash(ls)'] }, { allow: ['Bash(ls)'] }],
  ['all rules of a list', { allow: ["Bash(node -e '1')"], deny: ['Read(.env)'] }, { allow: [], deny: ['Read(.env)'] }],
  [
    'covered rules at both ends',
    { allow: ['Bash(git log:*)', 'Bash(git:*)', 'Bash(git diff)', 'Bash(git add:*)'] },
    { allow: ['Bash(git:*)'] },
  ],
  [
    'an allow without an effect',
    { allow: ['Bash(git push:*)', 'Bash(ls)'], deny: ['Bash(git:*)'] },
    { allow: ['Bash(ls)'], deny: ['Bash(git:*)'] },
  ],
  ['escapes', { deny: ['Read(C:\\Users\\ana\\**)'] }, { deny: ['Read(//c/Users/ana/**)'] }],
];

for (const [say, before, after] of rows)
  test(say, () => {
    for (const indent of [undefined, 2, '\t']) {
      const text = JSON.stringify({ permissions: before, model: 'x' }, null, indent);
      const result = corrected(text);
      assert.equal(JSON.parse(result), { permissions: after, model: 'x' });
    }
  });

test('every row of the rules: what comes out is JSON, and allows nothing that was not allowed', () => {
  let corrections = 0;
  for (const { texts } of claudeRuleRows) {
    const text = texts[PATH];
    if (text === undefined) continue;
    const result = corrected(text);
    if (result !== text) corrections++;
    const [before, after] = [listsOf(text), listsOf(result)];
    for (const rule of after.allow) assert.ok(before.allow.includes(rule), `${rule} in ${text}`);
    assert.is(
      after.deny.length + after.ask.length,
      before.deny.length + before.ask.length - (text === result ? 0 : duplicates(before)),
      text,
    );
  }
  assert.ok(corrections > 25, `${corrections}`);
});

function duplicates({ ask, deny }: Lists): number {
  return ask.length + deny.length - new Set(ask).size - new Set(deny).size;
}

test('a list that holds other things than texts is left alone', () => {
  const text = '{ "permissions": { "allow": ["Bash(ls)", 1, "Bash(ls)"] } }';
  assert.is(corrected(text), text);
});

test('2,000 rules take well under a second', () => {
  const rules = (make: (at: number) => string) => Array.from({ length: 1_000 }, (_, at) => make(at));
  for (const permissions of [
    { allow: rules((at) => `Bash(git log ${at}:*)`), deny: rules((at) => `Bash(git * ${at} x*)`) },
    { allow: rules((at) => `Bash(${'a*'.repeat(40)}${at})`), deny: rules((at) => `Bash(${'a*'.repeat(30)}${at % 7})`) },
    { allow: rules((at) => `Edit(${'**/'.repeat(30)}a${at})`), deny: rules((at) => `Read(${'**/a'.repeat(30)}${at})`) },
    { allow: rules((at) => `Edit(*${'?'.repeat(40)}${at})`), deny: rules((at) => `Edit(*a${'?'.repeat(30)}${at % 5})`) },
    { allow: rules(() => "Bash(node -e '1')"), deny: rules(() => 'Write(x)') },
  ]) {
    const text = JSON.stringify({ permissions });
    const before = process.cpuUsage();
    lintTexts({ [PATH]: text });
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_500_000, `${Math.round(user / 1000)} ms for ${text.slice(0, 60)}`);
  }
});

test.run();
