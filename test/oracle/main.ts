/** `npm run oracle -- --runs N --seed S [--processes P] [--from I] [--record FILE] [--note FILE] [--surprises] [--skip]`: the engine against real bash. */
import { createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ORDINARY } from './corpus.js';
import { showRates } from './rates.js';
import { type Finding, runOracle } from './run.js';
import { buildRoot, whyNoSandbox } from './sandbox.js';

/** One per process, so that runs do not disturb each other. */
const ROOT = `build/oracle-root.${process.pid}`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    processes: { type: 'string', default: '2' },
    record: { type: 'string' },
    surprises: { type: 'boolean', default: false },
    note: { type: 'string' },
    skip: { type: 'boolean', default: false },
  },
});

/** A whole number from the command line; ends the program with a sentence when it is none. */
function whole(name: 'runs' | 'seed' | 'from' | 'processes'): number {
  const text = values[name];
  if (/^\d{1,10}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  process.exit(3);
}

function showFinding({ origin, line, shrunk, unseen }: Finding): void {
  console.log(`UNSEEN (${origin})`);
  console.log(`  line    ${JSON.stringify(line)}`);
  console.log(`  shrunk  ${JSON.stringify(shrunk)}`);
  for (const { kind, text } of unseen) console.log(`  ${kind.padEnd(12)}${text}`);
}

const reason = whyNoSandbox();
if (reason !== null) {
  console.log(values.skip ? `SKIPPED: ${reason}` : reason);
  process.exit(values.skip ? 0 : 3);
}

const [runs, seed, from, processes] = [whole('runs'), whole('seed'), whole('from'), Math.max(1, whole('processes'))];
process.on('exit', () => rmSync(ROOT, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(3));
buildRoot(ROOT);
const record = values.record === undefined ? null : createWriteStream(values.record);
const started = Date.now();
const { fixed, rates, findings } = await runOracle({
  ...{ root: ROOT, runs, seed, from, processes, lists: (name) => !values.surprises || !ORDINARY.has(name) },
  onFinding: showFinding,
  onProgress: (done) => console.error(`${done} lines, ${Math.round((Date.now() - started) / 1000)} s`),
  ...(record === null ? {} : { onTrace: (line, trace) => record.write(`${JSON.stringify({ line, trace })}\n`) }),
});
record?.end();

const seconds = (Date.now() - started) / 1000;
const numbers = [
  `seed ${seed}, ${runs} generated lines from index ${from} and ${fixed.lines} fixed lines, ${new Date().toISOString().slice(0, 10)}`,
  `${seconds.toFixed(0)} s with ${processes} sandboxes, ${((1000 * seconds) / (runs + fixed.lines)).toFixed(2)} ms a line`,
  showRates(rates),
  `fixed lines               ${fixed.allowed.length} of ${fixed.lines} allowed`,
  `unseen                    ${findings.length} lines`,
].join('\n');
console.log(numbers);
if (values.note !== undefined) writeNote(values.note, numbers);
process.exitCode = findings.length === 0 ? 0 : 1;

/** Puts the numbers between the two marks of a note, so that they always come from a run. */
function writeNote(file: string, text: string): void {
  const note = readFileSync(file, 'utf8');
  const [start, end] = ['<!-- numbers -->\n', '<!-- end of numbers -->'].map((mark) => note.indexOf(mark));
  if (start === undefined || end === undefined || start === -1 || end < start)
    throw new Error(`${file} has no place for the numbers`);
  const open = '<!-- numbers -->\n'.length;
  writeFileSync(file, `${note.slice(0, start + open)}\n\`\`\`text\n${text}\n\`\`\`\n\n${note.slice(end)}`);
}
