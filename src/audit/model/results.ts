/** Parts of an audit report beside its findings: changes since an earlier report, accepted findings, and the result of a release check. */

/** One problem: a finding, at one of its places. */
export interface Change {
  readonly control: string;
  readonly claim: string | null;
  readonly runner: string | null;
  readonly severity: 'error' | 'warning' | 'info';
  /** Distinguishes it from others of the same finding: a file, a setting, a test call, never a line; empty for the finding as a whole. */
  readonly place: string;
  readonly message: string;
}

export interface Changes {
  readonly baseline: {
    readonly file: string;
    readonly project: string;
    readonly generatedAt: string;
    readonly toolVersion: string;
  };
  /** In percent; null when nothing is known. */
  readonly score: { readonly before: number | null; readonly after: number | null };
  readonly added: readonly Change[];
  readonly fixed: readonly Change[];
  readonly unchanged: readonly Change[];
  /** Entries of the baseline that this audit did not examine: another checklist, another coding agent, no probes. */
  readonly unexamined: readonly Change[];
}

/** `ignored`: the file does not apply. `unused`: no finding needs it. */
export const EXCEPTION_STATES = ['accepted', 'expired', 'unused', 'ignored'] as const;
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** A finding that somebody accepted until a given day. */
export interface Exception {
  /** `CONTROL`, `CONTROL/CLAIM` or `CONTROL/CLAIM/RUNNER`. */
  readonly id: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it applies: YYYY-MM-DD. */
  readonly expires: string;
  readonly state: ExceptionState;
  /** Ids of the findings that it covers, each in full: `RM-4/hook/claude-code`. */
  readonly findings: readonly string[];
}

export interface Exceptions {
  readonly file: string;
  /** True: anyone who may change the audited repository may change this file, too. */
  readonly inRepository: boolean;
  /** Why none of them applies; null when they do. */
  readonly ignored: string | null;
  readonly entries: readonly Exception[];
}

/** `high`: every control of priority high; `ga`: every control, as for a general availability release. */
export const RELEASE_CHECKS = ['high', 'ga'] as const;
export type ReleaseCheckName = (typeof RELEASE_CHECKS)[number];

/** The result of `--gate`. */
export interface ReleaseCheck {
  readonly name: ReleaseCheckName;
  readonly passed: boolean;
  /** Ids of the checked controls that are not implemented and in force. */
  readonly open: readonly string[];
}
