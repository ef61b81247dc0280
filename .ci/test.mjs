// `npm test [-- PATTERN …]`: installs, builds, runs every test file (or those whose path matches a PATTERN) and ends with one plain line.
// Folders of tests run side by side, as many as there are processors.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { install, runNode } from './install.mjs';

const BUILT = 'build/test';
const MAX_RUNS = 4;

install();
const pattern = process.argv.slice(2).join('|');
runNode('.ci/build.mjs', ...(pattern ? [] : ['--dist']));

const seed = new URL('../test/seed.mjs', import.meta.url).href;
const waiting = foldersOfTests(new RegExp(pattern, 'i'));
const results = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), MAX_RUNS) }, runNext));
report();

/** The folders that hold chosen test files, those with most files first, each with the names of its files. */
function foldersOfTests(chosen) {
  const folders = new Map();
  for (const entry of readdirSync(BUILT, { recursive: true, withFileTypes: true })) {
    const path = relative(BUILT, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isFile() || !path.endsWith('.test.js') || !chosen.test(path)) continue;
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), entry.name]);
  }
  return [...folders].sort(([, left], [, right]) => right.length - left.length);
}

async function runNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [folder, names] = next;
    const result = await runFolder(join(BUILT, folder), names);
    process.stdout.write(result.output);
    results.push({ ...result, folder });
  }
}

/** Runs these test files of a folder, but none of the folders in it. */
function runFolder(folder, names) {
  const only = `^(?:${names.map((name) => name.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')).join('|')})$`;
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--import', seed, 'node_modules/uvu/bin.js', '--no-color', folder, only],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, FORCE_COLOR: '0' } },
  );
  return new Promise((resolve) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (status) => resolve({ output, status }));
  });
}

function report() {
  const total = sum(/^ {2}Total: +(\d+)/m);
  const passed = sum(/^ {2}Passed: +(\d+)/m);
  const ended = results.filter(({ status }) => status !== 0);
  // The total leaves out what was skipped. A file that could not be loaded counts in no total; it still fails the run.
  const failed = Math.max(total - passed, ended.length);
  // Said once more at the end, where a log that is cut still shows it.
  for (const { output } of results) for (const [line] of output.matchAll(/^ *FAIL .*$/gm)) console.log(line.trim());
  for (const { folder, status } of ended) console.log(`The tests in ${folder} ended with status ${status}.`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

/** Adds up a number of the test runner's own totals; a run that ended without them has failed, whatever its status. */
function sum(number) {
  return results.reduce((added, result) => {
    const found = number.exec(result.output);
    if (found === null) result.status ||= 'no totals';
    return added + Number(found?.[1] ?? 0);
  }, 0);
}
