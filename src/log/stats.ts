/** Counts what a log says, in one pass and bounded memory. */
import type { Effect } from '../rule/permission-rule.js';
import type { DecisionRecord, LogRecord, ResultRecord } from './record/record.js';

/** Names with their numbers, most frequent first. */
export type Counts = readonly (readonly [name: string, count: number])[];

export interface LogStats {
  readonly records: number;
  /** Times of the oldest and the newest record, ISO 8601; null when there is none. */
  readonly first: string | null;
  readonly last: string | null;
  /** In observe mode what would have been decided. */
  readonly decisions: Readonly<Record<Effect, number>>;
  /** How many decisions only observed. */
  readonly observed: number;
  readonly results: Readonly<Record<ResultRecord['result'], number>>;
  /** Results of calls that were never decided: they went past the hook. Only those whose runner names calls. */
  readonly ungated: number;
  readonly events: Counts;
  /** Decisions by tool, calling agent, deciding rule, and runner. */
  readonly tools: Counts;
  readonly agents: Counts;
  readonly rules: Counts;
  readonly runners: Counts;
  readonly sessions: number;
  /** Microseconds that a decision took: half of them, and 99 of 100, at most so long (to a tenth). */
  readonly microseconds: { readonly half: number; readonly most: number };
}

/** So many different names are counted; all others together. */
const MOST_NAMES = 1_000;
const OTHERS = '(others)';
/** Decided calls whose result may still come. */
const MOST_OPEN = 100_000;
const MOST_SESSIONS = 100_000;
/** Buckets of times grow by a tenth. */
const GROWTH = Math.log(1.1);

/** The numbers of all records, oldest first. */
export function statsOf(records: Iterable<LogRecord>): LogStats {
  const tally = new Tally();
  for (const record of records) tally.add(record);
  return tally.result();
}

class Tally {
  #records = 0;
  #first: string | null = null;
  #last: string | null = null;
  #observed = 0;
  #ungated = 0;
  readonly #decisions: Record<Effect, number> = { allow: 0, ask: 0, deny: 0 };
  readonly #results: Record<ResultRecord['result'], number> = { success: 0, error: 0, denied: 0 };
  readonly #events = new Map<string, number>();
  readonly #tools = new Map<string, number>();
  readonly #agents = new Map<string, number>();
  readonly #rules = new Map<string, number>();
  readonly #runners = new Map<string, number>();
  readonly #sessions = new Set<string>();
  readonly #times = new Map<number, number>();
  readonly #decided = new Set<string>();

  add(record: LogRecord): void {
    this.#records += 1;
    if (this.#first === null || record.time < this.#first) this.#first = record.time;
    if (this.#last === null || record.time > this.#last) this.#last = record.time;
    if (record.session !== null && this.#sessions.size < MOST_SESSIONS) this.#sessions.add(record.session);
    if (record.kind === 'decision') this.#addDecision(record);
    else if (record.kind === 'result') this.#addResult(record);
    else count(this.#events, record.event);
  }

  #addDecision(record: DecisionRecord): void {
    this.#decisions[record.would ?? record.decision] += 1;
    if (record.mode === 'observe') this.#observed += 1;
    count(this.#tools, record.canonical === '' ? record.tool : record.canonical);
    count(this.#agents, record.agent ?? 'main agent');
    count(this.#runners, record.runner ?? 'unknown');
    if (record.rule !== null) count(this.#rules, `${record.rule.text} (${record.rule.effect}, ${record.rule.layer})`);
    const bucket = record.us <= 1 ? 0 : Math.ceil(Math.log(record.us) / GROWTH);
    this.#times.set(bucket, (this.#times.get(bucket) ?? 0) + 1);
    const call = callOf(record);
    if (call === null) return;
    this.#decided.add(call);
    if (this.#decided.size > MOST_OPEN) for (const oldest of this.#decided) if (this.#decided.delete(oldest)) break;
  }

  #addResult(record: ResultRecord): void {
    this.#results[record.result] += 1;
    const call = callOf(record);
    if (call !== null && !this.#decided.has(call)) this.#ungated += 1;
  }

  result(): LogStats {
    return {
      records: this.#records,
      first: this.#first,
      last: this.#last,
      decisions: this.#decisions,
      observed: this.#observed,
      results: this.#results,
      ungated: this.#ungated,
      events: sorted(this.#events),
      tools: sorted(this.#tools),
      agents: sorted(this.#agents),
      rules: sorted(this.#rules),
      runners: sorted(this.#runners),
      sessions: this.#sessions.size,
      microseconds: { half: this.#timeOf(0.5), most: this.#timeOf(0.99) },
    };
  }

  /** The time that so large a part of the decisions did not exceed. */
  #timeOf(part: number): number {
    const buckets = [...this.#times].sort(([left], [right]) => left - right);
    const total = buckets.reduce((sum, [, times]) => sum + times, 0);
    let seen = 0;
    for (const [bucket, times] of buckets) {
      seen += times;
      if (seen >= part * total) return Math.round(Math.exp(bucket * GROWTH));
    }
    return 0;
  }
}

function callOf({ session, toolUseId }: DecisionRecord | ResultRecord): string | null {
  return toolUseId === null ? null : `${session ?? ''}\n${toolUseId}`;
}

function count(counts: Map<string, number>, name: string): void {
  const counted = counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS;
  counts.set(counted, (counts.get(counted) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Counts {
  return [...counts].sort(([leftName, left], [rightName, right]) => right - left || (leftName < rightName ? -1 : 1));
}
