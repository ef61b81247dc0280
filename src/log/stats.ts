/** Statistics of a log, gathered in one pass and bounded memory. */
import type { Effect } from '../rule/pattern/permission-rule.js';
import type { RecordFilter } from './read/query.js';
import type { LogNote } from './read/read-record.js';
import type { EventRecord, ResultRecord } from './record/record.js';
import { type Cell, NameCounts, TimeSpan } from './scan/counts.js';
import { RecentCalls } from './scan/recent-calls.js';
import type { RecordCounter, RecordedCaller, RecordedRuling, RecordedTool, RecordNumbers } from './scan/record-counter.js';
import { scanLog } from './scan/scan.js';

/** Names with their numbers, most frequent first. */
export type Counts = readonly (readonly [name: string, count: number])[];

export interface LogStats {
  readonly records: number;
  /** Times of the oldest and the newest record, ISO 8601; null when there is none. */
  readonly first: string | null;
  readonly last: string | null;
  /** In observe mode, the decisions that would have been made. */
  readonly decisions: Readonly<Record<Effect, number>>;
  /** Number of decisions that were only observed. */
  readonly observed: number;
  readonly results: Readonly<Record<ResultRecord['result'], number>>;
  /** Number of results of calls that were never decided, and so were unchecked; only for runners that send an id for each call. */
  readonly ungated: number;
  readonly events: Counts;
  /** Decisions by tool, calling agent, deciding rule, and runner. */
  readonly tools: Counts;
  readonly agents: Counts;
  readonly rules: Counts;
  readonly runners: Counts;
  readonly sessions: number;
  /** Microseconds per decision: the median, and the 99th percentile (accurate to a tenth). */
  readonly microseconds: { readonly half: number; readonly most: number };
}

/** At most this many different sessions are counted. */
const MOST_SESSIONS = 100_000;
/** Each bucket of durations is a tenth larger than the one before. */
const GROWTH = Math.log(1.1);
/** Buckets of durations up to this one come from a table. */
const USUAL_TIME = 65_536;

/** Returns the statistics of all records of the log that the filter selects; calls `note` for lines without a record. Throws LogError. */
export function statsOfLog(stateDirectory: string, filter: RecordFilter, note: (note: LogNote) => void): LogStats {
  const tally = new Tally();
  scanLog(stateDirectory, filter, tally, note);
  return tally.result();
}

interface Session {
  readonly id: string | null;
  isCounted: boolean;
}

/** The agent and runner of a record. */
interface Caller {
  readonly agent: string;
  readonly runner: string;
  /** The counters of its decisions, once there was one. */
  cells: { readonly agent: Cell; readonly runner: Cell } | null;
}

interface Ruling {
  readonly result: ResultRecord['result'] | null;
  /** The decision, in observe mode the one that would have been made. */
  readonly effect: Effect;
  readonly observed: boolean;
  readonly rule: string | null;
  cell: Cell | null;
}

interface Tool {
  readonly name: string;
  cell: Cell | null;
}

class Tally implements RecordCounter<Session, Caller, Ruling, Tool> {
  #records = 0;
  readonly #span = new TimeSpan();
  #observed = 0;
  #ungated = 0;
  readonly #decisions: Record<Effect, number> = { allow: 0, ask: 0, deny: 0 };
  readonly #results: Record<ResultRecord['result'], number> = { success: 0, error: 0, denied: 0 };
  readonly #events = new NameCounts();
  readonly #tools = new NameCounts();
  readonly #agents = new NameCounts();
  readonly #rules = new NameCounts();
  readonly #runners = new NameCounts();
  readonly #sessions = new Set<string>();
  readonly #times: number[] = [];
  readonly #decided = new RecentCalls();

  sessionOf(id: string | null): Session {
    return { id, isCounted: false };
  }

  callerOf({ agent, runner }: RecordedCaller): Caller {
    return { agent: agent ?? 'main agent', runner: runner ?? 'unknown', cells: null };
  }

  rulingOf(record: RecordedRuling): Ruling {
    if (record.kind === 'result') return { result: record.result, effect: 'allow', observed: false, rule: null, cell: null };
    const { rule } = record;
    return {
      result: null,
      effect: record.would ?? record.decision,
      observed: record.mode === 'observe',
      rule: rule === null ? null : `${rule.text} (${rule.effect}, ${rule.layer})`,
      cell: null,
    };
  }

  toolOf({ tool, canonical }: RecordedTool): Tool {
    return { name: canonical === '' ? tool : canonical, cell: null };
  }

  add(session: Session, caller: Caller, ruling: Ruling, tool: Tool, numbers: RecordNumbers): void {
    this.#addRecord(session, numbers);
    if (ruling.result !== null) {
      this.#results[ruling.result] += 1;
      if (numbers.hasCall && !this.#decided.has(numbers.call)) this.#ungated += 1;
      return;
    }
    this.#decisions[ruling.effect] += 1;
    if (ruling.observed) this.#observed += 1;
    tool.cell ??= this.#tools.cell(tool.name);
    tool.cell.count += 1;
    caller.cells ??= { agent: this.#agents.cell(caller.agent), runner: this.#runners.cell(caller.runner) };
    caller.cells.agent.count += 1;
    caller.cells.runner.count += 1;
    if (ruling.rule !== null) {
      ruling.cell ??= this.#rules.cell(ruling.rule);
      ruling.cell.count += 1;
    }
    const bucket = bucketOf(numbers.us);
    this.#times[bucket] = (this.#times[bucket] ?? 0) + 1;
    if (numbers.hasCall) this.#decided.add(numbers.call);
  }

  addEvent({ event }: EventRecord, session: Session, _caller: Caller, numbers: RecordNumbers): void {
    this.#addRecord(session, numbers);
    this.#events.cell(event).count += 1;
  }

  #addRecord(session: Session, numbers: RecordNumbers): void {
    this.#records += 1;
    this.#span.add(numbers);
    if (session.isCounted) return;
    session.isCounted = true;
    if (session.id !== null && this.#sessions.size < MOST_SESSIONS) this.#sessions.add(session.id);
  }

  result(): LogStats {
    return {
      records: this.#records,
      first: this.#span.first,
      last: this.#span.last,
      decisions: this.#decisions,
      observed: this.#observed,
      results: this.#results,
      ungated: this.#ungated,
      events: this.#events.sorted(),
      tools: this.#tools.sorted(),
      agents: this.#agents.sorted(),
      rules: this.#rules.sorted(),
      runners: this.#runners.sorted(),
      sessions: this.#sessions.size,
      microseconds: { half: this.#timeOf(0.5), most: this.#timeOf(0.99) },
    };
  }

  /** Returns the duration that this fraction of the decisions did not exceed. */
  #timeOf(part: number): number {
    const total = this.#times.reduce((sum, times) => sum + times, 0);
    let seen = 0;
    for (const [bucket, times] of this.#times.entries()) {
      seen += times ?? 0;
      if (total > 0 && seen >= part * total) return Math.round(Math.exp(bucket * GROWTH));
    }
    return 0;
  }
}

const BUCKETS = new Uint8Array(USUAL_TIME);

function bucketOf(us: number): number {
  if (us <= 1) return 0;
  const known = us < USUAL_TIME ? (BUCKETS[us] ?? 0) : 0;
  if (known !== 0) return known;
  const bucket = Math.ceil(Math.log(us) / GROWTH);
  if (us < USUAL_TIME) BUCKETS[us] = bucket;
  return bucket;
}
