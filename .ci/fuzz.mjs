// `npm run fuzz -- --runs N --seed S`: builds, then sets damaged lines, bytes and payloads on the engine (docs/fuzz.md).
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './install.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
runNode('.ci/build.mjs');
const run = spawnSync(process.execPath, ['--enable-source-maps', 'build/test/fuzz/main.js', ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(run.status ?? 3);
