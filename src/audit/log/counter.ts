/** Counts the records of one project in the decision log, in one pass and with bounded memory. */

import type { EventRecord, RecordedRule, ResultRecord } from '../../log/record/record.js';
import { type Cell, momentOf, NameCounts, TimeSpan } from '../../log/scan/counts.js';
import { RecentCalls } from '../../log/scan/recent-calls.js';
import type {
  RecordCounter,
  RecordedCaller,
  RecordedRuling,
  RecordedTool,
  RecordNumbers,
} from '../../log/scan/record-counter.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { UnjudgedCall } from '../model/types.js';

/** The maximum number of example calls that nobody judged. */
export const MOST_EXAMPLES = 10;
/** At most this many sessions, and this many different rules, are distinguished. */
const MOST_SESSIONS = 100_000;
const MOST_RULES = 10_000;

interface Session {
  readonly id: string | null;
  isCounted: boolean;
}

interface Named {
  readonly name: string;
  /** The counters of its answers; null before the first answer. */
  cells: Readonly<Record<Effect, Cell>> | null;
}

interface Ruling {
  readonly result: ResultRecord['result'] | null;
  readonly effect: Effect;
  readonly observed: boolean;
  readonly ofBudget: boolean;
  /** The rule's text and place as JSON; if no rule decided, the first reason. */
  readonly by: string;
  readonly rule: RecordedRule | null;
  cell: Cell | null;
}

/** Counts how often each name got each answer. */
class Answers {
  readonly #counts: Readonly<Record<Effect, NameCounts>> = {
    allow: new NameCounts(),
    ask: new NameCounts(),
    deny: new NameCounts(),
  };

  cells(name: string): Readonly<Record<Effect, Cell>> {
    const { allow, ask, deny } = this.#counts;
    return { allow: allow.cell(name), ask: ask.cell(name), deny: deny.cell(name) };
  }

  /** Returns the names, those with the most answers first. */
  sorted(): readonly (readonly [name: string, answers: Readonly<Record<Effect, number>>])[] {
    const [allow, ask, deny] = [this.#counts.allow, this.#counts.ask, this.#counts.deny].map((one) => new Map(one.sorted()));
    return [...(allow ?? [])]
      .map(([name, allowed]) => [name, { allow: allowed, ask: ask?.get(name) ?? 0, deny: deny?.get(name) ?? 0 }] as const)
      .sort(([leftName, left], [rightName, right]) => sum(right) - sum(left) || (leftName < rightName ? -1 : 1));
  }
}

function sum({ allow, ask, deny }: Readonly<Record<Effect, number>>): number {
  return allow + ask + deny;
}

export class ProjectCounter implements RecordCounter<Session, Named, Ruling, Named> {
  records = 0;
  observed = 0;
  overlaps = 0;
  /** Calls that the hook denied because it could not judge them, with its latest explanation. */
  failures = 0;
  lastFailure: { readonly time: string; readonly message: string } | null = null;
  /** Results that name their call, and the number of these without a decision. */
  named = 0;
  unjudged = 0;
  readonly span = new TimeSpan();
  readonly decisions: Record<Effect, number> = { allow: 0, ask: 0, deny: 0 };
  readonly budget: Record<Effect, number> = { allow: 0, ask: 0, deny: 0 };
  readonly results: Record<ResultRecord['result'], number> = { success: 0, error: 0, denied: 0 };
  readonly tools = new Answers();
  readonly agents = new Answers();
  readonly rules: Readonly<Record<Effect, NameCounts>> = {
    allow: new NameCounts(),
    ask: new NameCounts(),
    deny: new NameCounts(),
  };
  readonly examples: UnjudgedCall[] = [];
  /** Rules that decided a call, by their `ruleKey`. */
  readonly #used = new Set<string>();
  readonly #sessions = new Set<string>();
  readonly #decided = new RecentCalls();
  /** Calls from another source, by the runner's ids; a decision removes its call. */
  readonly #told: Map<string, unknown> | null;

