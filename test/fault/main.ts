/**
 * `npm run faults [-- WORD]`: every fault (whose name holds WORD) with every client and every way to start it, the random ones several
 * times. Without WORD the result becomes docs/faults.md. Exit 1 when a fault is open.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { RUNNERS, type RunnerId } from '../../src/call/tool-call.js';
import type { Fault } from './fault.js';
import { GROUPS } from './groups.js';
import { faultsPage, type Row } from './page.js';
import { complaint, type Met, tryFault, WAYS, type Way } from './try-fault.js';

const TIMES = 5;

interface Cell {
  readonly runner: RunnerId;
  readonly way: Way;
}

const [, , word] = process.argv;
const cells: readonly Cell[] = RUNNERS.flatMap((runner) => WAYS.map((way) => ({ runner, way })));

async function tryRow(group: string, fault: Fault): Promise<Row> {
  const missing = fault.missing?.() ?? null;
  const row = { group, fault, missing, met: [] as Met[], complaints: [] as string[] };
  if (missing !== null) return row;
  const waiting = cells.flatMap((cell) => Array.from({ length: fault.random === true ? TIMES : 1 }, () => cell)).values();
  const work = async () => {
    for (const { runner, way } of waiting) {
      const where = `${runner} ${way.shell} ${way.platform}`;
      const met = await tryFault(fault, runner, way).catch((error: unknown) => String(error));
      if (typeof met === 'string') {
        row.complaints.push(`${where}: ${met}`);
        continue;
      }
      row.met.push(met);
      const wrong = complaint(fault, met);
      if (wrong !== null) row.complaints.push(`${where}: ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work));
  return row;
}

const rows: Row[] = [];
for (const { title, faults } of GROUPS) {
  for (const fault of faults) {
    if (word !== undefined && !fault.name.includes(word)) continue;
    const row = await tryRow(title, fault);
    rows.push(row);
    const open = row.met.filter(({ open: isOpen }) => isOpen).length;
    const summary = row.missing === null ? `${row.met.length} tried, ${open} open` : `skipped: ${row.missing}`;
    console.log(`${title}: ${fault.name}: ${summary}`);
    for (const line of row.complaints) console.log(`    ${line}`);
    if (word !== undefined) for (const { outcome } of row.met.slice(0, 2)) console.log(`    ${JSON.stringify(outcome)}`);
  }
}
const wrong = rows.reduce((count, { complaints }) => count + complaints.length, 0);
if (word === undefined) writeFileSync('docs/faults.md', faultsPage(rows, cells.length));
console.log(`${rows.length} faults, ${rows.reduce((count, { met }) => count + met.length, 0)} calls, ${wrong} complaints`);
process.exitCode = wrong === 0 ? 0 : 1;
