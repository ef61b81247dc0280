/** A short run of the oracle, where bubblewrap and the rest are there; `npm run oracle` is the long one. */
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seed } from '../seed.js';
import { SURPRISES } from './lines/surprises.js';
import { runOracle } from './run.js';
import { prepareSandbox, Sandbox } from './sandbox.js';
import type { Trace } from './trace.js';

const ROOT = `build/oracle-root.test.${process.pid}`;
const reason = await prepareSandbox(ROOT);
if (reason !== null) console.log(`SKIPPED: ${reason}`);

const isSurprise = (name: string) => Object.hasOwn(SURPRISES, name);

const oracle = suite('oracle');
const check = reason === null ? oracle : oracle.skip;

oracle.after(() => rmSync(ROOT, { recursive: true, force: true }));

/** Runs a line until it has as much time as it takes: the sandbox counts a second, also where the machine did something else in it. */
async function runWhole(sandbox: Sandbox, line: string): Promise<Trace> {
  for (let tries = 1; ; tries += 1) {
    const trace = await sandbox.run(line);
    if (trace.end !== 'timeout' || tries === 30) return trace;
  }
}

check('the tracer sees programs, builtins, changes of files and connections', async () => {
  const sandbox = new Sandbox(ROOT);
  const trace = await runWhole(
    sandbox,
    'cd src; cat "a b" > x.ts; $(echo P) 1; rm x.ts; find b.ts -delete; : < /dev/tcp/127.0.0.1/80',
  );
  sandbox.close();
  assert.equal(trace.programs.map(({ cwd, argv }) => [cwd, ...argv].join(' ')).slice(1), [
    '/repo/src cat a b',
    '/repo/src P 1',
    '/repo/src rm x.ts',
    '/repo/src find b.ts -delete',
  ]);
  assert.equal(
    trace.changes.map(({ path }) => path).filter((path) => !path.startsWith('/dev/')),
    ['/repo/src/x.ts', '/repo/src/b.ts'],
  );
  assert.equal(trace.steps, ['cd src', "cat 'a b'", 'echo P', 'P 1', 'rm x.ts', 'find b.ts -delete', ':']);
  assert.ok(trace.connections.includes('2 80'));
});

check(
  'a line that never ends, and one that only makes processes, are stopped; the next finds the files as they were',
  async () => {
    const sandbox = new Sandbox(ROOT);
    const [endless, bomb, next] = await Promise.all([
      sandbox.run('sleep() { read < <(cat); }; while :; do :; done'),
      runWhole(sandbox, ':(){ :|:& };:'),
      runWhole(sandbox, 'echo a*.txt'),
    ]);
    sandbox.close();
    assert.is.not(endless.end, '0');
    assert.is(bomb.end, 'processes');
    assert.equal(next.steps, ['echo a.txt']);
  },
);

check('in 250 lines that the engine allows or not, and every surprise, nothing that bash does is unseen', async () => {
  const { findings, rates } = await runOracle({ root: ROOT, runs: 250, seed, from: 0, processes: 2, lists: isSurprise });
  assert.equal(findings, [], `seed ${seed}`);
  assert.ok(rates.all.allowed > 50, `seed ${seed}: only ${rates.all.allowed} lines were allowed`);
});

oracle.run();