  constructor(told: Map<string, unknown> | null) {
    this.#told = told;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** True if a record names this rule as the deciding one, or if there were too many rules to tell. */
  isUsed(rule: Parameters<typeof ruleKey>[0]): boolean {
    return this.#used.size >= MOST_RULES || this.#used.has(ruleKey(rule));
  }

  sessionOf(id: string | null): Session {
    return { id, isCounted: false };
  }

  callerOf({ agent, model }: RecordedCaller): Named {
    return { name: JSON.stringify([agent, model]), cells: null };
  }

  rulingOf(record: RecordedRuling): Ruling {
    if (record.kind === 'result')
      return { result: record.result, effect: 'allow', observed: false, ofBudget: false, by: '', rule: null, cell: null };
    const { rule, reasons } = record;
    const by =
      rule === null ? [reasons[0] ?? 'no reason', null] : [rule.text, rule.line === 0 ? null : `${rule.file}:${rule.line}`];
    return {
      result: null,
      effect: record.would ?? record.decision,
      observed: record.mode === 'observe',
      ofBudget: record.stage === 'budget',
      by: JSON.stringify(by),
      rule,
      cell: null,
    };
  }

  toolOf({ tool, canonical }: RecordedTool): Named {
    return { name: canonical === '' ? tool : canonical, cells: null };
  }

  add(session: Session, caller: Named, ruling: Ruling, tool: Named, numbers: RecordNumbers): void {
    this.#addRecord(session, numbers);
    if (ruling.result !== null) this.#addResult(ruling.result, tool, numbers);
    else this.#addDecision(caller, ruling, tool, numbers);
  }

  #addDecision(caller: Named, ruling: Ruling, tool: Named, numbers: RecordNumbers): void {
    const { effect } = ruling;
    this.decisions[effect] += 1;
    if (ruling.observed) this.observed += 1;
    if (ruling.ofBudget) this.budget[effect] += 1;
    tool.cells ??= this.tools.cells(tool.name);
    tool.cells[effect].count += 1;
    caller.cells ??= this.agents.cells(caller.name);
    caller.cells[effect].count += 1;
    if (ruling.cell === null) {
      ruling.cell = this.rules[effect].cell(ruling.by);
      if (ruling.rule !== null && this.#used.size < MOST_RULES) this.#used.add(ruleKey(ruling.rule));
    }
    ruling.cell.count += 1;
    if (!numbers.hasCall) return;
    this.#decided.add(numbers.call);
    if (this.#told !== null && this.#told.size > 0) this.#told.delete(numbers.toolUseId() ?? '');
  }

  #addResult(result: ResultRecord['result'], { name }: Named, numbers: RecordNumbers): void {
    this.results[result] += 1;
    if (!numbers.hasCall) return;
    this.named += 1;
    if (this.#decided.has(numbers.call) || this.#beganBefore(numbers)) return;
    this.unjudged += 1;
    if (this.examples.length >= MOST_EXAMPLES) return;
    const record = numbers.record();
    const toolUseId = numbers.toolUseId() ?? '';
    this.examples.push({ source: 'log', time: record?.time ?? null, session: record?.session ?? null, toolUseId, tool: name });
  }

  /** The log may begin while a call runs: a decision made before the first record is not missing. */
  #beganBefore(numbers: RecordNumbers): boolean {
    const { first } = this.span;
    return first !== null && numbers.us > 0 && momentOf(numbers) - numbers.us / 1_000 < Date.parse(first);
  }

  addEvent({ event, time, message }: EventRecord, session: Session, _caller: Named, numbers: RecordNumbers): void {
    this.#addRecord(session, numbers);
    if (event === 'run.overlap') this.overlaps += 1;
    if (event !== 'engine.error') return;
    this.failures += 1;
    if (this.lastFailure === null || time >= this.lastFailure.time) this.lastFailure = { time, message };
  }

  #addRecord(session: Session, numbers: RecordNumbers): void {
    this.records += 1;
    this.span.add(numbers);
    if (session.isCounted) return;
    session.isCounted = true;
    if (session.id !== null && this.#sessions.size < MOST_SESSIONS) this.#sessions.add(session.id);
  }
}

/** Returns the part of a rule that records and policies share. Records contain shortened texts with masked secrets. */
function ruleKey({ text, effect, layer }: Pick<RecordedRule, 'text' | 'effect' | 'layer'>): string {
  return `${effect}\n${layer}\n${text}`;
}
