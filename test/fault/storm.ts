/**
 * `npm run storm [-- WORKERS RUNS KILLS]`: so many workers at once, each starting so many hook processes one after another; then
 * so many that are killed at a random moment. Every record has to be in the log, whole; no denied call may pass; nothing may be
 * left that stops the next call. Exit 1 otherwise.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './client.js';
import { pause } from './fault.js';
import { descendants, runLine } from './run-line.js';
import { type FaultWorld, faultWorld, payloadOf } from './world.js';

/** Seconds: here the machine is busy by design, and a late answer would only hide a lost record. */
const DEADLINE = 25;

const [workers = 64, runs = 50, kills = 500] = process.argv.slice(2).map(Number);

/** One call of the hook; every second one is denied. */
function call(world: FaultWorld, id: string, isDenied: boolean, during?: (shell: number) => Promise<void>): Promise<Outcome> {
  const payload = { ...payloadOf('claude-code', world, isDenied ? undefined : 'ls'), tool_use_id: id };
  return runLine({
    ...{ shell: '/bin/sh', line: world.line('claude-code', 'linux', DEADLINE), cwd: world.project },
    feed: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(payload)) },
    environment: { PATH: '/usr/bin:/bin', HOME: world.home },
    ...(during && { during }),
  });
}

interface Log {
  readonly ids: readonly string[];
  /** Lines that are no record. */
  readonly torn: number;
}

function logOf(world: FaultWorld): Log {
  const folder = join(world.state, 'log');
  const ids: string[] = [];
  let torn = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const line of text.split('\n')) {
      if (line === '') continue;
      try {
        ids.push(String((JSON.parse(line) as { toolUseId?: unknown }).toolUseId));
      } catch {
        torn += 1;
      }
    }
    if (text !== '' && !text.endsWith('\n')) torn += 1;
  }
  return { ids, torn };
}

/** Everybody at once. */
async function crowd(world: FaultWorld): Promise<boolean> {
  const started = process.hrtime.bigint();
  let passed = 0;
  let unanswered = 0;
  const worker = async (name: number) => {
    for (let at = 0; at < runs; at += 1) {
      const isDenied = (name + at) % 2 === 0;
      const { status, stderr } = await call(world, `storm-${name}-${at}`, isDenied);
      if (isDenied && status !== 2) passed += 1;
      if (status !== (isDenied ? 2 : 0) || (isDenied && !stderr.includes('Bash(touch *)'))) unanswered += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, name) => worker(name)));
  const { ids: all, torn } = logOf(world);
  // The world's own first call is no part of it.
  const ids = all.filter((id) => id.startsWith('storm-'));
  const found = new Set(ids);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const lost = workers * runs - found.size;
  console.log(
    `${workers} x ${runs} hook processes in ${seconds.toFixed(0)} s: ${found.size} records, ${torn} torn, ${lost} lost, ` +
      `${ids.length - found.size} twice, ${passed} denied calls passed, ${unanswered} answered otherwise than alone`,
  );
  return lost === 0 && torn === 0 && passed === 0 && ids.length === found.size;
}

/** kill -9 of the hook at a random moment, a call after the other. */
async function killed(world: FaultWorld): Promise<boolean> {
  let passed = 0;
  let hit = 0;
  for (let at = 0; at < kills; at += 1) {
    const { status, stderr } = await call(world, `kill-${at}`, true, async (shell) => {
      await pause(Math.random() * 150);
      for (const id of descendants(shell, ['node'])) kill(id);
    });
    if (status !== 2) passed += 1;
    if (!stderr.includes('Bash(touch *)')) hit += 1;
  }
  const { torn } = logOf(world);
  const after = await call(world, 'after', true);
  const works = after.status === 2 && after.stderr.includes('Bash(touch *)');
  console.log(
    `kill -9 at a random moment, ${kills} runs, ${hit} of them ended before their answer: ${passed} denied calls passed, ${torn} unreadable lines, ` +
      `the next call ${works ? 'is answered' : `fails: ${after.stderr}`}`,
  );
  return passed === 0 && torn === 0 && works;
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended before.
  }
}

const world = faultWorld();
try {
  // The first call makes the state directory and, since the files have been there for a moment, the snapshot.
  await pause(200);
  await call(world, 'first', true);
  const results = [await crowd(world), await killed(world)];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  world.remove();
}
