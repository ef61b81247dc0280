/**
 * `npm run storm [-- WORKERS RUNS KILLS] [--page]`: so many workers at once, each starting so many hook processes one after another;
 * then so many that are killed at a random moment. Every record has to be in the log, whole; no denied call may pass; nothing may be
 * left that stops what comes next. Exit 1 otherwise. With --page the figures become docs/evidence/storm.md.
 */
import { writeFileSync } from 'node:fs';
import { pause } from '../fault.js';
import { faultWorld } from '../world.js';
import { ask } from './call.js';
import { type Crowd, crowd, isWhole } from './crowd.js';
import { killHooks } from './kills.js';
import { stormPage } from './page.js';

const words = process.argv.slice(2);
const [workers = 64, runs = 50, kills = 500] = words.filter((word) => word !== '--page').map(Number);

/** Everybody at once in one world; `warm` is false when nothing at all has happened there before. */
async function inOneWorld(count: number, warm: boolean): Promise<Crowd> {
  const world = faultWorld();
  try {
    // The first call makes the state directory and, since the files have been there for a moment, the snapshot.
    if (warm) {
      await pause(200);
      await ask(world, { id: 'first', isDenied: true });
    }
    return await crowd(world, workers, count);
  } finally {
    world.remove();
  }
}

function print(found: object): void {
  console.log(JSON.stringify(found, null, 2));
}

const first = await inOneWorld(1, false);
print({ ...first, odd: first.odd.slice(0, 10) });
const all = await inOneWorld(runs, true);
print({ ...all, odd: all.odd.slice(0, 10) });
const killed = await killHooks(kills);
print(killed);
if (words.includes('--page')) writeFileSync('docs/evidence/storm.md', stormPage({ workers, runs, first, ...all }, killed));
const isGood = [first, all].every(isWhole) && killed.every(({ open, torn, stuck }) => open + torn + stuck.length === 0);
process.exitCode = isGood ? 0 : 1;
