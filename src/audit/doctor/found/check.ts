/** A check of `policy doctor`, and its results. */
import type { DoctorSubject } from './subject.js';

/** `problem`: a call may bypass the hook, or no call can run; `note`: worth knowing. */
export type DoctorLevel = 'ok' | 'note' | 'problem';

export interface DoctorResult {
  readonly check: string;
  readonly level: DoctorLevel;
  /** Null for a result that concerns all runners. */
  readonly runner: string | null;
  /** One sentence: what was found, and where. */
  readonly message: string;
  /** One line that fixes it; null when nothing is wrong. */
  readonly fix: string | null;
  /** True for a result that has to be read first: the hook named in the settings is not the one that sees the calls. */
  readonly lead?: boolean;
}

export type CheckResult = Omit<DoctorResult, 'check'>;

/** One check: a file in checks/, a line in registry.ts. */
export interface DoctorCheck {
  readonly id: string;
  /** Looks, and changes nothing except for the canary's record in the log. */
  readonly examine: (subject: DoctorSubject) => readonly CheckResult[] | Promise<readonly CheckResult[]>;
}

export interface DoctorReport {
  readonly version: 1;
  readonly project: string;
  readonly runners: readonly string[];
  readonly results: readonly DoctorResult[];
  readonly problems: number;
}

export function fine(runner: string | null, message: string): CheckResult {
  return { level: 'ok', runner, message, fix: null };
}

export function worthKnowing(runner: string | null, message: string, fix: string): CheckResult {
  return { level: 'note', runner, message, fix };
}

export function problem(runner: string | null, message: string, fix: string): CheckResult {
  return { level: 'problem', runner, message, fix };
}
