/** OpenCode reads the files that a prompt for an agent mentions, and asks no hook: the call is answered as reading them would be. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { GIT, openIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const POLICY = "version: 1\npreset: safe\nallow: [Agent]\ndeny: ['Read(sec.txt)', 'Read(~/out.txt)']\n";
const FILES = {
  ...GIT,
  'home/.config/policy/policy.yaml': POLICY,
  'home/out.txt': 'x',
  'repo/.env': 'A=b',
  'repo/sec.txt': 'x',
  'repo/src/a.ts': 'x',
  'repo/src/sec.txt': 'x',
  'repo/link.txt': '-> sec.txt',
  'elsewhere.txt': 'x',
};

function decisionOf(prompt: unknown, runner: RunnerId = 'opencode', below = '') {
  return withFiles(FILES, (folder) => {
    const cwd = join(folder, 'repo', below);
    const opened = openIn(folder, { cwd });
    if (!opened.ok) throw new Error('the workspace was not opened');
    const input = { description: 'd', prompt, subagent_type: 'general' };
    return enforceDry(opened.workspace, {
      ...{ tool: runner === 'opencode' ? 'task' : 'Agent', input: input as Record<string, string> },
      ...{ cwd, runner, headless: false, shell: 'bash' },
    });
  });
}

const ROWS: readonly (readonly [prompt: string, decision: 'allow' | 'ask' | 'deny'])[] = [
  ['Look at src/a.ts.', 'allow'],
  ['Look at @src/a.ts, and at @src.', 'allow'],
  ['Look at @sec.txt.', 'deny'],
  ['Look at @./sec.txt', 'deny'],
  // Two dots behind other signs end it: the folder is read.
  ['Look at @src/../sec.txt', 'allow'],
  ['Look at (@sec.txt', 'deny'],
  ['Look at @src/a.ts and @link.txt', 'deny'],
  ['@.env', 'ask'],
  ['@.env @sec.txt', 'deny'],
  ['@~/out.txt', 'deny'],
  ['@../elsewhere.txt', 'ask'],
  ['Write to ann@example.com about @types/node, @scope/pkg, @media, @Override and `@sec.txt`.', 'allow'],
  ['a@sec.txt', 'allow'],
  ['@general should look', 'allow'],
  ['@', 'allow'],
  [Array.from({ length: 1_100 }, (_, at) => `@n${at}`).join(' '), 'ask'],
  [`${'@.'.repeat(100_000)}`, 'allow'],
];

for (const [prompt, decision] of ROWS)
  test(`${prompt.slice(0, 60)}: ${decision}`, () => {
    assert.is(decisionOf(prompt).decision, decision);
  });

test('a mention counts from the top of the repository', () => {
  assert.is(decisionOf('@sec.txt', 'opencode', 'src').decision, 'deny');
  assert.is(decisionOf('@src/a.ts', 'opencode', 'src').decision, 'allow');
});

test('what is mentioned is named', () => {
  const { message } = decisionOf('Look at @sec.txt.');
  assert.match(message, /the prompt mentions @sec\.txt, which OpenCode reads without asking: /);
});

test('other clients read nothing then, and a prompt that is no text is none', () => {
  assert.is(decisionOf('@sec.txt', 'claude-code').decision, 'allow');
  assert.is(decisionOf(['@sec.txt']).decision, 'allow');
});

test.run();
