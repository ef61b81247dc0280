/** The decision log's data about the audited project: plain data, everything that the output formats know about it. */
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** The number of times that each answer was given; in observe mode, would have been given. */
export type AnswerCounts = Readonly<Record<Effect, number>>;

export interface NamedAnswers extends AnswerCounts {
  readonly name: string;
}

export interface AgentAnswers extends NamedAnswers {
  /** The model that it ran on; null if no record states it. */
  readonly model: string | null;
}

/** A rule, and the number of calls that it decided. For an answer without a rule, the text is the code of its first reason. */
export interface RuleCount {
  readonly text: string;
  /** `policy.yaml:12`; null if it is not in a file. */
  readonly place: string | null;
  readonly count: number;
}

/** A rule that would have spared a person prompts that were answered with yes. */
export interface AllowCandidate {
  readonly calls: number;
  readonly sample: string;
  /** `policy allow '…'`, ready to paste: it allows exactly the calls that were answered with yes. */
  readonly line: string;
}

/** An allow rule of a policy file that decided no call. */
export interface UnusedRule {
  readonly text: string;
  readonly place: string;
}

/** A call that ran and for which the log has no decision. */
export interface UnjudgedCall {
  /** Its source: the log, or the name of a transcript. */
  readonly source: string;
  readonly time: string | null;
  readonly session: string | null;
  readonly toolUseId: string;
  readonly tool: string;
}

/** The number of calls that ran, and how many of them no hook judged. */
export interface CallCoverage {
  /** The number of calls that a result record or a transcript mentions with the runner's id. */
  readonly calls: number;
  readonly unjudged: number;
  readonly examples: readonly UnjudgedCall[];
}

export interface TranscriptCoverage extends CallCoverage {
  readonly files: number;
  /** False if something was not read. */
  readonly whole: boolean;
}

export interface DecisionLog {
  readonly directory: string;
  readonly records: number;
  /** Times of the oldest and the newest record of this project, ISO 8601. */
  readonly first: string;
  readonly last: string;
  /** Lines of the log that are not a record, of whatever project. */
  readonly unreadable: number;
  readonly sessions: number;
  readonly decisions: AnswerCounts;
  readonly observed: number;
  readonly results: Readonly<Record<'success' | 'error' | 'denied', number>>;
  /** The most frequent first. */
  readonly tools: readonly NamedAnswers[];
  readonly agents: readonly AgentAnswers[];
  readonly denied: readonly RuleCount[];
  readonly asked: readonly RuleCount[];
  readonly candidates: readonly AllowCandidate[];
  /** The number of allow rules of policy files, the number that decided no call, and the first of these. */
  readonly rules: { readonly allow: number; readonly unused: number; readonly examples: readonly UnusedRule[] };
  /** Calls that the hook denied because it could not judge them; `last` is the newest. */
  readonly failures: { readonly count: number; readonly last: { readonly time: string; readonly message: string } | null };
  readonly budget: AnswerCounts;
  /** Starts of subagents, and how often one started while another ran. */
  readonly subagents: { readonly starts: number; readonly overlaps: number };
  /** Calls known from their results in the log; null if the log contains no result that names its call. */
  readonly coverage: CallCoverage | null;
  /** Calls known from transcripts; null if none were given. */
  readonly transcripts: TranscriptCoverage | null;
}
