/** What lint finds: plain data, and all that the output formats know of lint (schemas/finding.schema.json). */

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A stretch of one file. Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A second place that a finding is about, such as the rule that hides another one. */
export interface RelatedPlace {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A correction: replace the characters `start` to `end` of a file (UTF-16 offsets, a byte order mark not counted). */
export interface Fix {
  readonly description: string;
  readonly edits: readonly { readonly file: string; readonly start: number; readonly end: number; readonly text: string }[];
}

export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  /** How sure it is that somebody should act. */
  readonly confidence: 'high' | 'medium' | 'low';
  /** Who should care: whoever writes the file, whoever reviews it, or only an audit. */
  readonly persona: 'author' | 'reviewer' | 'auditor';
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly location: Span;
  readonly related: readonly RelatedPlace[];
  /** One sentence: what to do. */
  readonly help: string | null;
  readonly fix: Fix | null;
}

/** The documentation of a rule; the pages below docs/rules are made from it. */
export interface RuleDocs {
  /** One sentence: what the rule reports. */
  readonly what: string;
  readonly why: string;
  /** A text that has the mistake, and the same text without it. */
  readonly bad: string;
  readonly good: string;
  /** One sentence: what to do about it; the help of every finding that has none of its own. */
  readonly fix: string;
}

/** A rule as the formats show it. */
export interface RuleInfo {
  readonly id: string;
  readonly severity: Severity;
  readonly confidence: Finding['confidence'];
  readonly persona: Finding['persona'];
  readonly docs: RuleDocs;
}

export interface LintSummary {
  /** Files that were read, by what they are. */
  readonly files: { readonly agents: number; readonly policies: number };
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Findings that a comment or `lint.ignores` accepts. */
  readonly suppressed: number;
}

/** The whole answer of lint. */
export interface LintReport {
  readonly findings: readonly Finding[];
  readonly summary: LintSummary;
  readonly rules: readonly RuleInfo[];
  /** A line of a file as it may be shown: secrets are masked. Null when there is none. */
  readonly lineOf: (file: string, line: number) => string | null;
}
