// `npm test [-- PATTERN …]`: installs, builds, runs every test file (or those whose path matches a PATTERN) and ends with one plain line.
// Shares of the test files run side by side, as many as there are processors; those that took longest when they were measured come first.
// `npm test -- --measure [PATTERN …]` (on Linux) runs each file alone and writes test/durations.json.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { install, runNode } from './install.mjs';

const BUILT = 'build/test';
const MAX_RUNS = 4;

install();
const words = process.argv.slice(2);
const isMeasured = words.includes('--measure');
const pattern = words.filter((word) => word !== '--measure').join('|');
runNode('.ci/build.mjs', ...(pattern && !isMeasured ? [] : ['--dist']));

const seed = new URL('../test/seed.mjs', import.meta.url).href;
/** Seconds of processor time by file, as they were measured; a file that is not listed takes few. */
const DURATIONS = new URL('../test/durations.json', import.meta.url);
const SECONDS = JSON.parse(readFileSync(DURATIONS, 'utf8'));
const FEW_SECONDS = 0.3;
/** One process takes about so many seconds of tests: its start takes one, for the modules of src/. */
const SHARE = 30;
/** Tests make much that they drop soon: with room for it less is copied. */
const MEMORY = ['--min-semi-space-size=16'];
/** Places in sources in place of those in build/; reading the maps takes a tenth of the time. */
const MAPPED = ['--enable-source-maps'];
/** What `--measure` adds to each process. */
const MEASURED = ['--import', new URL('../test/measured.mjs', import.meta.url).href];

const waiting = shares(testFiles(new RegExp(pattern, 'i')));
const results = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), MAX_RUNS) }, runNext));
if (isMeasured) keepDurations();
report();

/** The chosen test files below `BUILT`, in the order of their paths. */
function testFiles(chosen) {
  return readdirSync(BUILT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => relative(BUILT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => chosen.test(path))
    .sort();
}

function secondsOf(file) {
  return SECONDS[file] ?? FEW_SECONDS;
}

/** Files of one top folder that run in one process, those that take longest first: none is left over when all others are done. */
function shares(files) {
  const made = [];
  for (const file of files) {
    const last = made.at(-1);
    const seconds = secondsOf(file);
    if (!isMeasured && last?.top === topOf(file) && last.seconds + seconds <= SHARE) {
      last.files.push(file);
      last.seconds += seconds;
    } else made.push({ top: topOf(file), folder: dirname(file), files: [file], seconds });
  }
  return made.sort((left, right) => right.seconds - left.seconds);
}

function topOf(file) {
  return file.split('/', 1)[0];
}

async function runNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const begin = performance.now();
    const result = await runFiles(next.files, MEMORY);
    // Once more for the places of what failed; what passes now has failed all the same.
    const again = result.status === 0 ? result : await runFiles(next.files, [...MEMORY, ...MAPPED]);
    if (again.status !== 0) result.output = again.output;
    process.stdout.write(briefly(result.output));
    console.log(`${next.folder}: ${next.files.length} files in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    results.push({ ...result, folder: next.folder, files: next.files });
  }
}

/** A line for each file, with what failed in it. */
function briefly(output) {
  const lines = output.split('\n').flatMap((line) => {
    if (line.trim() === '' || /^ {2}(?:Total|Passed|Skipped|Duration):/.test(line)) return [];
    const counted = line.lastIndexOf('  (');
    return line.includes('• ') && counted > 0 ? [`  ${line.slice(counted + 3, -1)}`] : [line.replaceAll('• ', '')];
  });
  return `${lines.join('\n')}\n`;
}

/** Runs these test files, one after the other in one process, with options of node. */
function runFiles(files, options) {
  const only = `^(?:${files.map((file) => file.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')).join('|')})$`;
  const child = spawn(
    process.execPath,
    [
      ...[...options, '--import', seed, ...(isMeasured ? MEASURED : [])],
      ...['node_modules/uvu/bin.js', '--no-color', BUILT, only],
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], env: { ...process.env, FORCE_COLOR: '0' } },
  );
  return new Promise((resolve) => {
    let output = '';
    let seconds = '';
    child.stdio[3].setEncoding('utf8').on('data', (chunk) => {
      seconds += chunk;
    });
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (status) => resolve({ output, status, seconds: Number(seconds) }));
  });
}

/** Writes what was measured over what is known of these files; those that are gone are forgotten. */
function keepDurations() {
  const measured = results.map(({ files: [file], seconds }) => [file, Math.round(seconds * 10) / 10]);
  const known = Object.entries({ ...SECONDS, ...Object.fromEntries(measured) });
  const there = new Set(testFiles(/^/));
  const kept = known.filter(([file, seconds]) => there.has(file) && seconds > FEW_SECONDS).sort();
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
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
