/** The tries of real runs look for what a run has left: theirs, and nothing that somebody else has started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftBehind, SLOW } from './world.js';

const [program = '', ...words] = SLOW.split(' ');

test('a command of the same words in another folder was not left by the run', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-left-')));
  const project = join(base, 'mine', 'project');
  mkdirSync(project, { recursive: true });
  mkdirSync(join(base, 'other'));
  writeFileSync(join(project, 'README.md'), '');
  const child = spawn(program, words, { cwd: project, env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    const found = (home: string) => leftBehind(join(base, home)).map((line) => line.trim());
    assert.equal(found('mine'), [`${child.pid} ${SLOW}`]);
    if (process.platform === 'linux') assert.equal(found('other'), []);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(base, { recursive: true });
  }
});

test.run();
