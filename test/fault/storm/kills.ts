/** Hooks that are killed at a random moment, one after another, and what they leave behind. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../fault.js';
import { descendants } from '../run-line.js';
import { type FaultWorld, faultWorld, OWNER } from '../world.js';
import { answerOf, ask } from './call.js';
import { logOf } from './log.js';
import { type During, WORKS, type Work } from './works.js';

export interface Killed {
  readonly name: string;
  readonly kills: number;
  /** The hook was ended before it had answered. */
  readonly cut: number;
  /** Those among them that stand in the log. */
  readonly recorded: number;
  readonly open: number;
  readonly torn: number;
  /** What went on only in the next turn. */
  readonly late: number;
  /** What does not go on afterwards. */
  readonly stuck: readonly string[];
}

/** Kills so many hooks, spread over the kinds of work. */
export async function killHooks(kills: number): Promise<Killed[]> {
  const all: Killed[] = [];
  for (const work of WORKS) {
    const count = Math.round((kills * work.share) / 10);
    const parts: Killed[] = [];
    if (work.fresh === true) for (let at = 0; at < count; at += 1) parts.push(await inWorld(work, 1));
    else parts.push(await inWorld(work, count));
    all.push(together(work.name, parts));
  }
  return all;
}

function together(name: string, parts: readonly Killed[]): Killed {
  const sum = (of: (part: Killed) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    name,
    kills: sum(({ kills }) => kills),
    cut: sum(({ cut }) => cut),
    recorded: sum(({ recorded }) => recorded),
    open: sum(({ open }) => open),
    torn: sum(({ torn }) => torn),
    late: sum(({ late }) => late),
    stuck: parts.flatMap(({ stuck }) => stuck),
  };
}

/** So many kills in one world; what is left of it must work. */
async function inWorld(work: Work, kills: number): Promise<Killed> {
  const world = faultWorld();
  try {
    const span = await spanOf(world, work);
    const cuts: string[] = [];
    const stuck: string[] = [];
    let open = 0;
    let late = 0;
    for (let at = 0; at < kills; at += 1) {
      const id = `kill-${at}`;
      work.prepare?.(world);
      const outcome = await work.start(world, id, killer(span));
      const wasHeard = work.isHeard(outcome);
      if (!wasHeard) cuts.push(id);
      if (work.isOpen(outcome)) open += 1;
      const next = (await work.next?.(world, id, wasHeard)) ?? 'at once';
      if (next === 'next turn') late += 1;
      else if (next !== 'at once') stuck.push(`${id}: ${next.stuck}`);
    }
    stuck.push(...(await blocked(world)));
    const { calls, torn } = logOf(world);
    const recorded = cuts.filter((id) => calls.has(id)).length;
    return { name: work.name, kills, cut: cuts.length, recorded, open, torn, late, stuck };
  } finally {
    world.remove();
  }
}

/** Milliseconds that the work takes undisturbed. A fresh world is not touched for that: a first call takes about so long. */
async function spanOf(world: FaultWorld, work: Work): Promise<number> {
  if (work.fresh === true) return 250;
  // A snapshot is taken only of files that have been there for a moment.
  await pause(200);
  await ask(world, { id: 'warm', isDenied: true });
  const spans: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    work.prepare?.(world);
    const started = performance.now();
    const outcome = await work.start(world, `span-${at}`);
    spans.push(performance.now() - started);
    await work.next?.(world, `span-${at}`, work.isHeard(outcome));
  }
  return spans.sort((one, other) => one - other)[2] ?? 0;
}

/** Kills the hook, and every fifth time what watches over it, at a random moment of the work. */
function killer(span: number): During {
  return async (shell) => {
    await pause(Math.random() * span);
    for (const id of descendants(shell, [Math.random() < 0.8 ? 'node' : 'timeout'])) kill(id);
  };
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended before.
  }
}

/** What does not go on in a world whose hooks were killed: the next call, the seal of all, its proof. */
async function blocked(world: FaultWorld): Promise<string[]> {
  const found: string[] = [];
  const after = await ask(world, { id: 'after', isDenied: true });
  if (answerOf(after).kind !== 'rule') found.push(`the next call: exit ${after.status} ${after.stderr}`);
  if (!existsSync('dist/cli/policy.cjs')) return found;
  for (const words of [
    ['log', 'seal', '--yes'],
    ['log', 'verify'],
  ]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(process.cwd(), 'bin/policy.js'), ...words, '--state-dir', world.state],
      { cwd: world.home, env: { PATH: '/usr/bin:/bin', HOME: world.home }, encoding: 'utf8', ...OWNER },
    );
    if (status !== 0) found.push(`policy ${words.join(' ')}: exit ${status} ${stdout}${stderr}`);
  }
  return found;
}
