/** What the decision log says of the audited project: plain data, all that the output formats know of it. */
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** How often each answer was given; in observe mode what would have been answered. */
export type AnswerCounts = Readonly<Record<Effect, number>>;

export interface NamedAnswers extends AnswerCounts {
  readonly name: string;
}

export interface AgentAnswers extends NamedAnswers {
  /** The model that it ran on; null where no record says it. */
  readonly model: string | null;
}

/** A rule, and how many calls it decided. Of an answer that no rule gave the text is the code of its first reason. */
export interface RuleCount {
  readonly text: string;
  /** `policy.yaml:12`; null for what stands in no file. */
  readonly place: string | null;
  readonly count: number;
}

/** A rule that would have spared a person questions that were answered with yes. */
export interface AllowCandidate {
  readonly calls: number;
  readonly sample: string;
  /** `policy allow '…'`, to be pasted: it allows what was answered with yes, and nothing else. */
  readonly line: string;
}

/** An allow rule of a policy file that decided no call. */
export interface UnusedRule {
  readonly text: string;
  readonly place: string;
}

/** A call that ran, of which the log has no decision. */
export interface UnjudgedCall {
  /** Where it is told of: the log, or the name of a transcript. */
  readonly source: string;
  readonly time: string | null;
  readonly session: string | null;
  readonly toolUseId: string;
  readonly tool: string;
}

/** Calls that ran, and how many of them no hook judged. */
export interface CallCoverage {
  /** Those that a result record or a transcript tells of by the runner's id. */
  readonly calls: number;
  readonly unjudged: number;
  readonly examples: readonly UnjudgedCall[];
}

export interface TranscriptCoverage extends CallCoverage {
  readonly files: number;
  /** False: there was more than is read. */
  readonly whole: boolean;
}

export interface DecisionLog {
  readonly directory: string;
  readonly records: number;
  /** Times of the oldest and the newest record of this project, ISO 8601. */
  readonly first: string;
  readonly last: string;
  /** Lines of the log that hold no record, of whatever project. */
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
  /** Allow rules of policy files, those that decided no call, and the first of them. */
  readonly rules: { readonly allow: number; readonly unused: number; readonly examples: readonly UnusedRule[] };
  /** Calls that the hook denied because it could not judge them; `last` is of the newest. */
  readonly failures: { readonly count: number; readonly last: { readonly time: string; readonly message: string } | null };
  readonly budget: AnswerCounts;
  /** Starts of subagents, and how often one started while another ran. */
  readonly subagents: { readonly starts: number; readonly overlaps: number };
  /** Calls that the log tells of by their results; null where it holds no result that names its call. */
  readonly coverage: CallCoverage | null;
  /** Calls that transcripts tell of; null where none were given. */
  readonly transcripts: TranscriptCoverage | null;
}
