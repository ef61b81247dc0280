// `node .ci/side-by-side.mjs`: what CI runs behind the tests (.ci/run), two steps at a time; every step is run, and one that fails fails all.
// A line for each that is done; what one printed is shown when it failed, or where its last line is a result.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const MOST_AT_A_TIME = 2;
const MILLISECONDS_PER_DAY = 86_400_000;
const today = Math.floor(Date.now() / MILLISECONDS_PER_DAY);
/** Other lines every day, the same ones all day: what fails here fails wherever it is run again (as test/seed.mjs does for the tests). */
const seed = new Date().toISOString().slice(0, 10).replaceAll('-', '');

/** The words behind `npm run`. Those that take longest come first, so that none is left over at the end. */
const steps = [
  // A few of the mutants, others every day, and all of them in thirty days: all take half an hour.
  ['mutants', '--', `${today % 30}/30`],
  ['typecheck'],
  ['oracle', '--', ...['--runs', '2000', '--seed', seed, '--jobs', '1', '--skip']],
  ['fuzz', '--', ...['--runs', '3000', '--seed', seed]],
  ['package-check'],
  ...['zsh', 'dash'].map((shell) => [
    'oracle',
    ...['--', '--shell', shell, '--runs', '500', '--seed', seed, '--jobs', '1', '--skip'],
  ]),
  ['lint'],
  ['arch'],
  ['knip'],
  ['instructions'],
  // A second build takes half a minute: every fifth day.
  ...(today % 5 === 0 ? [['reproducible']] : []),
  // `npm test` takes a part of the longest lists of rows: all of them every fifth day.
  ...(today % 5 === 2 ? [['sweeps']] : []),
  ['start'],
];

const failed = [];
const waiting = [...steps];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), MOST_AT_A_TIME) }, runNext));
for (const { name, output } of failed) console.log(`\n${name} failed:\n${output}`);
console.log(
  `${steps.length - failed.length} steps done, ${failed.length} failed${failed.map(({ name }) => `, ${name}`).join('')}`,
);
process.exit(failed.length === 0 ? 0 : 1);

async function runNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const name = next.join(' ');
    const begin = performance.now();
    const { status, output } = await run(next);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const last = output.trimEnd().split('\n').at(-1) ?? '';
    console.log(status === 0 ? `${name}: ${seconds} s: ${last}` : `${name}: FAILED after ${seconds} s`);
    if (status !== 0) failed.push({ name, output });
  }
}

/** What a step printed, on both streams, and how it ended. */
function run(words) {
  const child = spawn('npm', ['run', '--silent', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => {
        output += part;
      });
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
    child.on('close', (status) => resolve({ status, output }));
  });
}
