/** What a run counts, and how the numbers are shown. */

import { isOwnBusiness } from './compare.js';
import { GIT_READERS, READERS } from './programs.js';
import type { Trace } from './trace.js';
import { PRODUCTIONS, type Production } from './vocabulary.js';

interface Count {
  lines: number;
  allowed: number;
}

export interface Rates {
  readonly all: Count;
  /** Lines in which bash started only programs of the read list, wrote nothing and connected to nothing. */
  readonly readers: Count;
  readonly productions: Readonly<Record<string, Count>>;
  /** Why lines of `readers` were not allowed, most frequent reason first when shown. */
  readonly reasons: Map<string, number>;
  timeouts: number;
}

/** Counters at zero. */
export function noRates(): Rates {
  return {
    all: { lines: 0, allowed: 0 },
    readers: { lines: 0, allowed: 0 },
    productions: Object.fromEntries(PRODUCTIONS.map((name) => [name, { lines: 0, allowed: 0 }])),
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
  const add = (to: Count | undefined) => {
    if (to === undefined) return;
    to.lines++;
    if (line.allowed) to.allowed++;
  };
  add(rates.all);
  for (const production of line.productions) add(rates.productions[production]);
  if (!/^\d+$/.test(trace.end)) rates.timeouts++;
  else if (onlyReads(trace)) {
    add(rates.readers);
    if (!line.allowed)
      for (const reason of new Set(line.reasons)) rates.reasons.set(reason, (rates.reasons.get(reason) ?? 0) + 1);
  }
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

/** The numbers as a text for people; also what docs/oracle.md shows. */
export function showRates(rates: Rates): string {
  const share = ({ lines, allowed }: Count) =>
    `${allowed} of ${lines} allowed (${lines === 0 ? '0.0' : ((100 * allowed) / lines).toFixed(1)} %)`;
  const reasons = [...rates.reasons].sort((one, other) => other[1] - one[1]).slice(0, 12);
  return [
    `lines                     ${share(rates.all)}`,
    `lines that only read      ${share(rates.readers)}`,
    ...PRODUCTIONS.map((name) => `  ${name.padEnd(24)}${share(rates.productions[name] ?? { lines: 0, allowed: 0 })}`),
    `stopped for time or size  ${rates.timeouts}`,
    'most frequent reasons not to allow a line that only reads:',
    ...reasons.map(([code, times]) => `  ${code.padEnd(32)}${times}`),
  ].join('\n');
}
