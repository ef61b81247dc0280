/** `npm run inclusion -- [--pairs N] [--patterns N] [--length N] [--seed S]`: lint's shadowed and redundant rules against brute force. */
import { parseArgs } from 'node:util';
import { compareWithBruteForce } from './compare.js';
import { ALPHABETS } from './patterns.js';
import { OF_CLAUDE, OF_POLICY } from './world.js';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '40000' },
    patterns: { type: 'string', default: '140' },
    length: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    untold: { type: 'boolean', default: false },
  },
});

/** A whole number from the command line; ends the program with a sentence when it is none. */
function whole(name: 'pairs' | 'patterns' | 'length' | 'seed'): number {
  if (/^\d{1,9}$/.test(values[name])) return Number(values[name]);
  console.error(`--${name} takes a whole number, not ${JSON.stringify(values[name])}`);
  process.exit(3);
}

const wanted = { pairs: whole('pairs'), patterns: whole('patterns'), length: whole('length'), seed: whole('seed') };
let failed = false;
for (const [name, system] of [
  ['policy', OF_POLICY],
  ['Claude Code', OF_CLAUDE],
] as const)
  for (const alphabet of ALPHABETS) {
    const started = performance.now();
    const { untold, wrong, ...counts } = compareWithBruteForce({ system, alphabet, ...wanted });
    console.log(`${name}, ${alphabet.name}: ${JSON.stringify(counts)} in ${Math.round((performance.now() - started) / 1000)} s`);
    for (const [why, names] of Object.entries(untold)) {
      console.log(`  not told, ${why}: ${names.length}`);
      if (values.untold) for (const one of names) console.log(`    ${one}`);
    }
    for (const one of wrong) console.log(`  WRONG: ${one}`);
    failed ||= wrong.length > 0;
  }
process.exitCode = failed ? 1 : 0;
