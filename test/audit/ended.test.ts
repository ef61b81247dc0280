// An audit that is ended before its work is done: nothing of it is left, neither folders nor the hooks that it started.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND, policy, scratch } from '../cli/spawned.js';
import { settingsWith } from './audited.js';

const MOST_WAITS = 400;

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let waits = 0; !holds(); waits += 1) {
    assert.ok(waits < MOST_WAITS, `${what} after ${MOST_WAITS * 50} ms`);
    await wait(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} removes the scratch folder and ends the hook that is being asked`, async () => {
    const root = realpathSync(scratch({ 'tmp/keep': '', 'home/keep': '' }));
    const started = join(root, 'pid');
    const cwd = scratch({ '.claude/settings.json': settingsWith(`echo $$ > ${started}; exec sleep 300`) });
    const child = spawn(process.execPath, [COMMAND, 'audit', '--checklist', 'risk-mitigation', '--run-hooks'], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') },
      stdio: 'ignore',
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_code, by) => resolve(by)));
    await until('the hook runs', () => existsSync(started) && readFileSync(started, 'utf8').endsWith('\n'));
    assert.is(readdirSync(join(root, 'tmp')).length, 2);
    child.kill(signal);
    assert.is(await ended, signal);
    assert.equal(readdirSync(join(root, 'tmp')), ['keep']);
    await until('the hook has ended', () => !isAlive(Number(readFileSync(started, 'utf8'))));
  });

test('what killed audits left is removed a day later, and nothing else', () => {
  const root = realpathSync(scratch({ 'tmp/keep': '', 'elsewhere/file': '', 'project/README.md': '' }));
  const tmp = join(root, 'tmp');
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  const left = ['policy-audit-aB3dE6', 'policy-fleet-zzzzzz'];
  const others = ['policy-audit-ab', 'policy-caches-aB3dE6', 'policy-audit-aB3dE6.bak', 'xpolicy-audit-aB3dE6'];
  for (const name of [...left, ...others, 'policy-audit-123456']) {
    mkdirSync(join(tmp, name, 'policy'), { recursive: true });
    writeFileSync(join(tmp, name, 'policy', 'x'), '');
    if (name !== 'policy-audit-123456') utimesSync(join(tmp, name), old, old);
  }
  writeFileSync(join(tmp, 'policy-audit-afile0'), '');
  utimesSync(join(tmp, 'policy-audit-afile0'), old, old);
  symlinkSync(join(root, 'elsewhere'), join(tmp, 'policy-audit-alink0'));
  utimesSync(join(root, 'elsewhere'), old, old);
  policy(['audit', '--no-probes', '--checklist', 'risk-mitigation'], { cwd: join(root, 'project'), env: { TMPDIR: tmp } });
  const expected = ['keep', ...others, 'policy-audit-123456', 'policy-audit-afile0', 'policy-audit-alink0'];
  assert.equal(readdirSync(tmp).sort(), expected.sort());
  assert.ok(existsSync(join(root, 'elsewhere', 'file')));
});

test.run();
