/** A file that OpenCode puts into a prompt reaches the model without a call: the policy decides whether the run may start with it. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unknownOf } from '../../../src/audit/launch/around.js';
import type { Runner } from '../../../src/runner/hook/runner.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { GIT, openIn } from '../../enforce/opened.js';
import { withFiles } from '../../enforce/scratch.js';

const FILES = {
  ...GIT,
  'home/.config/policy/policy.yaml': "version: 1\npreset: safe\ndeny: ['Read(sec.txt)']\n",
  'home/out.txt': 'x',
  'repo/prompts/review.md': 'x',
  'repo/sec.txt': 'x',
  'repo/.env': 'A=b',
  'repo/link.md': '-> sec.txt',
};

function refused(file: string, prompt: string): boolean {
  const settings = JSON.stringify({ agent: { review: { prompt } } });
  return withFiles({ ...FILES, [`repo/${file}`]: settings }, (folder) => {
    const opened = openIn(folder);
    if (!opened.ok) throw new Error('the workspace was not opened');
    const project = join(folder, 'repo');
    const places = { project, home: join(folder, 'home'), machine: '', environment: {} };
    return unknownOf(runnerNamed('opencode') as Runner, places, opened.workspace, project).length > 0;
  });
}

test('a file that the policy lets an agent read may stand in a prompt', () => {
  assert.is(refused('opencode.json', 'Be brief. {file:./prompts/review.md}'), false);
  assert.is(refused('.opencode/opencode.json', '{file:../prompts/review.md}'), false);
});

for (const name of ['./sec.txt', 'prompts/../sec.txt', 'link.md', '.env', '~/out.txt', '../home/out.txt', '/etc/passwd'])
  test(`with ${name} in a prompt nothing starts`, () => {
    assert.is(refused('opencode.json', `{file:${name}}`), true);
  });

test.run();
