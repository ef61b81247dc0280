/**
 * Who may do what without a question: the answers of the policy to the calls of rules/capabilities.yaml, for the session and for every
 * agent. Plain data, a part of the report. Names, labels of calls, rules and reasons may hold a stranger's text.
 */

/** One call of the corpus, as a runner would make it. */
export interface PermissionCall {
  readonly id: string;
  readonly class: string;
  readonly runner: string;
  /** The runner's own name of the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, string | number>>;
  /** What a person reads: the command line, or the tool and what it is applied to. */
  readonly label: string;
}

/** A rule that took part in a decision. */
export interface PermissionRuleAt {
  readonly text: string;
  /** Where it was written: a layer of the policy, `agent` for a definition, `preset`. */
  readonly layer: string;
  readonly file: string;
  readonly line: number;
}

/** What was decided about one call. */
export interface PermissionAnswer {
  readonly call: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Those that say so, the policy's before the agent's own; empty where a default or what is built in decides. */
  readonly rules: readonly PermissionRuleAt[];
  /** The reason in one line. */
  readonly why: string;
}

/** `mixed`: the calls of the class are not all answered alike; `not-applicable`: the runner has no tool for any of them. */
export type PermissionVerdict = 'allow' | 'ask' | 'deny' | 'mixed' | 'not-applicable';

export interface PermissionCell {
  readonly class: string;
  readonly verdict: PermissionVerdict;
  /** How many of its calls are allowed without a question. */
  readonly allowed: number;
  readonly answers: readonly PermissionAnswer[];
}

export interface PermittedAgent {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** Those of one runner who are answered alike. Rules in an agent's own file are shown as they stand in the file of the first. */
export interface PermissionRow {
  readonly runner: string;
  /** By name; null: the session itself, without an agent. */
  readonly agents: readonly PermittedAgent[] | null;
  /** How many classes have a call that is allowed without a question. */
  readonly free: number;
  /** How many classes the runner has tools for. */
  readonly classes: number;
  /** The allowed call that does the most harm; null where none is allowed. */
  readonly worst: PermissionAnswer | null;
  /** Calls with which it may take in text of strangers, read secrets and send data out; null where one of the three is missing. */
  readonly combination: {
    readonly input: PermissionAnswer;
    readonly secrets: PermissionAnswer;
    readonly out: PermissionAnswer;
  } | null;
  readonly cells: readonly PermissionCell[];
}

export interface PermissionTable {
  readonly classes: readonly { readonly id: string; readonly short: string; readonly title: string }[];
  /** What was asked; calls of a runner that has no such tool are left out. */
  readonly calls: readonly PermissionCall[];
  /** Those who may do the most without a question come first. */
  readonly rows: readonly PermissionRow[];
  /** Agents that were not asked about, because there are too many that differ. */
  readonly unjudged: readonly { readonly runner: string; readonly name: string }[];
}
