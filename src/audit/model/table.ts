/**
 * Who may do what without a prompt: the policy's answers to the calls of rules/capabilities.yaml, for the session and for every
 * agent. Plain data, part of the report. Names, labels of calls, rules and reasons may contain a stranger's text.
 */

/** One call of the corpus, as a runner would make it. */
export interface PermissionCall {
  readonly id: string;
  readonly class: string;
  readonly runner: string;
  /** The runner's own name for the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, string | number>>;
  /** The text shown to a person: the command line, or the tool and its operand. */
  readonly label: string;
}

/** A rule that took part in a decision. */
export interface PermissionRuleAt {
  readonly text: string;
  /** The place where it was written: a layer of the policy, `agent` for a definition, `preset`. */
  readonly layer: string;
  readonly file: string;
  readonly line: number;
}

/** The decision about one call. */
export interface PermissionAnswer {
  readonly call: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The rules behind the decision, the policy's before the agent's own; empty if a default or a built-in rule decides. */
  readonly rules: readonly PermissionRuleAt[];
  /** The reason in one line. */
  readonly why: string;
}

/** `mixed`: the calls of the class do not all get the same answer; `not-applicable`: the runner has no tool for any of them. */
export type PermissionVerdict = 'allow' | 'ask' | 'deny' | 'mixed' | 'not-applicable';

export interface PermissionCell {
  readonly class: string;
  readonly verdict: PermissionVerdict;
  /** The number of its calls that are allowed without a prompt. */
  readonly allowed: number;
  readonly answers: readonly PermissionAnswer[];
}

export interface PermittedAgent {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/**
 * The callers of one runner that get the same answers. Rules in an agent's own file are shown with their place in the file of the
 * first agent.
 */
export interface PermissionRow {
  readonly runner: string;
  /** Sorted by name; null: the session itself, without an agent. */
  readonly agents: readonly PermittedAgent[] | null;
  /** The number of classes with a call that is allowed without a prompt. */
  readonly free: number;
  /** The number of classes for which the runner has tools. */
  readonly classes: number;
  /** The allowed call that does the most harm; null if no call is allowed. */
  readonly worst: PermissionAnswer | null;
  /** Calls that let it take in text from strangers, read secrets and send data out; null if one of the three is missing. */
  readonly combination: {
    readonly input: PermissionAnswer;
    readonly secrets: PermissionAnswer;
    readonly out: PermissionAnswer;
  } | null;
  readonly cells: readonly PermissionCell[];
}

export interface PermissionTable {
  readonly classes: readonly { readonly id: string; readonly short: string; readonly title: string }[];
  /** The calls that were asked about; a call for which the runner has no tool is omitted. */
  readonly calls: readonly PermissionCall[];
  /** Callers that may do the most without a prompt come first. */
  readonly rows: readonly PermissionRow[];
  /** Agents that were not asked about, because too many differ. */
  readonly unjudged: readonly { readonly runner: string; readonly name: string }[];
}
