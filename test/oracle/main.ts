/** `npm run oracle -- --runs N --seed S [--processes P] [--from I] [--record FILE] [--skip]`: the engine against real bash. */
import { createWriteStream, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
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
    skip: { type: 'boolean', default: false },
  },
});

/** A whole number from the command line; ends the program with a sentence when it is none. */
function whole(name: 'runs' | 'seed' | 'from' | 'processes'): number {
  const text = values[name];
  if (/^\d{1,9}$/.test(text)) return Number(text);
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
  ...{ root: ROOT, runs, seed, from, processes },
  onFinding: showFinding,
  onProgress: (done) => console.error(`${done} lines, ${Math.round((Date.now() - started) / 1000)} s`),
  ...(record === null ? {} : { onTrace: (line, trace) => record.write(`${JSON.stringify({ line, trace })}\n`) }),
});
record?.end();

const seconds = (Date.now() - started) / 1000;
console.log(
  `seed ${seed}, ${runs} generated lines from index ${from} and ${fixed.lines} fixed lines, ${new Date().toISOString().slice(0, 10)}`,
);
console.log(
  `${seconds.toFixed(0)} s with ${processes} sandboxes, ${((1000 * seconds) / (runs + fixed.lines)).toFixed(2)} ms a line`,
);
console.log(showRates(rates));
console.log(`fixed lines               ${fixed.allowed.length} of ${fixed.lines} allowed`);
console.log(findings.length === 0 ? 'unseen: 0' : `unseen: ${findings.length} lines`);
process.exitCode = findings.length === 0 ? 0 : 1;
