// The package as a user gets it: packed, installed offline into an empty folder, and run from there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, scratch } from './spawned.js';

const test = suite('package');
const npmHome = scratch({ '.npmrc': 'update-notifier=false\n' });
const user = scratch({ ...CLEAN_REPOSITORY, 'package.json': '{ "name": "somebody", "private": true }\n' });
const tarballs = scratch({});

/** Runs npm or npx with a home of its own. */
function npm(program: string, args: readonly string[], cwd: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: npmHome, SystemRoot: process.env.SystemRoot ?? '' };
  return spawnSync(program, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });
}

const packed = npm('npm', ['pack', '--ignore-scripts', '--pack-destination', tarballs], resolve('.'));
const tarball = join(tarballs, readdirSync(tarballs)[0] ?? 'missing.tgz');
const installed = npm('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], user);

test('npm pack makes one file, and it installs without network and without other packages', () => {
  assert.is(packed.status, 0, packed.stderr);
  assert.is(installed.status, 0, installed.stderr);
  assert.equal(
    readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['agent-policy'],
  );
});

test('npx policy check answers there', () => {
  const { status, stdout, stderr } = npm('npx', ['--offline', 'policy', 'check', '--preset', 'safe', 'Bash', 'git status'], user);
  assert.match(stdout, /^(allow|ask)/, stderr);
  assert.ok(status === 0 || status === 2, stderr);
});

test('what is shipped is what package.json names: no sources, no tests, no machine of ours', () => {
  const folder = join(user, 'node_modules', 'agent-policy');
  for (const wanted of [
    'bin/policy.js',
    'dist/cli/policy.cjs',
    'dist/cli/policy-main.cjs',
    'dist/index.js',
    'dist/types/index.d.ts',
    'rules/builtin-denials.yaml',
    'schemas/policy.schema.json',
    'man/policy.1',
    'LICENSE',
    'README.md',
  ])
    assert.ok(existsSync(join(folder, wanted)), wanted);
  for (const unwanted of ['src', 'test', '.ci', 'node_modules']) assert.is(existsSync(join(folder, unwanted)), false, unwanted);
  assert.not.match(
    readFileSync(join(folder, 'dist/cli/policy-main.cjs'), 'utf8'),
    new RegExp(resolve('.').replaceAll(/[^\w/]/g, '.')),
  );
});

test('the library can be imported by its name', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "import * as library from 'agent-policy'; process.stdout.write(Object.keys(library).sort().join())",
    ],
    { cwd: user, encoding: 'utf8' },
  );
  assert.is(status, 0, stderr);
  assert.ok(stdout.split(',').includes('decide'), stdout);
});

test.run();
