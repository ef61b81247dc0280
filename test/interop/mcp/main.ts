/**
 * `npm run interop-mcp [-- WORD …]`: the gateway against the protocol's own suite (`suite`), real clients and servers (`clients`), and
 * mutated sessions in memory (`sessions`); without a word all of them. Exit 1 on a difference.
 */
import { clients } from './clients.js';
import { conformance } from './conformance.js';
import { sessions } from './sessions.js';
import { close, install } from './stage.js';

const PARTS = { suite: conformance, clients, sessions };
const words = process.argv.slice(2);
let [rows, bad] = [0, 0];
try {
  if (words.some((word) => word !== 'sessions') || words.length === 0) await install();
  for (const [name, part] of Object.entries(PARTS))
    for await (const row of words.length === 0 || words.includes(name) ? part() : []) {
      rows += 1;
      if (row.wrong.length > 0) bad += 1;
      console.log(`${row.wrong.length === 0 ? 'ok ' : 'BAD'} ${row.name}: ${row.seen}`);
      for (const line of row.wrong) console.log(`      ${line}`);
    }
} finally {
  await close();
}
console.log(`${rows} rows, ${bad} with a difference`);
process.exitCode = rows > 0 && bad === 0 ? 0 : 1;
