/** `npm run oracle -- --runs N --seed S [--shell bash|dash|zsh] [--told SHELL] [--jobs P] [--from I] [--record FILE] [--note FILE] [--surprises] [--skip]`: the engine against real bash. */
import { createWriteStream, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SHELLS } from '../../src/call/tool-call.js';
import { requirePlace, writeNumbers } from '../fuzz/note.js';
import { ORDINARY } from './lines/corpus.js';
import { showRates } from './rates.js';
import { type Finding, type RunResult, runOracle } from './run.js';
import { prepareSandbox, REAL_SHELLS } from './sandbox.js';

/** One per process, so that runs do not disturb each other. */
const ROOT = `build/oracle-root.${process.pid}`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    processes: { type: 'string', default: '2' },
    jobs: { type: 'string' },
    shell: { type: 'string', default: 'bash' },
    told: { type: 'string' },
    record: { type: 'string' },
    surprises: { type: 'boolean', default: false },
    note: { type: 'string' },
    skip: { type: 'boolean', default: false },
  },
});

/** A whole number from the command line; ends the program with a sentence when it is none. */
function whole(name: 'runs' | 'seed' | 'from' | 'processes' | 'jobs'): number {
  const text = values[name] ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  process.exit(3);
}

/** One of the names; ends the program with a sentence when it is none of them. */
function named<Name extends string>(flag: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  console.error(`--${flag} is one of ${names.join(', ')}`);
  process.exit(3);
}

function showFinding({ origin, line, shrunk, unseen }: Finding): void {
  console.log(`UNSEEN (${origin})`);
  console.log(`  line    ${JSON.stringify(line)}`);
  console.log(`  shrunk  ${JSON.stringify(shrunk)}`);
  for (const { kind, text } of unseen) console.log(`  ${kind.padEnd(12)}${text}`);
}

const [runs, seed, from] = [whole('runs'), whole('seed'), whole('from')];
const processes = Math.max(1, whole(values.jobs === undefined ? 'processes' : 'jobs'));
process.on('exit', () => rmSync(ROOT, { recursive: true, force: true }));
/** The first signal ends the run behind the lines that are in work, the second at once. */
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopped) process.exit(3);
    stopped = true;
  });
if (values.note !== undefined) requirePlace(values.note, 'numbers');
const shell = named('shell', REAL_SHELLS, values.shell);
/** What the engine is told that reads the line: the shell that does, or a choice that it is one of. */
const told = named('told', SHELLS, values.told ?? (shell === 'dash' ? 'sh' : shell));
const reason = await prepareSandbox(ROOT, shell);
if (reason !== null) {
  console.log(values.skip ? `SKIPPED: ${reason}` : reason);
  process.exit(values.skip ? 0 : 3);
}
console.error(`seed ${seed}: ${runs} generated lines from index ${from}, with ${processes} sandboxes`);
const record = values.record === undefined ? null : createWriteStream(values.record);
const started = Date.now();

/** What a run says of itself, whole or so far; also what the note shows. */
function numbersOf({ done, lost, fixed, rates, findings }: RunResult): string {
  const seconds = (Date.now() - started) / 1000;
  const whole = done === runs ? `${runs}` : `${done} of ${runs}`;
  return [
    `${shell === 'bash' ? '' : `${shell}, judged as ${told}, `}seed ${seed}, ${whole} generated lines from index ${from} and ${fixed.lines} fixed lines, ${new Date().toISOString().slice(0, 10)}`,
    `${seconds.toFixed(0)} s with ${processes} sandboxes, ${((1000 * seconds) / Math.max(1, done + fixed.lines)).toFixed(2)} ms a line`,
    showRates(rates),
    `fixed lines               ${fixed.allowed.length} of ${fixed.lines} allowed`,
    ...(lost.length === 0 ? [] : [`not run, the sandbox ended ${lost.length} lines: ${lost.slice(0, 5).join(', ')}`]),
    `unseen                    ${findings.length} lines`,
  ].join('\n');
}

function note(numbers: string): void {
  if (values.note !== undefined) writeNumbers(values.note, 'numbers', numbers);
}

const result = await runOracle({
  ...{ root: ROOT, shell, told, runs, seed, from, processes, lists: (name) => !values.surprises || !ORDINARY.has(name) },
  onFinding: showFinding,
  onProgress: (soFar) => {
    const { done, rates, findings } = soFar;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.error(`${done} of ${runs} lines, ${rates.all.allowed} allowed, ${findings.length} unseen, ${seconds} s`);
    note(numbersOf(soFar));
  },
  isStopped: () => stopped,
  ...(record === null ? {} : { onTrace: (line, trace) => record.write(`${JSON.stringify({ line, trace })}\n`) }),
});
record?.end();
const numbers = numbersOf(result);
console.log(numbers);
note(numbers);
process.exitCode = result.findings.length > 0 ? 1 : stopped ? 3 : 0;
