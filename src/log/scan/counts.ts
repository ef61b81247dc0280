/** Numbers that are summed over a log, in bounded memory. */
import type { RecordNumbers } from './record-counter.js';

/** The counter of one name. */
export interface Cell {
  count: number;
}

/** At most this many different names are counted separately; all others together. */
const MOST_NAMES = 1_000;
const OTHERS = '(others)';

export class NameCounts {
  readonly #cells = new Map<string, Cell>();

  /** Returns the counter of `name`, which never changes. */
  cell(name: string): Cell {
    const counted = this.#cells.has(name) || this.#cells.size < MOST_NAMES ? name : OTHERS;
    const known = this.#cells.get(counted);
    if (known !== undefined) return known;
    const cell = { count: 0 };
    this.#cells.set(counted, cell);
    return cell;
  }

  /** Returns names with their numbers, most frequent first. */
  sorted(): readonly (readonly [name: string, count: number])[] {
    return [...this.#cells]
      .map(([name, { count }]) => [name, count] as const)
      .sort(([leftName, left], [rightName, right]) => right - left || (leftName < rightName ? -1 : 1));
  }
}

/** The period from the oldest to the newest record. */
export class TimeSpan {
  #first = { day: Number.POSITIVE_INFINITY, clock: 0 };
  #last = { day: Number.NEGATIVE_INFINITY, clock: 0 };

  add({ day, clock }: Pick<RecordNumbers, 'day' | 'clock'>): void {
    const [first, last] = [this.#first, this.#last];
    if (day < first.day || (day === first.day && clock < first.clock)) this.#first = { day, clock };
    if (day < last.day || (day === last.day && clock <= last.clock)) return;
    last.day = day;
    last.clock = clock;
  }

  /** ISO 8601; null when there is no record. */
  get first(): string | null {
    return isoOf(this.#first);
  }

  get last(): string | null {
    return isoOf(this.#last);
  }
}

/** Returns milliseconds since 1970; NaN for an invalid day or time. */
export function momentOf(time: Pick<RecordNumbers, 'day' | 'clock'>): number {
  return Date.parse(isoOf(time) ?? '');
}

function isoOf({ day, clock }: Pick<RecordNumbers, 'day' | 'clock'>): string | null {
  if (!Number.isFinite(day)) return null;
  const [date, time] = [`${day}`.padStart(8, '0'), `${clock}`.padStart(9, '0')];
  const days = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return `${days}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}.${time.slice(6)}Z`;
}
