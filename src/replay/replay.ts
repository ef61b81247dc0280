/** Decides the calls of past sessions as the hook would, and counts the questions and denials that a person would have met. */
import { findRemedyDry } from '../author/remedy.js';
import { isAbsolute } from '../call/fields.js';
import type { RunnerId } from '../call/tool-call.js';
import type { Decision } from '../decide/ruling/decision.js';
import { enforceDry } from '../enforce/enforce.js';
import { coverSecrets } from '../log/record/mask-decision.js';
import type { Workspace } from '../project/workspace.js';
import type { Effect } from '../rule/pattern/permission-rule.js';
import { callAsRun } from '../runner/runners.js';
import type { RecordedCall } from './sessions.js';

/** One call, as it is told: secrets are covered. */
export interface ToldCall {
  readonly runner: RunnerId;
  readonly tool: string;
  readonly text: string;
  readonly project: string;
  readonly decision: Effect;
  readonly why: string;
}

/** A line of the report, with the first of the calls that were decided for the same reason. */
export interface ToldLine extends ToldCall {
  count: number;
}

export interface ReplayTotals {
  readonly calls: Readonly<Record<Effect, number>>;
  readonly runners: ReadonlyMap<RunnerId, number>;
  readonly sessions: number;
  /** Absolute paths. */
  readonly projects: readonly string[];
  /** The times of the first and the last call, ISO 8601; null if no call has one. */
  readonly first: string | null;
  readonly last: string | null;
  /** Prompts in each session, sorted; whoever is asked accepts the first offer for the rest of the session. */
  readonly prompts: readonly number[];
  /** Calls that ran and that the policy denies, or asks about for a secret or a place outside of the project. */
  readonly stopped: readonly ToldLine[];
  readonly asked: readonly ToldLine[];
  /** Calls that ran, and read a secret or work outside of the project. */
  readonly secrets: number;
  readonly outside: number;
  /** Rules by the questions that each alone would save. */
  readonly rules: readonly { readonly rule: string; readonly saves: number; readonly sessions: number }[];
  /** Calls whose folder does not exist any more: judged without its files. */
  readonly gone: number;
}

interface Answer {
  readonly decision: Effect;
  readonly told: ToldCall;
  readonly rules: readonly string[];
  readonly isSecret: boolean;
  readonly isOutside: boolean;
}

/** Where a call is judged: its workspace, and whether its own folder is gone; or why the hook would deny every call there. */
export type ReplayPlace = { readonly workspace: Workspace; readonly isGone: boolean } | { readonly unusable: string };

const SECRET = /^(?:secret\/|[a-z]+\/secret)/;
const OUTSIDE: ReadonlySet<string> = new Set(['path/outside-project', 'place/outside']);
/** Answers that are kept to be given again. */
const MOST_ANSWERS = 50_000;
/** Different lines that are counted. */
const MOST_LINES = 20_000;

export class Replay {
  readonly #placeOf: (cwd: string | null) => ReplayPlace;
  readonly #answers = new Map<string, Answer>();
  readonly #calls: Record<Effect, number> = { allow: 0, ask: 0, deny: 0 };
  readonly #runners = new Map<RunnerId, number>();
  readonly #sessions = new Map<string, { readonly accepted: Set<string>; prompts: number }>();
  readonly #projects = new Set<string>();
  readonly #stopped = new Map<string, ToldLine>();
  readonly #asked = new Map<string, ToldLine>();
  readonly #rules = new Map<string, { saves: number; readonly sessions: Set<string> }>();
  #first: string | null = null;
  #last: string | null = null;
  #secrets = 0;
  #outside = 0;
  #gone = 0;

  /** @param placeOf the workspace of a folder; null: of a call that names none */
  constructor(placeOf: (cwd: string | null) => ReplayPlace) {
    this.#placeOf = placeOf;
  }

