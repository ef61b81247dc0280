/** Which agents are known: unreadable ones as such, a runner's own, and a stranger's only where they tighten. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforceDry } from '../../src/enforce/enforce.js';
import { recordTrust } from '../../src/enforce/trust.js';
import type { WorkspaceOptions } from '../../src/enforce/workspace.js';
import { GIT, openIn, placesIn, trustIn } from './opened.js';
import { withFiles } from './scratch.js';

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

test('a folder of agents behind a link is not entered, and a note says so', () =>
  withFiles({ ...ALLOW_ALL, 'more/b.md': agent('b', 'Bash'), 'repo/.claude/agents/more': '-> ../../../more' }, (folder) => {
    assert.is(answer(folder, 'b', 'Bash', 'npm test'), 'ask agent/unknown');
    const opened = openIn(folder);
    assert.ok(opened.ok && opened.workspace.notes.some(({ code }) => code === 'agent/not-looked-into'));
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
