/**
 * `npm run run-storm [-- RUNS KILLS] [--page]`: so many processes of `policy run` at once, each refused or let in; then as many in the
 * queue; then as many in the queue of which some are killed with SIGKILL at a random moment. One agent may work at any moment, the queue
 * goes in its order, and no process, turn or record may be lost. Exit 1 otherwise. With --page the figures become
 * docs/evidence/run-storm.md.
 */
import { writeFileSync } from 'node:fs';
import { runStormPage } from './page.js';
import { isGood, type Kind, type Storm, stormOf } from './storm.js';

const words = process.argv.slice(2);
const [runs = 200, kills = 50] = words.filter((word) => word !== '--page').map(Number);
const KINDS: readonly Kind[] = [
  { name: 'refused at once', queue: false, kills: 0 },
  { name: 'in the queue', queue: true, kills: 0 },
  { name: 'in the queue, some killed', queue: true, kills },
];

const storms: Storm[] = [];
for (const kind of KINDS) {
  const storm = await stormOf(runs, kind);
  console.log(JSON.stringify(storm, null, 2));
  storms.push(storm);
}
if (words.includes('--page')) writeFileSync('docs/evidence/run-storm.md', runStormPage(runs, kills, storms));
process.exitCode = storms.every(isGood) ? 0 : 1;
