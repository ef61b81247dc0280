/**
 * What an audit finds: plain data, and all that the output formats know of it (schemas/audit-report.schema.json). Titles,
 * descriptions, statements, gaps, mitigations, needs and reasons why something is unproven are our own words, in Markdown;
 * everything else may hold a stranger's.
 */

import type { Changes, Exceptions, ReleaseCheck } from './results.js';
import type { PermissionTable } from './table.js';
import type { DecisionLog } from './types.js';

/** Computed from the claims of a control, never written by hand (score.ts). `unknown` means: no evidence either way. */
export const STATUSES = ['implemented', 'partial', 'missing', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

export const PRIORITIES = ['high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How a claim came out; `unproven` when nothing could be tried, `not-applicable` when there is nothing that it is about. */
export type Verdict = 'met' | 'unmet' | 'unproven' | 'not-applicable';

/** What a runner does with a tool call after its hook has ended, as measured. */
export type HookOutcome = 'blocked' | 'asked' | 'deferred' | 'allowed' | 'no-objection' | 'failed-open';

/** A place in a file, with the digest of the whole file so that a reader can tell whether it still is the same. */
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
  /** One sentence: what it shows. */
  readonly shows: string;
}

export interface FileEvidence extends Proof {
  readonly kind: 'file';
  readonly place: Place;
  /** The value at that place, secrets masked, at most 400 characters. */
  readonly excerpt: string;
}

/** Something that was looked for in these files; a file without a digest does not exist. */
export interface ScanEvidence extends Proof {
  readonly kind: 'scan';
  readonly lookedFor: string;
  readonly files: readonly { readonly file: string; readonly digest: string | null }[];
  /** SHA-256 over the names and digests of all files that were searched, where not all are listed. */
  readonly digest?: string;
  readonly matches: number;
}

/** A setting of the policy as composed of all layers; without a place nobody wrote it, so it is the default. */
export interface SettingEvidence extends Proof {
  readonly kind: 'setting';
  readonly key: string;
  readonly value: string;
  readonly place: Place | null;
}

/** What the policy decides about a call, asked of the engine directly. */
export interface DecisionEvidence extends Proof {
  readonly kind: 'decision';
  readonly agent: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: 'deny' | 'ask or deny';
  readonly actual: 'allow' | 'ask' | 'deny';
  /** Why: the decision's own line. */
  readonly message: string;
  readonly command: string;
}

/** The installed hook was started with a synthetic payload, the way the runner starts it. */
export interface ProbeEvidence extends Proof {
  readonly kind: 'probe';
  /** Whose form the payload has. */
  readonly runner: string;
  readonly probe: string;
  /** Where the command line is installed. */
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

/** What a check of `policy doctor` says of a runner; run again with `command`. */
export interface CheckEvidence extends Proof {
  readonly kind: 'check';
  readonly check: string;
  readonly runner: string | null;
  readonly level: 'ok' | 'note' | 'problem';
  readonly command: string;
  /** One line that repairs it; null where nothing is wrong. */
  readonly fix: string | null;
  /** Of a sealed log: its newest checkpoint, and the public key that checks it. */
  readonly seal?: { readonly checkpoint: string; readonly verifier: string };
}

export type Evidence = FileEvidence | ScanEvidence | SettingEvidence | DecisionEvidence | ProbeEvidence | CheckEvidence;

/** One statement of a control, and whether it holds. */
export interface ClaimResult {
  readonly id: string;
  /** The runner that it is about; null for the project as a whole. */
  readonly runner: string | null;
  readonly statement: string;
  /** `enforced` claims are shown by running what the runner runs; `defined` ones by files and settings. */
  readonly level: 'defined' | 'enforced';
  readonly verdict: Verdict;
  /** Ids of evidence; empty only for `unproven` and `not-applicable`. */
  readonly evidence: readonly string[];
  /** Why it could not be tried, or is about nothing here; null otherwise. */
  readonly unproven: string | null;
  readonly gap: string | null;
  readonly mitigation: string | null;
  /** What corrects it, as a unified diff for `git apply`; null where that is not known. It may hold a stranger's text. */
  readonly patch: string | null;
  readonly severity: Severity;
  /** False: the control counts as implemented without it. */
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
  /** The row of the summary table that it stands for. */
  readonly risk: string;
  readonly priority: Priority;
  readonly weight: number;
  readonly status: Status;
  /** Why what is implemented protects nobody here: it works, and nothing asks it. Null when it is in force. */
  readonly notInForce: string | null;
  readonly mitigationLevel: 'High' | 'Medium' | 'Low' | 'Unknown';
  readonly action: string;
  readonly rating: RiskRating;
  readonly claims: readonly ClaimResult[];
  readonly evidence: readonly Evidence[];
  /** What evidence would allow it, for a control that has no claims yet. */
  readonly needs: readonly string[];
}

/** A gap, or a claim that could not be tried (`info`). */
export interface AuditFinding {
  readonly control: string;
  readonly claim: string | null;
  readonly runner: string | null;
  readonly severity: Severity;
  readonly message: string;
  readonly mitigation: string;
}

export type Coverage = 'covered' | 'partly covered' | 'not covered' | 'not assessed';

/** An item of a published list, and what the controls that are about it say. */
export interface FrameworkItem {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly string[];
  readonly coverage: Coverage;
  /** Ids of the probes that support it, a few of each control. */
  readonly evidence: readonly string[];
}

export interface FrameworkCoverage {
  readonly id: string;
  readonly title: string;
  /** Where ids and titles come from. */
  readonly source: string;
  readonly items: readonly FrameworkItem[];
}

/** What to do, and when. */
export interface Recommendation {
  readonly week: number;
  readonly control: string;
  readonly action: string;
  /** Of the claims that it repairs; null where it has to be done by hand. */
  readonly patch: string | null;
}

/** A coding-agent program that was looked at. */
export interface AuditedClient {
  readonly id: string;
  /** Of the program on PATH; null where there is none, or it does not say. */
  readonly version: string | null;
  /** How many hooks that are known stand before every call of it. */
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
    /** How probes were made; said in the report because it is what the claims rest on. */
    readonly probes: 'none' | 'own hook only' | 'any hook';
    /** Every policy file that was composed. */
    readonly policies: readonly {
      readonly layer: string;
      readonly file: string;
      readonly trusted: boolean;
      /** Null for what is no file, and for one that cannot be read any more. */
      readonly digest: string | null;
    }[];
    readonly mode: 'enforce' | 'observe';
  };
  /** Confirmed only when every control is implemented. */
  readonly confirmed: boolean;
  readonly sentence: string;
  readonly score: { readonly percent: number | null; readonly known: number; readonly controls: number };
  readonly controls: readonly ControlResult[];
  /** Ids of controls in the order of the summary table. */
  readonly rows: readonly string[];
  /** Who may do what without a question. */
  readonly permissions: PermissionTable;
  readonly findings: readonly AuditFinding[];
  /** What to do first. */
  readonly conclusion: {
    /** Ids of controls that are implemented and in force. */
    readonly strengths: readonly string[];
    /** The control with the highest risk that is not; null when there is none. */
    readonly primaryGap: string | null;
  };
  readonly frameworks: readonly FrameworkCoverage[];
  readonly recommendations: readonly Recommendation[];
  readonly notes: readonly string[];
  /** What it was held against (accepted/acceptance.ts); null when it was not. */
  readonly changes: Changes | null;
  readonly exceptions: Exceptions | null;
  readonly gate: ReleaseCheck | null;
  /** What the decision log says of the project; null when it says nothing. */
  readonly decisionLog: DecisionLog | null;
}
