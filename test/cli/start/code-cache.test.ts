// The command line starts from a code cache only when that is whole and of its own build, and answers the same without one.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cacheIn, sealedCache } from '../../../src/cli/start/sealed-cache.js';
import { BUILD } from '../../../src/generated/build.js';
import { scratch } from '../spawned.js';

const CACHE = `dist/cli/policy-main.node${process.versions.node.split('.')[0]}.cache`;
const CACHES = ['policy-lint', 'policy-main', 'policy-run'].map((name) => CACHE.replace('policy-main', name));
const PROGRAM = 'dist/cli/policy-main.cjs';
const check = existsSync(CACHE) ? test : test.skip;

/** A package with all of the program, and an empty project beside it. */
function world() {
  const folder = scratch({});
  for (const name of ['bin', 'dist']) cpSync(name, join(folder, name), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const at = (name: string) => join(folder, name);
  const policy = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [at('bin/policy.js'), ...words], {
      cwd: project,
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  return { at, policy, project };
}

const QUESTION = ['check', '--preset', 'safe', '--json', 'Bash', 'git status && rm -rf /'] as const;

check('a cache that is cut off, damaged, of another build or not there changes no answer', () => {
  const { at, policy } = world();
  const whole = readFileSync(at(CACHE));
  const expected = policy(...QUESTION);
  assert.is(expected.status, 1, expected.stderr);
  const damaged = (place: number) => {
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ 0xff;
    return bytes;
  };
  const states: readonly (readonly [state: string, bytes: Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['three bytes', whole.subarray(0, 3)],
    ['cut in half', whole.subarray(0, whole.length >> 1)],
    ['without its last byte', whole.subarray(0, -1)],
    ['all zero', Buffer.alloc(whole.length)],
    ...[4, 0.1, 0.3, 0.5, 0.7, 0.9].map((part) => {
      const place = part < 1 ? Math.trunc(whole.length * part) : part;
      return [`byte ${place}`, damaged(place)] as const;
    }),
    // V8 takes every cache of a text of that length, and would run what is in it.
    ['of another build', Buffer.concat([whole.subarray(0, -4), Buffer.alloc(4, 7)])],
  ];
  for (const [state, bytes] of states) {
    writeFileSync(at(CACHE), bytes);
    assert.equal(policy(...QUESTION), expected, state);
  }
  rmSync(at(CACHE));
  assert.equal(policy(...QUESTION), expected, 'none');
});

test('the seal names the bytes and the build', () => {
  const cache = Buffer.from('some cache');
  const file = sealedCache(cache);
  assert.equal(Buffer.from(cacheIn(file) ?? []), cache);
  for (let at = 0; at < file.length; at += 1) {
    const bytes = Buffer.from(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    assert.is(cacheIn(bytes), undefined, `byte ${at}`);
    assert.is(cacheIn(file.subarray(0, at)), undefined, `${at} bytes`);
  }
});

check('the package ships caches for lint, for runs and for all other commands, and installed hooks have no copy of them', () => {
  const caches = readdirSync('dist/cli').filter((name) => name.endsWith('.cache'));
  assert.equal(
    caches.sort(),
    CACHES.map((file) => file.slice('dist/cli/'.length)),
  );
  const { at, policy, project } = world();
  const { status, stderr } = policy('install', 'claude-code', '--user', '--yes');
  assert.is(status, 0, stderr);
  const versions = at('.local/share/policy/versions');
  const [version = ''] = existsSync(versions) ? readdirSync(versions) : [];
  const copied = existsSync(join(versions, version, 'dist')) ? readdirSync(join(versions, version, 'dist')) : [];
  assert.ok(copied.includes('hook.cjs'), `${project} ${copied.join(' ')}`);
  assert.not.ok(copied.includes('cli'));
});

check('nothing of the folder that a command is run in, or of the environment, takes the place of the cache', () => {
  const { at, policy, project } = world();
  const expected = policy(...QUESTION);
  mkdirSync(join(project, 'dist/cli'), { recursive: true });
  for (const name of [CACHE, PROGRAM, 'dist/cli/policy.cjs', 'dist/rules.pack']) writeFileSync(join(project, name), 'evil');
  symlinkSync('evil', join(project, 'policy-main.cjs'));
  assert.equal(policy(...QUESTION), expected);
  assert.ok(existsSync(at(CACHE)));
});

check('a damaged program says so in one sentence', () => {
  for (const [file, text, expected] of [
    [PROGRAM, 'evil(', 'policy-main.cjs is no program'],
    [PROGRAM, readFileSync(PROGRAM, 'latin1').replaceAll(BUILD, '0'.repeat(BUILD.length)), 'belongs to another build'],
    ['dist/rules.pack', '', 'rules.pack is'],
  ] as const) {
    const { at, policy } = world();
    rmSync(at(CACHE));
    writeFileSync(at(file), text, 'latin1');
    const { status, stdout, stderr } = policy(...QUESTION);
    assert.is(status, 3, stderr);
    assert.is(stdout, '');
    assert.match(stderr, /^a part of policy cannot be used: .*; install the package again\n$/);
    assert.ok(stderr.includes(expected), stderr);
  }
});

test.run();
