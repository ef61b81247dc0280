/** Files of unknown names that are put into a folder with protected ones in it (docs/guarantees.md, 6). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PathFact } from '../../../src/decide/facts.js';
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

test.run();
