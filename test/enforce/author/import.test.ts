/** What becomes of each form of rule in the settings of Claude Code and Codex: taken, taken with a note, or left with a reason. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { importClaudeCode } from '../../../src/author/import/claude-code.js';
import { codexConfigNotes, importCodexRules } from '../../../src/author/import/codex.js';
import { literalCalls } from '../../../src/policy/read/starlark.js';
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';

/** `taken`: as written; another text: taken as that; null: left. `why`: what the note says, null for none. */
type Row = readonly [effect: Effect, entry: string, taken: true | string | readonly string[] | null, why: RegExp | null];

const CLAUDE: readonly Row[] = [
  ['allow', 'Bash(npm run lint)', true, null],
  ['allow', 'Bash(npm run test:*)', true, null],
  ['allow', 'Bash(git diff*)', true, /allows less/],
  ['allow', 'Bash', null, /without checking it/],
  ['allow', 'Bash(*)', null, /without checking it/],
  ['allow', 'Bash(**)', null, /without checking it/],
  ['allow', 'Bash(python:*)', null, /any code/],
  ['allow', 'Bash(curl:*)', null, /./],
  ['allow', 'Bash(npm install:*)', null, /./],
  ['allow', 'Bash(sudo:*)', null, /./],
  ['allow', 'Bash(zz:* push)', null, /at the end|"then anything" only/],
  ['allow', 'Bash(:*)', null, /./],
  ['allow', 'Bash(zz p?sh)', null, /only \* is special/],
  ['allow', 'Bash(zz push && zz pull)', null, /one literal command line/],
  ['allow', 'Bash(FOO=1 zz:*)', null, /assignments/],
  ['allow', ' Bash(zz)', null, /white space/],
  ['allow', 'Bash( zz )', null, /white space/],
  ['allow', 'bash(zz:*)', null, /no tool bash: write Bash\(zz:\*\)/],
  ['allow', 'Shell(zz:*)', null, /no tool Shell: write Bash\(/],
  ['allow', 'Bash(zz', null, /closing/],
  ['allow', '!Bash(zz)', null, /negated/],
  ['allow', 'Read(src/**)', true, null],
  ['allow', 'Read', 'Read(**)', null],
  ['allow', 'Edit', null, /inside the project/],
  ['allow', 'Write', null, /inside the project/],
  ['allow', 'Edit(*)', null, /inside the project/],
  ['allow', 'Write(src/**)', null, /never at those of Write: write Edit\(src/],
  ['allow', 'Glob(src/**)', null, /write Read\(src/],
  ['allow', 'Monitor(ls:*)', null, /write Bash\(ls/],
  ['allow', 'Edit(../x/**)', null, /lead up/],
  ['allow', 'Edit({a,b}/**)', null, /braces/],
  ['allow', 'Read(//etc/hosts)', null, /out of the project/],
  ['allow', 'Edit(~/x/**)', null, /out of the project/],
  ['allow', 'WebFetch(domain:example.com)', true, null],
  ['allow', 'WebFetch(example.com)', null, /domain:HOST/],
  ['allow', 'mcp__issues__list', true, null],
  ['allow', 'mcp__*', null, /under deny and ask only/],
  ['allow', 'mcp__issues__list(x)', null, /no specifier/],
  ['allow', 'Agent(re*)', null, /exactly/],
  ['allow', 'Agent(reviewer)', true, null],
  ['allow', 'Bahs(x)', null, /no tool Bahs/],
  ['deny', 'Bash(rm:*)', true, null],
  ['deny', 'Bash', true, null],
  ['deny', 'Read(.env)', ['Read(.env)', 'Edit(.env)'], null],
  ['deny', 'Read(~/.ssh/**)', ['Read(~/.ssh/**)', 'Edit(~/.ssh/**)'], null],
  ['ask', 'Read(.env)', true, null],
  ['deny', 'Read', true, null],
  ['deny', 'Write(secret/**)', true, /never takes effect.*here it does/],
  ['deny', 'bash(rm:*)', true, /never takes effect.*here it does/],
  ['deny', 'Edit', true, /every writing tool/],
  ['ask', 'Bash(git push:*)', true, null],
  ['deny', 'Bash(curl x', null, /closing/],
  ['deny', 'Bahs(x)', null, /did you mean/],
];
for (const [effect, entry, taken, why] of CLAUDE)
  test(`Claude Code: ${effect} ${JSON.stringify(entry)} → ${taken === true ? 'taken' : (taken ?? 'left')}`, () => {
    const { rules, notes } = importClaudeCode(JSON.stringify({ permissions: { [effect]: [entry] } }), 'settings.json', false);
    const texts = taken === null ? [] : taken === true ? [entry] : [taken].flat();
    assert.equal(
      rules,
      texts.map((text) => ({ effect, text })),
    );
    assert.is(notes.length, why === null ? 0 : 1, JSON.stringify(notes));
    if (why !== null) assert.match(notes[0]?.why ?? '', why);
    if (notes[0] !== undefined) assert.is(notes[0].left, taken === null);
  });

test('a personal file names no folder of a project', () => {
  const text = JSON.stringify({ permissions: { allow: ['Edit(/src/**)'], deny: ['Edit(/src/**)'] } });
  assert.equal(importClaudeCode(text, 'settings.json', true).rules, [{ effect: 'deny', text: 'Edit(/src/**)' }]);
  assert.is(importClaudeCode(text, 'settings.json', false).rules.length, 2);
});

test('a note says on which line the entry stands', () => {
  const { notes } = importClaudeCode(
    '{\n "permissions": {\n  "allow": [\n   "Bash(ls:*)",\n   "Bash"\n  ]\n }\n}',
    '.claude/settings.json',
    false,
  );
  assert.equal(
    notes.map(({ place }) => place),
    ['.claude/settings.json:5'],
  );
});

test('modes and directories are notes', () => {
  const text = JSON.stringify({
    permissions: { defaultMode: 'bypassPermissions', additionalDirectories: ['/x'], disableBypassPermissionsMode: 'disable' },
  });
  assert.is(importClaudeCode(text, 'settings.json', false).notes.length, 3);
  assert.is(importClaudeCode('{"permissions":{"defaultMode":"default"}}', 'settings.json', false).notes.length, 0);
});

const ODD = [
  '',
  '[]',
  'null',
  '"x"',
  '{"permissions":[]}',
  '{"permissions":{"allow":"Bash"}}',
  '{"permissions":{"allow":[1,null,{}]}}',
  '{',
  '{"permissions":{},"permissions":{}}',
];
for (const text of ODD)
  test(`settings that are none give no rule: ${text}`, () =>
    assert.equal(importClaudeCode(text, 'settings.json', false).rules, []));

const CODEX: readonly (readonly [why: string, text: string, rules: readonly string[], notes: number])[] = [
  ['a plain rule', 'prefix_rule(pattern=["npm", "test"])', ['allow Bash(npm test *)'], 0],
  ['alternatives', 'prefix_rule(pattern=["git", ["a", "b"]], decision="prompt")', ['ask Bash(git a *)', 'ask Bash(git b *)'], 0],
  [
    'single quotes, comments, trailing commas',
    "# x\nprefix_rule(\n  pattern = ['rm',], # y\n  decision = 'forbidden',\n)\n",
    ['deny Bash(rm *)'],
    0,
  ],
  ['an interpreter', 'prefix_rule(pattern=["python3"])', [], 1],
  ['every command of one program that installs', 'prefix_rule(pattern=["npm"])', [], 1],
  ['a star is literal there', 'prefix_rule(pattern=["ls", "*"])', [], 1],
  ['a word with a space', 'prefix_rule(pattern=["ls", "a b"])', [], 1],
  ['no list', 'prefix_rule(pattern="ls")', [], 1],
  ['an unknown decision', 'prefix_rule(pattern=["ls"], decision="deny")', [], 1],
  ['other rules', 'network_rule(host="x", protocol="https", decision="allow")', [], 1],
  ['computed text', 'prefix_rule(pattern=["l" + "s"])', [], 1],
  ['joined text', 'prefix_rule(pattern=["l" "s"])', [], 1],
  ['a name', 'x = ["ls"]\nprefix_rule(pattern=x)\nprefix_rule(pattern=["wc"])', ['allow Bash(wc *)'], 2],
  ['a function', 'def f():\n    prefix_rule(pattern=["ls"])\n\nf()\nprefix_rule(pattern=["wc"])', ['allow Bash(wc *)'], 2],
  ['a condition behind a call', 'prefix_rule(pattern=["ls"]) if False else None', [], 1],
  ['the same key twice', 'prefix_rule(pattern=["ls"], pattern=["rm"])', [], 1],
  ['a text in three quotes', 'prefix_rule(pattern=["""ls"""], justification="""\nWhy.\n""")', ['allow Bash(ls *)'], 0],
  ['a raw text', 'prefix_rule(pattern=[r"ls"])', [], 1],
  ['a text over lines', 'prefix_rule(pattern=["l\ns"])', [], 2],
  ['an open bracket', 'prefix_rule(pattern=["ls"', [], 1],
  ['nothing', '', [], 0],
];
for (const [why, text, expected, notes] of CODEX)
  test(`Codex: ${why}`, () => {
    const imported = importCodexRules(text, 'x.rules');
    assert.equal(
      imported.rules.map(({ effect, text: rule }) => `${effect} ${rule}`),
      expected,
    );
    assert.is(imported.notes.length, notes, JSON.stringify(imported.notes));
  });

test('Codex: what config.toml says about permissions is no rule', () => {
  const notes = codexConfigNotes(
    'model = "x"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n',
    '.codex/config.toml',
  );
  assert.equal(
    notes.map(({ place }) => place),
    ['.codex/config.toml:2', '.codex/config.toml:3'],
  );
});

test('any text is read to its end, and what is literal in it is never made up', () => {
  const word = fc.constantFrom(
    'prefix_rule(',
    'pattern',
    '=',
    '[',
    ']',
    ')',
    '"ls"',
    "'rm'",
    ',',
    '\n',
    ' ',
    '#',
    '\\',
    '"',
    'def f():',
    '+',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join('');
      for (const { arguments: given, text: statement } of literalCalls(text)) {
        assert.ok(text.includes(statement));
        if (given === null) continue;
        for (const value of [...given.values()].flat(3))
          assert.ok(value === 'ls' || value === 'rm' || typeof value !== 'string' || text.includes(value));
      }
    }),
  );
});

test('a million brackets are refused at once', () => {
  const started = literalCalls(`prefix_rule(pattern=${'['.repeat(1_000_000)}`);
  assert.is(started.length, 1);
  assert.is(started[0]?.arguments, null);
});

test.run();
