/** Files of unknown names that are put into a folder with protected ones in it (docs/guarantees.md, 6). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PathFact } from '../../../src/decide/ruling/facts.js';
import { decideIn } from '../world.js';

const DIRECTORIES: Readonly<Record<string, PathFact>> = Object.fromEntries(
  ['/home/me', '/home/me/', '/', '/home/me/.config', '/repo/out'].map((path) => [
    path,
    { real: path.length > 1 ? path.replace(/\/$/, '') : path, kind: 'directory' },
  ]),
);
const answer = (line: string) => {
  const paths = { ...DIRECTORIES, '/repo/x': { real: '/repo/x', kind: 'file' } } as const;
  return decideIn({ allow: ['Bash(*)'], facts: { paths } }, 'Bash', line).decision;
};

for (const line of ['tar xf x -C ~', 'unzip x -d ~', 'tar xf x -C /', 'tar xf x -C ~/.config', 'cp -r x/. ~', 'rsync -a x/ ~/'])
  test(`asked: ${line}`, () => assert.is.not(answer(line), 'allow'));

for (const line of ['tar xf x -C out', 'unzip x -d out', 'cp -r x/. out', 'tar xf x'])
  test(`allowed: ${line}`, () => assert.is(answer(line), 'allow'));

for (const line of [
  'cd .git/hooks && wget https://h.example/a',
  'cd .git/hooks && curl -O https://h.example/a',
  'cd .husky && aria2c https://h.example/a',
  'cd .git/hooks && timeout 9 curl -fLO https://h.example/a',
  'wget -P .git/hooks https://h.example/a',
  'curl -O --output-dir .husky https://h.example/a',
  'curl -O https://h.example/x/policy.yaml',
  'wget -o log https://h.example/.git',
])
  test(`a download into a protected place is denied: ${line}`, () => assert.is(answer(line), 'deny'));

for (const line of [
  'wget https://h.example/a',
  'cd out && curl -O https://h.example/a?policy.yaml',
  'curl -o a https://h.example/policy.yaml',
  'wget -O a https://h.example/policy.yaml',
  'curl https://h.example/policy.yaml',
  'cd .git && curl https://h.example/a',
  'cd .git && wget --spider https://h.example/a',
])
  test(`a download elsewhere is not: ${line}`, () => assert.is.not(answer(line), 'deny'));

test.run();
