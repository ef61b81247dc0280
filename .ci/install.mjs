// Installs the locked packages when they are not there yet (or belong to another lock file).
// npm runs `node .ci/install.mjs --prepare` before `npm pack`, for `npm install -g FOLDER` and for an install from a git address: that
// makes dist/, too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether every development package is there in the version that the lock file names. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages[''].devDependencies).every((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    return (
      existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === packages[`node_modules/${name}`].version
    );
  });
}

/** Runs `npm ci` once per content of the lock file; throws when it fails. */
export function install() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // The lock file says what each package has to be, so one that was fetched before is as good as a new one; a registry may be slow.
  const network = ['--prefer-offline', '--fetch-retries=5'];
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--ignore-scripts', ...network], {
    cwd: root,
    env: environmentOfProject(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) throw new Error('npm ci failed: see its output above');
  writeFileSync(stamp, lock);
}

/** The environment without the npm that started us: under `npm install -g .` its settings would install globally and without development packages. */
function environmentOfProject() {
  const kept = /^npm_config_(?:userconfig|globalconfig|cache|registry|offline|prefer_offline)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)));
}

/** Runs a node script of this repository, passing its output through; exits with its status when it fails. */
export function runNode(...args) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

if (process.argv[2] === '--prepare') {
  if (!isInstalled()) install();
  // This module needs what was just installed.
  const { sourceDigest } = await import('./files.mjs');
  const hook = 'dist/hook-main.cjs';
  const isBuilt = existsSync('dist/cli/policy.cjs') && existsSync(hook) && readFileSync(hook, 'utf8').includes(sourceDigest());
  if (!isBuilt) runNode('.ci/build.mjs', '--dist', '--only-dist');
}
