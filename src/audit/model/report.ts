/**
 * The results of an audit: plain data, and everything that the output formats know about it (schemas/audit-report.schema.json).
 * Titles, descriptions, statements, gaps, mitigations, needs and reasons why something is unproven are our own words, in
 * Markdown; every other string may contain a stranger's text.
 */

import type { Changes, Exceptions, ReleaseCheck } from './results.js';
import type { PermissionTable } from './table.js';
import type { DecisionLog } from './types.js';

/** Computed from the claims of a control, never written by hand (score.ts). `pending` means: no evidence either way. */
export const STATUSES = ['implemented', 'partial', 'pending', 'missing', 'not-applicable'] as const;
export type Status = (typeof STATUSES)[number];

export const PRIORITIES = ['high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What a person has to know about a control: `proven gap` if a claim is refuted, `not checked` if one only could not be tested. */
export const STANDINGS = ['in force', 'proven gap', 'not checked', 'not applicable'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The strongest evidence for a claim: a file or setting, a check of this program, or a test call that an installed hook answered. */
export const PROOFS = ['unverified', 'implemented', 'verified', 'tested'] as const;
export type ClaimProof = (typeof PROOFS)[number];

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The result of a claim; `unproven` if nothing could be tested, `not-applicable` if its subject does not exist. */
export type Verdict = 'met' | 'unmet' | 'unproven' | 'not-applicable';

/** How a runner treats a tool call after its hook has ended, as measured. */
export type HookOutcome = 'blocked' | 'asked' | 'deferred' | 'allowed' | 'no-objection' | 'failed-open';

/** A place in a file, with the digest of the whole file so that a reader can tell whether it is still the same. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

interface Proof {
  /** Unique in the report: `RM-4-3`. */
  readonly id: string;
  readonly supports: boolean;
  /** One sentence: what the evidence shows. */
  readonly shows: string;
}

export interface FileEvidence extends Proof {
  readonly kind: 'file';
  readonly place: Place;
  /** The value at that place, secrets masked, at most 400 characters. */
  readonly excerpt: string;
}

/** Evidence of a search in these files; a file without a digest does not exist. */
export interface ScanEvidence extends Proof {
  readonly kind: 'scan';
  readonly lookedFor: string;
  readonly files: readonly { readonly file: string; readonly digest: string | null }[];
  /** SHA-256 over the names and digests of all searched files, if not all of them are listed. */
  readonly digest?: string;
  readonly matches: number;
}

/** A setting of the policy as composed of all layers; without a place nobody wrote it, so it has its default value. */
export interface SettingEvidence extends Proof {
  readonly kind: 'setting';
  readonly key: string;
  readonly value: string;
  readonly place: Place | null;
}

/** The policy's decision about a call, from the engine directly. */
export interface DecisionEvidence extends Proof {
  readonly kind: 'decision';
  readonly agent: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: 'deny' | 'ask or deny';
  readonly actual: 'allow' | 'ask' | 'deny';
  /** The reason: the decision's own line. */
  readonly message: string;
  readonly command: string;
}

/** The installed hook was started with a synthetic payload, in the way the runner starts it. */
export interface ProbeEvidence extends Proof {
  readonly kind: 'probe';
  /** The runner whose form the payload has. */
  readonly runner: string;
  readonly probe: string;
  /** The place where the command line is installed. */
  readonly place: Place;
  readonly command: string;
  readonly payload: string;
  readonly expected: 'blocked' | 'blocked or asked' | 'not blocked';
  readonly outcome: HookOutcome;
  readonly why: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Secrets masked, ids replaced by `<id>`, at most 2,000 characters each. */
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** The result of a `policy doctor` check about a runner; `command` runs it again. */
export interface CheckEvidence extends Proof {
  readonly kind: 'check';
  readonly check: string;
  readonly runner: string | null;
  readonly level: 'ok' | 'note' | 'problem';
  readonly command: string;
  /** One line that repairs it; null when nothing is wrong. */
  readonly fix: string | null;
  /** For a sealed log: its newest checkpoint, and the public key that verifies it. */
  readonly seal?: { readonly checkpoint: string; readonly verifier: string };
}

export type Evidence = FileEvidence | ScanEvidence | SettingEvidence | DecisionEvidence | ProbeEvidence | CheckEvidence;

/** One statement of a control, and whether it holds. */
export interface ClaimResult {
  readonly id: string;
  /** Its runner; null for the project as a whole. */
  readonly runner: string | null;
  readonly statement: string;
  /** `enforced` claims are shown by running the runner's own hook command; `defined` ones by files and settings. */
  readonly level: 'defined' | 'enforced';
  readonly verdict: Verdict;
  readonly proof: ClaimProof;
  /** What was looked at, from the evidence; null if nothing was. It may contain names from an examined file. */
  readonly lookedAt: string | null;
  /** Ids of evidence; empty only for `unproven` and `not-applicable`. */
  readonly evidence: readonly string[];
  /** Why it could not be tested, or is not applicable here; null otherwise. */
  readonly unproven: string | null;
  readonly gap: string | null;
  /** What to do about a gap, or so that the claim can be checked; null if there is nothing to do. */
  readonly mitigation: string | null;
  /** The correction as a unified diff for `git apply`; null if it is not known. It may contain a stranger's text. */
  readonly patch: string | null;
  readonly severity: Severity;
  /** False: the control is treated as implemented without it. */
  readonly required: boolean;
}

export type RiskBand = 'low' | 'medium' | 'high' | 'critical';

/** How likely it is that a control fails here, how bad that would be, and how sure that is (risk.ts). */
export interface RiskRating {
  /** 1 to 5. */
  readonly likelihood: number;
  /** 1 to 5. */
  readonly impact: number;
  /** Their product: 1 to 4 low, 5 to 9 medium, 10 to 16 high, 17 to 25 critical. */
  readonly score: number;
  readonly band: RiskBand;
  readonly confidence: Priority;
}

export interface ControlResult {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The corresponding row of the summary table. */
  readonly risk: string;
  readonly priority: Priority;
  readonly weight: number;
  readonly status: Status;
  readonly standing: Standing;
  /** Why the implemented control protects nobody here: it works, but nothing asks it. Null when it is in force. */
  readonly notInForce: string | null;
  readonly mitigationLevel: 'High' | 'Medium' | 'Low' | 'Unknown';
  readonly action: string;
  readonly rating: RiskRating;
  readonly claims: readonly ClaimResult[];
  readonly gaps: readonly string[];
  readonly mitigations: readonly string[];
  /** What was tried, and how to try it again. */
  readonly validation: string;
  /** Where it is enforced: the installed hooks that answered, by file and line. */
  readonly integrationPoints: readonly string[];
  readonly evidence: readonly Evidence[];
  /** The evidence that would be needed, for a control that has no claims yet. */
  readonly needs: readonly string[];
}

/** A gap, or a claim that could not be tested (`info`). */
export interface AuditFinding {
  readonly control: string;
  readonly claim: string | null;
  readonly runner: string | null;
  readonly severity: Severity;
  readonly message: string;
  readonly mitigation: string;
}

export type Coverage = 'covered' | 'partly covered' | 'not covered' | 'not assessed';

/** An item of a published list, with the results of the controls about it. */
export interface FrameworkItem {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly string[];
  readonly coverage: Coverage;
  /** Ids of the supporting probes, a few for each control. */
  readonly evidence: readonly string[];
}

export interface FrameworkCoverage {
  readonly id: string;
  readonly title: string;
  /** The source of its ids and titles. */
  readonly source: string;
  readonly items: readonly FrameworkItem[];
}

/** What to do, and when. */
export interface Recommendation {
  readonly week: number;
  readonly control: string;
  /** Other controls that it helps. */
  readonly also: readonly string[];
  readonly standing: 'proven gap' | 'not checked';
  /** What is wrong, or was not checked. */
  readonly about: string;
  readonly action: string;
  /** The patch of the claims that it repairs; null if it has to be done by hand. */
  readonly patch: string | null;
}

/** A coding-agent program that was examined. */
export interface AuditedClient {
  readonly id: string;
  /** The version of the program on PATH; null if there is no program, or its version is unknown. */
  readonly version: string | null;
  /** The number of known hooks that run before every call of it. */
  readonly hooks: number;
}

export interface AuditReport {
  readonly version: 1;
  readonly checklists: readonly { readonly id: string; readonly title: string }[];
  readonly meta: {
    readonly tool: 'policy';
    readonly toolVersion: string;
    readonly runners: readonly AuditedClient[];
    readonly project: string;
    /** Its remote origin (origin.ts); null without one. */
    readonly origin: string | null;
    readonly generatedAt: string;
    readonly milliseconds: number;
    /** Which hooks were probed; stated in the report because the claims rest on it. */
    readonly probes: 'none' | 'own hook only' | 'any hook';
    /** Every policy file that is part of the composed policy. */
    readonly policies: readonly {
      readonly layer: string;
      readonly file: string;
      readonly trusted: boolean;
      /** Null if it is not a file, or can no longer be read. */
      readonly digest: string | null;
    }[];
    readonly mode: 'enforce' | 'observe';
  };
  /** Confirmed only when every control is implemented and in force. */
  readonly confirmed: boolean;
  /** The result in words for everybody: how much is in force, what has gaps, what was not checked. */
  readonly sentence: string;
  readonly score: { readonly percent: number | null; readonly known: number; readonly controls: number };
  readonly controls: readonly ControlResult[];
  /** Ids of controls in the order of the summary table. */
  readonly rows: readonly string[];
  /** Who may do what without a prompt. */
  readonly permissions: PermissionTable;
  readonly findings: readonly AuditFinding[];
  /** The priorities. */
  readonly conclusion: {
    /** Ids of controls that are implemented and in force. */
    readonly strengths: readonly string[];
    /** The control with the highest risk that is not implemented and in force; null when there is none. */
    readonly primaryGap: string | null;
    /** Confirms the whole, or counts what is unverified. */
    readonly attestation: string;
  };
  readonly frameworks: readonly FrameworkCoverage[];
  readonly recommendations: readonly Recommendation[];
  readonly notes: readonly string[];
  /** The results of a comparison (accepted/acceptance.ts); null when there was none. */
  readonly changes: Changes | null;
  readonly exceptions: Exceptions | null;
  readonly gate: ReleaseCheck | null;
  /** The decision log's data about the project; null when there is none. */
  readonly decisionLog: DecisionLog | null;
}
