/** Which agents are known: unreadable ones as such, a runner's own, and a stranger's only where they tighten. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { recordTrust } from '../../../src/project/trust.js';
import type { WorkspaceOptions } from '../../../src/project/workspace.js';
import { GIT, openIn, placesIn, trustIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const agent = (name: string, tools: string) => `---\nname: ${name}\ndescription: d\ntools: ${tools}\n---\n`;
const ALLOW_ALL = { ...GIT, 'home/.config/policy/policy.yaml': 'version: 1\nallow: [Read, Bash(npm test), Edit]\n' };

/** The decision on a call by an agent, and why. */
function answer(folder: string, name: string, tool: string, text: string, options: Partial<WorkspaceOptions> = {}): string {
  const opened = openIn(folder, options);
  assert.ok(opened.ok, JSON.stringify(opened));
  const input = tool === 'Bash' ? { command: text } : { file_path: join(folder, 'repo', text) };
  const call = { tool, input, cwd: join(folder, 'repo'), headless: false, shell: 'bash' as const, agent: name };
  const { decision, reasons } = enforceDry(opened.workspace, call);
  return `${decision} ${reasons[0]?.code}`;
}

const found: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  ['one that can be read', { 'repo/.claude/agents/a.md': agent('a', 'Read') }, 'a', 'deny agent/tool-not-allowed'],
  ['none', {}, 'a', 'ask agent/unknown'],
  ['one that is no text', { 'repo/.claude/agents/a.md': '\ud800\0' }, 'a', 'deny agent/invalid'],
  ['a dangling link', { 'repo/.claude/agents/a.md': '-> nowhere.md' }, 'a', 'deny agent/invalid'],
  [
    'a link out of the project',
    { 'elsewhere.md': agent('a', 'Bash'), 'repo/.claude/agents/a.md': '-> ../../../elsewhere.md' },
    'a',
    'deny agent/invalid',
  ],
  [
    'a link inside the project',
    { 'repo/a.md': agent('a', 'Read'), 'repo/.claude/agents/a.md': '-> ../../a.md' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  [
    "the user's link to elsewhere",
    { 'dotfiles/a.md': agent('a', 'Read'), 'home/.claude/agents/a.md': '-> ../../../dotfiles/a.md' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  ['a folder of that name', { 'repo/.claude/agents/a.md/': '' }, 'a', 'ask agent/unknown'],
];
for (const [why, files, name, expected] of found)
  test(`an agent whose file is ${why}: ${expected}`, () =>
    withFiles({ ...ALLOW_ALL, ...files }, (folder) => assert.is(answer(folder, name, 'Bash', 'npm test'), expected)));

test('an agent whose file may not be read blocks its calls', () =>
  withFiles({ ...ALLOW_ALL, 'repo/.claude/agents/a.md': agent('a', 'Bash') }, (folder) => {
    chmodSync(join(folder, 'repo/.claude/agents/a.md'), 0o000);
    // Root reads whatever it likes.
    const expected = process.getuid?.() === 0 ? 'allow undefined' : 'deny agent/invalid';
    assert.match(answer(folder, 'a', 'Bash', 'npm test'), expected.split(' ')[0] ?? '');
  }));

const BROKEN = '---\nname: a\ndescription: d\ntools: Read\ntools: Bash\n---\n';
const DENIES = '---\nname: a\ndescription: d\npolicy: { deny: ["Bash(npm test)"] }\n---\n';
const MANY = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`repo/.claude/agents/many/n${at}.md`, '']));
/** What the user wrote about `a` must hold although some other file comes near it. */
const found2: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  [
    'a folder behind a link is entered',
    { 'repo/more/b.md': agent('a', 'Read'), 'repo/.claude/agents/m': '-> ../../more' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  [
    'one behind a link out of the project is not to be used',
    { 'more/b.md': agent('a', 'Bash'), 'repo/.claude/agents/m': '-> ../../../more' },
    'a',
    'deny agent/invalid',
  ],
  [
    "the user's folder may lie elsewhere",
    { 'dotfiles/b.md': agent('a', 'Read'), 'home/.claude/agents': '-> ../../dotfiles' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  [
    'a folder that is a link to itself',
    { 'repo/.claude/agents/b.md': agent('a', 'Read'), 'repo/.claude/agents/m': '-> .' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  [
    'two links to each other',
    { 'repo/.claude/agents/b.md': agent('a', 'Read'), 'repo/.claude/agents/m': '-> n', 'repo/.claude/agents/n': '-> m' },
    'a',
    'deny agent/tool-not-allowed',
  ],
  [
    'a link out of the project blocks the agent that it names',
    { 'else.md': agent('a', 'Bash'), 'repo/.claude/agents/other.md': '-> ../../../else.md' },
    'a',
    'deny agent/invalid',
  ],
  [
    'a file that cannot be read as a whole blocks the agent that it names',
    { 'repo/.claude/agents/other.md': BROKEN },
    'a',
    'deny agent/invalid',
  ],
  [
    'the same above a looser one of the user',
    { 'repo/.claude/agents/other.md': BROKEN, 'home/.claude/agents/a.md': agent('a', 'Bash') },
    'a',
    'deny agent/invalid',
  ],
  [
    'a page without front matter that shows one blocks nobody',
    { 'repo/.claude/agents/README.md': '# Agents\n\n---\nname: a\n---\n', 'home/.claude/agents/a.md': agent('a', 'Bash') },
    'a',
    'allow rule/allow',
  ],
  [
    'very many files of a project hide nothing of the user',
    { ...MANY, 'repo/.claude/agents/a.md': agent('a', 'Bash'), 'home/.claude/agents/a.md': DENIES },
    'a',
    'deny rule/deny',
  ],
];
for (const [why, files, name, expected] of found2)
  test(`${why}: ${expected}`, () =>
    withFiles({ ...ALLOW_ALL, ...files }, (folder) => assert.is(answer(folder, name, 'Bash', 'npm test'), expected)));

/** Names that come near each other: what is denied to either is denied, wherever it was written. */
const near: readonly (readonly [user: string, project: string, asked: string, expected: string])[] = [
  ['a-b', 'A B', 'a-b', 'deny rule/deny'],
  ['a-b', 'A B', 'A B', 'deny rule/deny'],
  ['Reviewer', 'reviewer', 'Reviewer', 'deny rule/deny'],
  ['reviewer', 'reviewer', 'reviewer', 'allow rule/allow'],
  ['reviewer', 'reviewer', 'Reviewer', 'allow rule/allow'],
  ['\u00e9t\u00e9', 'e\u0301te\u0301', '\u00e9t\u00e9', 'deny rule/deny'],
  ['other', '\u00fcber', 'ber', 'ask agent/unknown'],
  ['other', 'ber', '\u00fcber', 'ask agent/unknown'],
  ['other', 'paypal', '\u0440\u0430ypal', 'ask agent/unknown'],
  ['other', 'co-de', 'co\u200bde', 'ask agent/unknown'],
  ['other', '\u65e5\u672c\u8a9e', '\u65e5\u672c\u8a9e', 'deny agent/invalid'],
  ['other', '\u65e5\u672c\u8a9e', '\u4e2d\u56fd', 'ask agent/unknown'],
];
for (const [user, project, asked, expected] of near)
  test(`the user denies it to ${user}, the trusted project allows it to ${project}, ${asked} asks: ${expected}`, () => {
    const files = {
      'home/.claude/agents/u.md': `---\nname: ${user}\ndescription: d\npolicy: { deny: ["Bash(npm test)"] }\n---\n`,
      'repo/.claude/agents/p.md': agent(project, 'Bash'),
    };
    withFiles({ ...ALLOW_ALL, ...files }, (folder) =>
      assert.is(answer(folder, asked, 'Bash', 'npm test', { trustProject: true, runner: 'claude-code' }), expected),
    );
  });

test("an agent whose name comes near that of a plugin's keeps within both", () => {
  const files = {
    'home/.claude/plugins/installed_plugins.json': '',
    'home/plug/agents/b.md': DENIES.replace('name: a', 'name: b'),
    'repo/.claude/agents/a-b.md': agent('a-b', 'Bash'),
  };
  withFiles({ ...ALLOW_ALL, ...files }, (folder) => {
    const list = { plugins: { 'a@market': [{ installPath: join(folder, 'home/plug') }] } };
    writeFileSync(join(folder, 'home/.claude/plugins/installed_plugins.json'), JSON.stringify(list));
    for (const name of ['a-b', 'a:b'])
      assert.is(answer(folder, name, 'Bash', 'npm test', { runner: 'claude-code' }), 'deny rule/deny', name);
  });
});

test('why an agent may not be used names the file and the way out', () =>
  withFiles({ ...ALLOW_ALL, 'repo/.claude/agents/other.md': BROKEN }, (folder) => {
    const opened = openIn(folder);
    assert.ok(opened.ok);
    const call = {
      tool: 'Bash',
      input: { command: 'npm test' },
      cwd: join(folder, 'repo'),
      headless: false,
      shell: 'bash' as const,
      agent: 'a',
    };
    assert.is(
      enforceDry(opened.workspace, call).reasons[0]?.message,
      'agent a is invalid: The key "tools" is written twice in the same map; keep one of them (.claude/agents/other.md:5); correct that file: policy lint says how',
    );
  }));

const CODEX = { 'repo/.codex/agents/x.md': agent('x', '[Read]'), 'repo/.claude/agents/x.md': agent('x', 'Bash') };
const runners: readonly (readonly [string, Readonly<Record<string, string>>, Partial<WorkspaceOptions>, string])[] = [
  ["Claude Code's own Explore may not edit", {}, { runner: 'claude-code' }, 'deny agent/tool-excluded'],
  ['without a runner nobody knows Explore', {}, {}, 'ask agent/unknown'],
  [
    'a user may replace Explore',
    { 'home/.claude/agents/explore.md': agent('Explore', 'Edit') },
    { runner: 'claude-code' },
    'allow',
  ],
  [
    'a stranger may not',
    { 'repo/.claude/agents/explore.md': agent('Explore', 'Edit') },
    { runner: 'claude-code' },
    'deny agent/tool-excluded',
  ],
  [
    'a project may whose word is taken this once',
    { 'repo/.claude/agents/explore.md': agent('Explore', 'Edit') },
    { runner: 'claude-code', trustProject: true },
    'allow',
  ],
];
for (const [why, files, options, expected] of runners)
  test(`${why}: ${expected}`, () =>
    withFiles({ ...ALLOW_ALL, ...files }, (folder) =>
      assert.match(answer(folder, 'Explore', 'Edit', 'src/a.ts', options), new RegExp(`^${expected}`)),
    ));

test("only a runner's own formats count for it", () =>
  withFiles({ ...ALLOW_ALL, ...CODEX }, (folder) => {
    assert.match(answer(folder, 'x', 'Bash', 'npm test', { runner: 'claude-code' }), /^allow/);
    assert.match(answer(folder, 'x', 'Bash', 'npm test', { runner: 'codex' }), /^deny/);
  }));

const REVIEWER = {
  ...ALLOW_ALL,
  'home/.claude/agents/reviewer.md': agent('reviewer', 'Read'),
  'repo/.claude/agents/reviewer.md': agent('reviewer', 'Read, Bash'),
  'repo/policy.yaml': 'version: 1\nallow: [Grep]\n',
};
test("a stranger's definition replaces the user's of the same name only to tighten it", () =>
  withFiles(REVIEWER, (folder) => assert.is(answer(folder, 'reviewer', 'Bash', 'npm test'), 'deny agent/tool-not-allowed')));

test('in a trusted project its own definition counts, as the runner has it', () =>
  withFiles(REVIEWER, (folder) => {
    recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date(0));
    assert.match(answer(folder, 'reviewer', 'Bash', 'npm test'), /^allow/);
  }));

test.run();
