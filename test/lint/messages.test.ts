// What findings say: what happens, why, and what to write in this file of this runner.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLAUDE, definition, lintTexts, type Texts } from './linted.js';

const test = suite('lint messages');

const CLAUDE_SETTINGS = '.claude/settings.json';
const allows = (...rules: readonly string[]): Texts => ({
  [CLAUDE_SETTINGS]: JSON.stringify({ permissions: { allow: rules } }),
});
const skill = (folder: string, head: string): Texts => ({ [`${folder}/skills/release/SKILL.md`]: `---\n${head}\n---\nWrite.\n` });
const LONG = `name: release\ndescription: ${'x'.repeat(1600)}`;
const COLON = 'name: release\ndescription: Use when: asked';

const said: readonly (readonly [rule: string, texts: Texts, message: RegExp, help?: RegExp])[] = [
  ['skills/description-too-long', skill('.github', LONG), /^The description has 1600 characters: Copilot CLI \S+ does not load/],
  ['skills/description-too-long', skill('.claude', LONG), /: Claude Code \S+ shows the model the first 1536 of them\.$/],
  [
    'skills/description-too-long',
    skill('.agents', LONG),
    /: Copilot CLI \S+ does not load this skill, which may have 1024; Codex \S+ shows the model the first 1024/,
  ],
  ['skills/invalid-name', skill('.qwen', 'name: A b\ndescription: x'), /^Qwen Code \S+ does not load this skill: its name "A b"/],
  [
    'skills/invalid-name',
    skill('.agents', `name: ${'x'.repeat(65)}\ndescription: x`),
    /^Codex \S+ and Copilot CLI \S+ do not load this skill: its name has 65 characters, and may have 64\.$/,
  ],
  [
    'skills/missing-description',
    skill('.agents', 'name: release'),
    /^Codex \S+ and Gemini CLI \S+ do not load this skill, since it has no description\.$/,
  ],
  [
    'skills/unreadable-head',
    skill('.agents', COLON),
    /: this value holds a colon and a space, so it needs quotes\. Copilot CLI \S+ does not load this skill\.$/,
    /^Write description: 'Use when: asked'$/,
  ],
  [
    'skills/unreadable-head',
    skill('.claude', 'name: release\ndescription: "x'),
    /Its name, description and allowed-tools then count for nothing\.$/,
  ],
  [
    'schema/syntax-error',
    { [CLAUDE]: '---\nname: a\ndescription: "x\n---\nGo.\n' },
    /^This is not valid YAML: .+\. Claude Code does not load this agent\.$/,
  ],
  [
    'schema/missing-description',
    { [CLAUDE]: '---\nname: a\n---\nGo.\n' },
    /Claude Code does not load/,
    /^Add the line description: …/,
  ],
  [
    'schema/invalid-field',
    { [CLAUDE]: definition('tools: Read', 'maxTurns: few') },
    /^"maxTurns" is the text "few"; it has to be a whole number/,
    /or remove the field/,
  ],
  ['permissions/privileged-wildcard', allows('Bash(docker:*)'), /lets docker mount and change every file/, /docker ps/],
  ['permissions/privileged-wildcard', allows('Bash(sudo:*)'), /lets sudo run any command as root/],
  ['permissions/interpreter-wildcard', allows('Bash(make:*)'), /lets make run what files of the project say/],
  [
    'rules/absolute-path',
    allows('Read(/home/x/.ssh/**)'),
    /one slash is the project, two are the root/,
    /^Write Read\(~\/\.ssh\/\*\*\), or Read\(\/\/home\/x\/\.ssh\/\*\*\) for this machine alone\.$/,
  ],
  ['rules/never-consulted', allows('Write(/tmp)'), /allows nothing/, /^Write Edit\(\/\/tmp\)\.$/],
  ['rules/never-consulted', allows('Write(/src/**)'), /allows nothing/, /^Write Edit\(\/src\/\*\*\)\.$/],
  [
    'rules/one-off',
    allows("Bash(python3 -c 'print(1)')"),
    /^This rule matches only a command line that was run once, word for word/,
  ],
];
for (const [rule, texts, message, help] of said)
  test(`${rule}: ${Object.keys(texts)} ${message}`, () => {
    const finding = lintTexts(texts).findings.find(({ ruleId }) => ruleId === rule);
    assert.match(finding?.message ?? 'no finding', message);
    if (help !== undefined) assert.match(finding?.help ?? 'no help', help);
  });

test('what every runner loads is for auditors alone', () => {
  const heads = [
    skill('.claude', 'name: Release Notes\ndescription: x'),
    { [CLAUDE]: definition('tools: Read').replace('reviewer', 'Code Tester') },
    { [CLAUDE]: definition('tools: Read').replace('changes.', 'changes.\\nAsk.') },
    { [CLAUDE]: definition('tools: Read, KillShell', 'color: teal') },
  ];
  for (const texts of heads) {
    assert.is.not(lintTexts(texts).findings.length, 0);
    assert.equal(lintTexts(texts, { persona: 'reviewer' }).findings, []);
  }
});

test.run();