  /** Decides one call; calls of a session come in their order. */
  add(call: RecordedCall): Effect {
    const place = this.#placeOf(call.cwd);
    const answer = this.#answered(call, place);
    const { decision, told } = answer;
    const session = `${call.runner} ${call.session ?? ''}`;
    this.#calls[decision] += 1;
    this.#runners.set(call.runner, (this.#runners.get(call.runner) ?? 0) + 1);
    this.#projects.add(told.project);
    if ('isGone' in place && place.isGone) this.#gone += 1;
    if (call.time !== null) {
      if (this.#first === null || call.time < this.#first) this.#first = call.time;
      if (this.#last === null || call.time > this.#last) this.#last = call.time;
    }
    const didRun = call.outcome !== 'refused';
    if (didRun && answer.isSecret) this.#secrets += 1;
    if (didRun && answer.isOutside) this.#outside += 1;
    if (didRun && (decision === 'deny' || answer.isSecret)) counted(this.#stopped, told);
    if (decision === 'ask') counted(this.#asked, told);
    const lived = this.#sessions.get(session) ?? { accepted: new Set<string>(), prompts: 0 };
    this.#sessions.set(session, lived);
    if (decision === 'ask') this.#ask(answer, lived, session);
    return decision;
  }

  #ask({ rules, told }: Answer, lived: { readonly accepted: Set<string>; prompts: number }, session: string): void {
    const accepted = rules.length === 0 ? [`${told.tool} ${told.text}`] : rules;
    if (accepted.every((rule) => lived.accepted.has(rule))) return;
    lived.prompts += 1;
    for (const rule of accepted) lived.accepted.add(rule);
    const [only] = rules;
    if (rules.length !== 1 || only === undefined) return;
    const saved = this.#rules.get(only) ?? { saves: 0, sessions: new Set<string>() };
    saved.saves += 1;
    saved.sessions.add(session);
    this.#rules.set(only, saved);
  }

  /** A call that the hook could not judge is denied, as by the hook. */
  #answered(call: RecordedCall, place: ReplayPlace): Answer {
    if (call.cwd !== null && !isAbsolute(call.cwd)) return unjudged(call, 'its folder is not an absolute path');
    if ('unusable' in place) return unjudged(call, place.unusable);
    try {
      return this.#judged(call, place.workspace);
    } catch (error) {
      return unjudged(call, `it cannot be judged: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #judged(call: RecordedCall, workspace: Workspace): Answer {
    const { runner, tool, input, agent } = call;
    const cwd = call.cwd ?? workspace.cwd;
    const key = JSON.stringify([runner, agent, cwd, tool, input]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const made = callAsRun({ tool, input, cwd, runner, ...(agent !== null && { agent }), headless: false, shell: 'union' });
    const decision = enforceDry(workspace, made);
    const effect = decision.decision;
    const remedy = effect === 'ask' ? findRemedyDry(workspace, made, decision, 1) : null;
    const codes = decision.stages.flatMap((stage) => stage.reasons.map(({ code }) => code));
    const answer: Answer = {
      decision: effect,
      told: toldOf(call, workspace, decision),
      rules: remedy?.kind === 'rules' ? (remedy.offers[0]?.rules ?? []) : [],
      isSecret: effect !== 'allow' && codes.some((code) => SECRET.test(code)),
      isOutside: effect !== 'allow' && codes.some((code) => OUTSIDE.has(code)),
    };
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }

  totals(): ReplayTotals {
    const rules = [...this.#rules].map(([rule, { saves, sessions }]) => ({ rule, saves, sessions: sessions.size }));
    const isMore = (left: ToldLine, right: ToldLine) =>
      Number(right.decision === 'deny') - Number(left.decision === 'deny') || right.count - left.count;
    return {
      calls: this.#calls,
      runners: this.#runners,
      sessions: this.#sessions.size,
      projects: [...this.#projects].sort(),
      first: this.#first,
      last: this.#last,
      prompts: [...this.#sessions.values()].map(({ prompts }) => prompts).sort((left, right) => left - right),
      stopped: [...this.#stopped.values()].sort(isMore),
      asked: [...this.#asked.values()].sort(isMore),
      secrets: this.#secrets,
      outside: this.#outside,
      rules: rules.sort((left, right) => right.saves - left.saves),
      gone: this.#gone,
    };
  }
}

function unjudged({ runner, tool, cwd }: RecordedCall, why: string): Answer {
  const told: ToldCall = { runner, tool, text: '', project: cwd ?? '', decision: 'deny', why };
  return { decision: 'deny', told, rules: [], isSecret: false, isOutside: false };
}

function counted(lines: Map<string, ToldLine>, told: ToldCall): void {
  const key = `${told.decision} ${told.tool} ${told.why} ${told.project}`;
  const line = lines.get(key);
  if (line !== undefined) line.count += 1;
  else if (lines.size < MOST_LINES) lines.set(key, { ...told, count: 1 });
}

function toldOf({ runner, tool, input }: RecordedCall, { surroundings }: Workspace, decision: Decision): ToldCall {
  const subject = ['command', 'file_path', 'path', 'url', 'pattern', 'query']
    .map((name) => input[name])
    .find((one) => typeof one === 'string');
  const line = typeof subject === 'string' ? subject : JSON.stringify(input);
  const { project, home } = surroundings;
  const here = (path: string) => path.replaceAll(`${project}/`, '').replaceAll(project, '.').replaceAll(home, '~');
  const text = here(coverSecrets(line.slice(0, LONGEST))).replaceAll(/\s+/g, ' ');
  return { runner, tool, text, project, decision: decision.decision, why: here(decision.message ?? '') };
}

const LONGEST = 2000;
