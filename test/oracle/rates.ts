/** What a run counts, and how the numbers are shown. */

import { isOwnBusiness } from './compare.js';
import { PRODUCTIONS, type Production } from './lines/vocabulary.js';
import { GIT_READERS, READERS } from './programs.js';
import type { Trace } from './trace.js';

interface Count {
  lines: number;
  allowed: number;
  /** Lines in which bash started only programs of the read list, wrote nothing and connected to nothing; and the allowed ones of them. */
  read: number;
  readAllowed: number;
}

const zero = (): Count => ({ lines: 0, allowed: 0, read: 0, readAllowed: 0 });

export interface Rates {
  readonly all: Count;
  readonly productions: Readonly<Record<string, Count>>;
  /** Why lines that only read were not allowed, most frequent reason first when shown. */
  readonly reasons: Map<string, number>;
  timeouts: number;
}

/** Counters at zero. */
export function noRates(): Rates {
  return {
    all: zero(),
    productions: Object.fromEntries(PRODUCTIONS.map((name) => [name, zero()])),
    reasons: new Map(),
    timeouts: 0,
  };
}

/** Counts one line. */
export function count(
  rates: Rates,
  line: { readonly productions: ReadonlySet<Production>; readonly allowed: boolean; readonly reasons: readonly string[] },
  trace: Trace,
): void {
  const ended = /^\d+$/.test(trace.end);
  if (!ended) rates.timeouts++;
  const read = ended && onlyReads(trace);
  const { allowed } = line;
  const add = (to: Count | undefined) => {
    if (to === undefined) return;
    to.lines++;
    if (allowed) to.allowed++;
    if (read) to.read++;
    if (read && allowed) to.readAllowed++;
  };
  add(rates.all);
  for (const production of line.productions) add(rates.productions[production]);
  if (read && !allowed)
    for (const reason of new Set(line.reasons)) rates.reasons.set(reason, (rates.reasons.get(reason) ?? 0) + 1);
}

/** Whether bash did something, and only read: by the fixed list of programs. */
function onlyReads(trace: Trace): boolean {
  const programs = trace.programs.slice(1);
  if (programs.length + trace.steps.length === 0) return false;
  if (!trace.changes.every(isOwnBusiness) || trace.connections.some((connection) => !connection.includes('nscd'))) return false;
  return programs.every(({ argv }) => {
    const name = argv[0] ?? '';
    return READERS.has(name) && (name !== 'git' || GIT_READERS.has(argv[1] ?? ''));
  });
}

/** The numbers as a text for people; also what docs/evidence/oracle.md shows. */
export function showRates(rates: Rates): string {
  const reasons = [...rates.reasons].sort((one, other) => other[1] - one[1]).slice(0, 12);
  return [
    row('', ['lines', 'allowed', 'only read', 'of these allowed', '']),
    countRow('all lines', rates.all),
    ...PRODUCTIONS.map((name) => countRow(`  ${name}`, rates.productions[name] ?? zero())),
    `stopped for time or size  ${rates.timeouts}`,
    'most frequent reasons not to allow a line that only reads:',
    ...reasons.map(([code, times]) => `  ${code.padEnd(32)}${times}`),
  ].join('\n');
}

function countRow(name: string, { lines, allowed, read, readAllowed }: Count): string {
  const share = read === 0 ? '' : `${((100 * readAllowed) / read).toFixed(1)} %`;
  return row(name, [lines, allowed, read, readAllowed, share]);
}

function row(name: string, cells: readonly (number | string)[]): string {
  return (name.padEnd(24) + cells.map((cell, index) => String(cell).padStart(index === 3 ? 17 : 10)).join('')).trimEnd();
}
