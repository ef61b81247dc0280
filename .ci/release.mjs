// `node .ci/release.mjs FOLDER`: writes the tree of a release. Pre-commit, the actions and `npm install` from a git address take it as it
// stands, in seconds: dist/ is in it, and there is nothing to compile. CONTRIBUTING.md says how it gets its tag.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install, runNode } from './install.mjs';

/** Files of the repository that other programs read from a tag, and that are not in the package. */
const BESIDES = ['.pre-commit-hooks.yaml', 'action.yml', 'audit/action.yml'];

function run(program, ...words) {
  const { status, stdout, error } = spawnSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${words[0]} failed${error ? `: ${error.message}` : ''}`);
  return stdout.trim();
}

const folder = process.argv[2] && resolve(process.argv[2]);
if (!folder || existsSync(folder)) {
  console.error('Name a folder that does not exist yet: node .ci/release.mjs FOLDER');
  process.exit(3);
}
install();
runNode('.ci/build.mjs', '--dist');
mkdirSync(folder, { recursive: true });
const archive = run('npm', 'pack', '--ignore-scripts', '--silent');
run('tar', '-xzf', archive, '--strip-components=1', '-C', folder);
rmSync(archive);
for (const file of BESIDES) cpSync(file, join(folder, file));
const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
