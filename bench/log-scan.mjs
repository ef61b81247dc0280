// How fast the numbers of a decision log are counted: decisions and results of ordinary commands, as the hook writes them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CALLS = 100_000;
/** Calls of a session. */
const SESSION = 50;
const GATE = 1_000_000;

/** A row of the table of `npm run bench`: lines a second of one core. */
export async function logScan() {
  const { statsOfLog } = await import('../build/src/log/stats.js');
  const state = join(mkdtempSync(join(tmpdir(), 'policy-bench-log-')), 'state');
  try {
    mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
    writeFileSync(join(state, 'log', 'decisions-2026-01-31.jsonl'), await lines(), { mode: 0o600 });
    const before = process.cpuUsage();
    const { records } = statsOfLog(state, {}, () => {});
    const { user, system } = process.cpuUsage(before);
    const speed = (records / (user + system)) * 1e6;
    const verdict = speed >= GATE ? 'gate met' : 'MISSED';
    return ['count the log', `${Math.round(speed)} lines/s`, `${records} lines`, `gate ${GATE} lines/s of one core: ${verdict}`];
  } finally {
    rmSync(join(state, '..'), { recursive: true, force: true });
  }
}

async function lines() {
  const { resultRecordOf } = await import('../build/src/log/record/record.js');
  const { jsonLine } = await import('../build/src/log/record/json-line.js');
  const { context, NOON, sample } = await import('../build/test/log/sample.js');
  const commands = readFileSync('test/log/ordinary-commands.txt', 'utf8').split('\n');
  const outcome = { result: 'success', canonical: 'Bash', message: null, microseconds: 52_000 };
  const models = commands.map((command) => {
    const changes = { call: { ...context.call, input: { command, description: 'Run a command' } } };
    return [sample(changes), resultRecordOf(outcome, { ...context, ...changes })];
  });
  const texts = [];
  for (let call = 0; call < CALLS; call += 1) {
    const digits = call.toString(16).padStart(12, '0');
    for (const [index, record] of models[call % models.length].entries()) {
      const [time, session] = [
        new Date(NOON + 10 * call + index).toISOString(),
        `0b5e2c1a-0000-4000-8000-${Math.floor(call / SESSION)}`,
      ];
      const id = `${record.id.slice(0, -12)}${digits}`;
      texts.push(jsonLine({ ...record, id, time, session, toolUseId: `toolu_01${digits}`, us: 500 + (call % 900) }), '\n');
    }
  }
  return texts.join('');
}
