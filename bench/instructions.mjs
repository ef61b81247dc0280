// `npm run instructions [-- --write]`: fails when a call through the hook takes more instructions than instructions.json allows.
// Counts hold for one version of node on one kind of processor; on another, and where valgrind is missing, this says so and passes.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, version } from 'node:process';
import { hookInstructions } from './hook.mjs';

/** The others are counted, too, but a few more objects may bring a collection of garbage over the edge, which takes five million. */
const GATED = ['snapshot hit, git status', 'snapshot hit, five commands'];
const FILE = new URL('instructions.json', import.meta.url);
/** More than this multiple of a committed count fails; a change that is worth it commits new ones and says why. */
const MOST = 1.02;

const counts = await hookInstructions();
const kept = JSON.parse(readFileSync(FILE, 'utf8'));
if (counts === null) console.log('instructions: not counted, valgrind or cc is not installed');
else if (process.argv.includes('--write')) {
  writeFileSync(FILE, `${JSON.stringify({ node: version, arch, counts: Object.fromEntries(counts) }, null, 2)}\n`);
  console.log(`instructions: ${counts.size} counts written`);
} else if (kept.node !== version || kept.arch !== arch)
  console.log(`instructions: not compared, the counts are of node ${kept.node} on ${kept.arch}`);
else
  for (const [name, count] of counts) {
    const ratio = count / kept.counts[name];
    const isMet = ratio <= MOST || !GATED.includes(name);
    console.log(
      `instructions: ${name}: ${(count / 1e6).toFixed(2)} M, ${ratio.toFixed(3)}× of the committed count${isMet ? '' : `: MISSED, at most ${MOST}×`}`,
    );
    if (!isMet) process.exitCode = 1;
  }
