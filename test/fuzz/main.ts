/** `npm run fuzz -- --runs N --seed S [--from I] [--jobs J] [--note FILE]`: inputs of every kind, and the laws that hold of them all. */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { makeInput } from './inputs.js';
import { brokenLaw } from './laws.js';
import { requirePlace, writeNumbers } from './note.js';
import { readSeeds } from './seeds.js';

/** What a worker is given, and where it says how far it is. */
interface Share {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** The index that it works on; -1 at the end. */
  readonly at: Int32Array;
}

interface Finding {
  readonly index: number;
  readonly law: string;
  readonly text: string;
}

/** A worker that stays with one input for so long hangs. */
const HANGING = 60_000;
/** After so many findings the run stops looking. */
const MOST_FINDINGS = 20;

if (isMainThread) await main();
else work(workerData as Share);

/** In a worker: every input of its share. */
function work({ seed, from, to, at }: Share): void {
  const seeds = readSeeds();
  for (let index = from; index < to; index++) {
    Atomics.store(at, 0, index);
    const input = makeInput(seed, index, seeds);
    const law = brokenLaw(input);
    if (law !== null) parentPort?.postMessage({ index, law, text: input.text } satisfies Finding);
  }
  Atomics.store(at, 0, -1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '1' },
      note: { type: 'string' },
    },
  });
  const [runs, seed, from, jobs] = [values.runs, values.seed, values.from, values.jobs].map((text) => {
    if (/^\d{1,10}$/.test(text)) return Number(text);
    console.error(`--runs, --seed, --from and --jobs take whole numbers, not ${JSON.stringify(text)}`);
    return process.exit(3);
  }) as [number, number, number, number];
  if (values.note !== undefined) requirePlace(values.note, 'fuzz numbers');
  const started = Date.now();
  const findings: Finding[] = [];
  const shares = Array.from({ length: Math.max(1, jobs) }, (_, job) => ({
    from: from + Math.floor((runs * job) / jobs),
    to: from + Math.floor((runs * (job + 1)) / jobs),
  }));
  const onFinding = (finding: Finding) => {
    findings.push(finding);
    console.log(`BROKEN (seed ${seed} index ${finding.index}) ${finding.law}\n  ${JSON.stringify(finding.text)}`);
    if (findings.length >= MOST_FINDINGS) end();
  };
  const end = (): never => {
    const done = workers.reduce((sum, worker) => sum + worker.done(), 0);
    const numbers = [
      `seed ${seed}, ${done} of ${runs} inputs from index ${from}, ${new Date().toISOString().slice(0, 10)}`,
      `${((Date.now() - started) / 1000).toFixed(0)} s with ${jobs} at the same time`,
      `laws broken               ${findings.length} inputs`,
    ].join('\n');
    console.log(numbers);
    if (values.note !== undefined) writeNumbers(values.note, 'fuzz numbers', numbers);
    process.exit(findings.length > 0 ? 1 : done < runs ? 3 : 0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const workers = shares.map(({ from: first, to }) => runShare(seed, first, to, onFinding));
  await Promise.all(workers.map((worker) => worker.ended));
  end();
}

/** Starts a worker on a share, and again behind an input that it hangs at. */
function runShare(seed: number, from: number, to: number, onFinding: (finding: Finding) => void) {
  const at = new Int32Array(new SharedArrayBuffer(4));
  Atomics.store(at, 0, from);
  const ended = (async () => {
    let next = from;
    while (next < to) next = await runWorker({ seed, from: next, to, at }, onFinding);
  })();
  const done = () => (Atomics.load(at, 0) === -1 ? to : Atomics.load(at, 0)) - from;
  return { ended, done };
}

/** Gives the index to go on with: behind the last one, or behind the one that hangs or that ended the worker. */
function runWorker(share: Share, onFinding: (finding: Finding) => void): Promise<number> {
  return new Promise((settle) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    let last = -1;
    let shown = Date.now();
    const broken = (law: string) => {
      const index = Atomics.load(share.at, 0);
      onFinding({ index, law, text: makeInput(share.seed, index, readSeeds()).text });
      settle(index + 1);
    };
    const clock = setInterval(() => {
      const index = Atomics.load(share.at, 0);
      if (index === last && index !== -1) {
        void worker.terminate();
        broken(`it takes more than ${HANGING / 1000} s`);
      }
      last = index;
      if (Date.now() - shown > HANGING / 2) console.error(`${index - share.from} of ${share.to - share.from} inputs`);
      shown = Date.now();
    }, HANGING);
    worker.on('message', onFinding);
    worker.on('error', (error) => broken(`it ends the process: ${error.message}`));
    worker.on('exit', () => {
      clearInterval(clock);
      if (Atomics.load(share.at, 0) === -1) settle(share.to);
    });
  });
}
