// `policy install` many at a time, and ended in the middle.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyProblemOf } from '../../../src/program/program-copy.js';
import { COMMAND, insideAgent, policy } from '../spawned.js';
import { place } from './place.js';

const test = suite('many installs');
const check = insideAgent ? test.skip : test;

/** Every file of the user that counts, and what a killed process may have left besides. */
function leftovers(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('.tmp') || name.startsWith('.new-')) : [];
}

check('12 installs at one time leave one hook, one whole copy and no leftovers', async () => {
  const { cwd, home, settings, write } = place();
  write(settings, '{\n  "hooks": { "PreToolUse": [] },\n  "model": "m"\n}\n');
  const ends = await Promise.all(
    Array.from(
      { length: 12 },
      () =>
        new Promise<number | null>((resolve) => {
          const child = spawn(process.execPath, [COMMAND, 'install', 'claude-code', '--yes'], {
            cwd,
            env: { HOME: home, PATH: process.env.PATH ?? '' },
            stdio: 'ignore',
          });
          child.on('close', resolve);
        }),
    ),
  );
  assert.equal(new Set(ends), new Set([0]));
  const { hooks, model } = JSON.parse(readFileSync(settings, 'utf8'));
  assert.is(model, 'm');
  assert.is(hooks.PreToolUse.length, 1);
  const versions = join(home, '.local/share/policy/versions');
  assert.is(readdirSync(versions).length, 1);
  const [program = ''] = /\S+hook\.cjs/.exec(hooks.PreToolUse[0].hooks[0].command) ?? [];
  assert.is(copyProblemOf(program), null);
  assert.is(readdirSync(join(home, '.claude')).length, 2, 'the settings and one copy of what they were');
  assert.equal([...leftovers(versions), ...leftovers(join(home, '.claude'))], []);
  assert.is(policy(['uninstall', 'claude-code', '--yes'], { cwd, env: { HOME: home } }).status, 0);
  assert.is(readFileSync(settings, 'utf8'), '{\n  "hooks": { "PreToolUse": [] },\n  "model": "m"\n}\n');
});

check('killed at any moment it leaves the old settings or the new ones, and the next install puts all in order', async () => {
  const BEFORE = '{\n  "model": "m"\n}\n';
  const { cwd, home, settings, write, run } = place();
  write(settings, BEFORE);
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  const AFTER = readFileSync(settings, 'utf8');
  for (let round = 0; round < 12; round++) {
    rmSync(join(home, '.local'), { recursive: true, force: true });
    rmSync(join(home, '.claude'), { recursive: true });
    write(settings, BEFORE);
    await killedAfter(40 + round * 20, cwd, home);
    const text = readFileSync(settings, 'utf8');
    assert.ok(text === BEFORE || text === AFTER, text);
    if (text === AFTER) assert.is(run('install', 'claude-code', '--yes').status, 0);
  }
  const { status, stderr } = run('install', 'claude-code', '--yes');
  assert.is(status, 0, stderr);
  assert.is(readFileSync(settings, 'utf8'), AFTER);
  assert.equal(leftovers(join(home, '.local/share/policy/versions')), []);
  assert.is(run('uninstall', 'claude-code', '--yes').status, 0);
  assert.is(readFileSync(settings, 'utf8'), BEFORE);
});

check('drafts that a killed install left go with the next one; those of others, of now and of who still runs stay', () => {
  const { run, settings, write, home } = place();
  const BEFORE = '{\n  "model": "m"\n}\n';
  write(settings, BEFORE);
  run('install', 'claude-code', '--yes');
  const AFTER = readFileSync(settings, 'utf8');
  const old = new Date(Date.now() - 3_600_000);
  const draft = (name: string, text: string, when = old) => {
    write(join(home, '.claude', name), text);
    utimesSync(join(home, '.claude', name), when, when);
    return name;
  };
  const stay = [
    draft('.settings.json.999999998.12345678901.tmp', '{ "of": "somebody else" }'),
    draft(`.settings.json.${process.pid}.12345678901.tmp`, AFTER),
    draft('.settings.json.999999997.12345678901.tmp', AFTER, new Date()),
    draft('.other.json.999999999.12345678901.tmp', AFTER),
    draft('settings.json.999999999.tmp', AFTER),
  ];
  const kept = readdirSync(join(home, '.claude')).filter((name) => !name.includes('.tmp'));
  const plant = () => {
    draft('.settings.json.999999999.12345678901.tmp', AFTER);
    draft('.settings.json.999999999.12345678902.tmp', AFTER.slice(0, 40));
    draft('.settings.json.999999999.12345678903.tmp', '');
    symlinkSync('settings.json', join(home, '.claude/.settings.json.999999999.12345678904.tmp'));
  };
  const links = ['.settings.json.999999999.12345678904.tmp'];
  plant();
  assert.match(run('install', 'claude-code', '--yes').stdout, /^Already installed/);
  assert.equal(readdirSync(join(home, '.claude')).sort(), [...kept, ...stay, ...links].sort());
  rmSync(join(home, '.claude', links[0] ?? ''));
  plant();
  draft('.settings.json.before-policy-20260101T000000Z.999999999.12345678901.tmp', BEFORE.slice(0, 4));
  assert.is(run('uninstall', 'claude-code', '--yes').status, 0);
  assert.equal(readdirSync(join(home, '.claude')).sort(), ['settings.json', ...stay, ...links].sort());
  assert.is(readFileSync(settings, 'utf8'), BEFORE);
});

/** An install that is ended so many milliseconds after its start; when that is, is left to chance on purpose. */
function killedAfter(milliseconds: number, cwd: string, home: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [COMMAND, 'install', 'claude-code', '--yes'], {
      cwd,
      env: { HOME: home, PATH: process.env.PATH ?? '' },
      stdio: 'ignore',
    });
    setTimeout(() => child.kill('SIGKILL'), milliseconds);
    child.on('close', () => resolve());
  });
}

test.run();
