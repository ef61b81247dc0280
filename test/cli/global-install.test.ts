// A clean checkout, installed globally as the README says: nothing is built beforehand.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scratch } from './spawned.js';

const test = suite('global install');
const MADE_HERE = new Set(['node_modules', 'build', 'dist', '.git', 'generated']);
const checkout = scratch({});
for (const name of readdirSync(resolve('.')))
  if (!MADE_HERE.has(name))
    cpSync(resolve(name), join(checkout, name), { recursive: true, filter: (from) => !/[\\/]src[\\/]generated$/.test(from) });

/** Runs `policy` straight from the checkout, with `input` on stdin. */
const fromCheckout = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [join(checkout, 'bin/policy.js'), ...args], { input, encoding: 'utf8' });

test('a command that was not built says so in one sentence', () => {
  const { status, stdout, stderr } = fromCheckout(['check', 'Bash', 'ls']);
  assert.is(status, 3);
  assert.is(stdout, '');
  assert.match(stderr, /^policy is not built: [^\n]+\n$/);
});

test('a hook that was not built denies: status 2, one line', () => {
  const { status, stdout, stderr } = fromCheckout(['hook', 'claude-code'], '{}');
  assert.is(status, 2);
  assert.is(stdout, '');
  assert.match(stderr, /^policy is not built: [^\n]+\n$/);
});

test('npm install -g . builds it and installs a program that works; npm pack prints one name', () => {
  const prefix = scratch({});
  const home = scratch({ '.npmrc': 'update-notifier=false\n' });
  const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', shell: process.platform === 'win32' });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    SystemRoot: process.env.SystemRoot ?? '',
    npm_config_cache: cache.stdout.trim(),
  };
  const options = { cwd: checkout, env, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const installed = spawnSync('npm', ['install', '-g', '--no-audit', '--no-fund', '--prefix', prefix, '.'], options);
  assert.is(installed.status, 0, installed.stderr);
  const program = [join(prefix, 'bin', 'policy'), join(prefix, 'policy.cmd')].find((path) => existsSync(path)) ?? 'missing';
  const answered = spawnSync(program, ['check', '--preset', 'safe', 'Bash', 'rm -rf /'], { ...options, cwd: home });
  assert.is(answered.status, 1, answered.stderr);
  assert.match(answered.stdout, /^deny/);

  // pre-commit takes all that `npm pack` prints for the name of the package.
  const packed = spawnSync('npm', ['pack'], options);
  assert.is(packed.status, 0, packed.stderr);
  assert.match(packed.stdout, /^agent-policy-[\d.]+\.tgz\n$/);
});

test.run();
