// `npm test [-- PATTERN …]`: installs, builds, runs every test file (or those whose path matches a PATTERN) and ends with one plain line.
import { spawn } from 'node:child_process';
import { install, runNode } from './install.mjs';

install();
const pattern = process.argv.slice(2).join('|');
runNode('.ci/build.mjs', ...(pattern ? [] : ['--dist']));

const filter = pattern ? `(?:${pattern}).*\\.test\\.js$` : '\\.test\\.js$';
const seed = new URL('../test/seed.mjs', import.meta.url).href;
const child = spawn(
  process.execPath,
  ['--enable-source-maps', '--import', seed, 'node_modules/uvu/bin.js', 'build/test', filter],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORCE_COLOR: '0' },
  },
);
let output = '';
child.stdout.on('data', (chunk) => {
  output += chunk;
  process.stdout.write(chunk);
});
child.on('close', (status) => {
  const total = Number(/^ {2}Total: +(\d+)/m.exec(output)?.[1] ?? Number.NaN);
  const passed = Number(/^ {2}Passed: +(\d+)/m.exec(output)?.[1] ?? Number.NaN);
  const skipped = Number(/^ {2}Skipped: +(\d+)/m.exec(output)?.[1] ?? 0);
  if (Number.isNaN(total) || Number.isNaN(passed)) {
    console.error('The test runner ended without its totals.');
    process.exit(1);
  }
  // A file that could not be loaded counts in no total; it still fails the run.
  const failed = Math.max(total - passed - skipped, status === 0 ? 0 : 1);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
});
