/** What lint finds: plain data, and all that the output formats know of lint (schemas/finding.schema.json). */
import type { RunnerId } from '../../call/tool-call.js';

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

/** A second place that a finding is about, such as the rule that hides another one; without an end, the rule or word that stands there. */
export interface RelatedPlace extends Pick<Span, 'file' | 'line' | 'column'> {
  readonly message: string;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** A correction: replace the characters `start` to `end` of a file (UTF-16 offsets, a byte order mark not counted). */
export interface Fix {
  readonly description: string;
  /**
   * `unsafe`: it may change what an agent may do, or something elsewhere refers to what it replaces; a person has to want it.
   * Safe when absent.
   */
  readonly safety?: 'safe' | 'unsafe';
  readonly edits: readonly { readonly file: string; readonly start: number; readonly end: number; readonly text: string }[];
}

/** Who should care: whoever writes the file, whoever reviews it, or only an audit; each also cares for what those before it do. */
export const PERSONAS = ['author', 'reviewer', 'auditor'] as const;
export type Persona = (typeof PERSONAS)[number];

export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  /** How sure it is that somebody should act. */
  readonly confidence: 'high' | 'medium' | 'low';
  readonly persona: Persona;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly location: Span;
  readonly related: readonly (RelatedPlace & Span)[];
  /** One sentence: what to do. */
  readonly help: string | null;
  readonly fix: Required<Fix> | null;
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
  /** Where what it says is from: a page of the runner's documentation, a section of its source. No full stop. */
  readonly source?: string;
  /** The versions of runners with which it was seen; without a full stop. */
  readonly verifiedOn?: string;
  /** The runners whose files it is about; all when absent. */
  readonly runners?: readonly RunnerId[];
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
  readonly files: {
    readonly agents: number;
    readonly policies: number;
    /** Settings, hooks and MCP files. */
    readonly configs: number;
    /** Skills, commands and instructions. */
    readonly texts: number;
  };
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly withFindings: number;
  /** Findings with a correction. */
  readonly fixable: { readonly safe: number; readonly unsafe: number };
  /** Findings that a comment or `lint.ignores` accepts. */
  readonly suppressed: number;
  /** Findings that the baseline holds. */
  readonly baselined: number;
  /** Findings for another persona. */
  readonly hidden: number;
}

/** The whole answer of lint. */
export interface LintReport {
  /** In the order of files and lines; of more than a hundred alike in a file only the first, the last of them with the number. */
  readonly findings: readonly Finding[];
  readonly unabridged: readonly Finding[];
  readonly summary: LintSummary;
  readonly rules: readonly RuleInfo[];
  /** A line of a file as it may be shown: secrets are masked. Null when there is none. */
  readonly lineOf: (file: string, line: number) => string | null;
  /** What tells a finding from others: its rule, its file and the text that it is about, not its line. 16 hexadecimal digits. */
  readonly fingerprintOf: (finding: Finding) => string;
}
