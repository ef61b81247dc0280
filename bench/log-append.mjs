// What a line of the decision log costs: a record that is made already, appended as the hook does it (checks, open, write, close).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 4_000;
const GATE = 25;

/** A row of the table of `npm run bench`: the median append in microseconds. */
export async function logAppend() {
  const { appendRecord } = await import('../build/src/log/append.js');
  const { sample } = await import('../build/test/log/sample.js');
  const state = join(mkdtempSync(join(tmpdir(), 'policy-bench-log-')), 'state');
  try {
    const record = sample();
    const times = Array.from({ length: ROUNDS }, () => {
      const start = process.hrtime.bigint();
      appendRecord(state, record);
      return Number(process.hrtime.bigint() - start) / 1e3;
    }).sort((a, b) => a - b);
    const [half, most] = [0.5, 0.99].map((part) => times[Math.floor(part * ROUNDS)]);
    const verdict = half <= GATE ? 'gate met' : 'MISSED';
    return ['append to the log', `${half.toFixed(1)} µs`, `99 of 100: ${most.toFixed(1)} µs`, `gate ${GATE} µs: ${verdict}`];
  } finally {
    rmSync(join(state, '..'), { recursive: true, force: true });
  }
}
