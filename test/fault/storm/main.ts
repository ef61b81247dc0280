/**
 * `npm run storm [-- WORKERS RUNS KILLS]`: so many workers at once, each starting so many hook processes one after another; then
 * so many that are killed at a random moment. Every record has to be in the log, whole; no denied call may pass; nothing may be
 * left that stops the next call. Exit 1 otherwise.
 */
import { pause } from '../fault.js';
import { faultWorld } from '../world.js';
import { ask } from './call.js';
import { type Crowd, crowd, isWhole } from './crowd.js';
import { killHooks } from './kills.js';

const [workers = 64, runs = 50, kills = 500] = process.argv.slice(2).map(Number);

async function inOneWorld(): Promise<Crowd> {
  const world = faultWorld();
  try {
    // The first call makes the state directory and, since the files have been there for a moment, the snapshot.
    await pause(200);
    await ask(world, { id: 'first', isDenied: true });
    return await crowd(world, workers, runs);
  } finally {
    world.remove();
  }
}

let isGood = true;
if (workers * runs > 0) {
  const met = await inOneWorld();
  isGood &&= isWhole(met);
  console.log(JSON.stringify({ workers, runs, ...met, odd: met.odd.slice(0, 10) }, null, 2));
}
if (kills > 0) {
  const killed = await killHooks(kills);
  isGood &&= killed.every(({ open, torn, stuck }) => open + torn + stuck.length === 0);
  console.log(JSON.stringify(killed, null, 2));
}
process.exitCode = isGood ? 0 : 1;
