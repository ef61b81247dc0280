/**
 * `npm run faults [-- --all] [-- WORD…]`: every fault (whose name holds a WORD) with every client started by `sh`, and with some clients in
 * the other ways (`--all`: with all of them), the random ones several times. Without a WORD the result becomes docs/evidence/faults.md. Exit 1
 * when a fault is open.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { RUNNERS, type RunnerId } from '../../src/call/tool-call.js';
import type { Fault } from './fault.js';
import { GROUPS } from './groups.js';
import { faultsPage, type Row } from './page.js';
import { complaint, tryFault, WAYS, type Way } from './try-fault.js';

const TIMES = 3;
/** Each way but the first is tried with so many clients, others for every fault. */
const CLIENTS_A_WAY = 2;

interface Cell {
  readonly runner: RunnerId;
  readonly way: Way;
}

const words = process.argv.slice(2);
const isAll = words.includes('--all');
const wanted = words.filter((one) => one !== '--all');

/** The cells of the n-th fault. */
function cellsOf(fault: Fault, turn: number): readonly Cell[] {
  const [first, ...others] = WAYS.filter(({ shell }) => fault.notInZsh !== true || !shell.endsWith('zsh'));
  if (first === undefined) throw new Error('there is no way to start a line here');
  const cell = (way: Way, at: number): Cell => ({ way, runner: RUNNERS[at % RUNNERS.length] ?? 'claude-code' });
  return [
    ...RUNNERS.map((_, at) => cell(first, at)),
    ...others.flatMap((way, at) => {
      const count = isAll ? RUNNERS.length : CLIENTS_A_WAY;
      return Array.from({ length: count }, (_, nth) => cell(way, (turn + at) * CLIENTS_A_WAY + nth));
    }),
  ];
}

/** Puts one call into its row. */
async function tryCell(row: Row, { runner, way }: Cell): Promise<void> {
  const where = `${runner} ${way.shell} ${way.platform}`;
  try {
    const met = await tryFault(row.fault, runner, way);
    row.met.push({ ...met, runner, way });
    const wrong = complaint(row.fault, met);
    if (wrong !== null) row.complaints.push(`${where}: ${wrong.slice(0, 700)}`);
  } catch (error) {
    row.complaints.push(`${where}: ${error instanceof Error ? error.stack : error}`);
  }
}

function print(row: Row, seconds: number): void {
  const open = row.met.filter(({ open: isOpen }) => isOpen).length;
  const summary = row.missing === null ? `${row.met.length} tried, ${open} open` : `skipped: ${row.missing}`;
  console.log(`${row.group}: ${row.fault.name}: ${summary} (${seconds.toFixed(1)} s)`);
  for (const line of row.complaints.slice(0, 5)) console.log(`    ${line}`);
  if (wanted.length > 0) for (const { outcome } of row.met.slice(0, 2)) console.log(`    ${JSON.stringify(outcome)}`);
}

async function tryRow(row: Row, turn: number): Promise<void> {
  const started = performance.now();
  const times = row.fault.random === true ? TIMES : 1;
  const waiting =
    row.missing === null
      ? cellsOf(row.fault, turn)
          .flatMap((cell) => Array<Cell>(times).fill(cell))
          .values()
      : [].values();
  // Faults that only wait need no processor.
  const atOnce = (row.fault.hangs === true ? 6 : 2) * availableParallelism();
  const work = async () => {
    for (const cell of waiting) await tryCell(row, cell);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  print(row, (performance.now() - started) / 1000);
}

function rowOf(group: string, fault: Fault): Row {
  return { group, fault, missing: fault.missing?.() ?? null, met: [], complaints: [] };
}

const rows = GROUPS.flatMap(({ title, faults }) =>
  faults
    .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
    .map((fault) => rowOf(title, fault)),
);
for (const [turn, row] of rows.entries()) await tryRow(row, turn);
const wrong = rows.reduce((count, { complaints }) => count + complaints.length, 0);
const page = faultsPage(rows);
if (wanted.length === 0) writeFileSync('docs/evidence/faults.md', page);
else console.log(page);
console.log(`${rows.length} faults, ${rows.reduce((count, { met }) => count + met.length, 0)} calls, ${wrong} complaints`);
process.exitCode = wrong === 0 ? 0 : 1;
