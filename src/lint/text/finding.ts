/** Lint's findings: plain data, and everything that the output formats know about lint (schemas/finding.schema.json). */
import type { RunnerId } from '../../call/tool-call.js';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A span of one file. Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A second place of a finding, such as the rule that hides another one; without an end, the rule or word that starts there. */
export interface RelatedPlace extends Pick<Span, 'file' | 'line' | 'column'> {
  readonly message: string;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** A correction: replace the characters `start` to `end` of a file (UTF-16 offsets that do not include a byte order mark). */
export interface Fix {
  readonly description: string;
  /**
   * `unsafe`: it may change what an agent may do, or the replaced text is referenced elsewhere; a person has to want it. Safe when absent.
   */
  readonly safety?: 'safe' | 'unsafe';
  readonly edits: readonly { readonly file: string; readonly start: number; readonly end: number; readonly text: string }[];
}

/** The audience of a finding: the author of the file, its reviewer, or only an audit; each also gets the findings of those before it. */
export const PERSONAS = ['author', 'reviewer', 'auditor'] as const;
export type Persona = (typeof PERSONAS)[number];

export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  /** The certainty that somebody should act. */
  readonly confidence: 'high' | 'medium' | 'low';
  readonly persona: Persona;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly location: Span;
  readonly related: readonly (RelatedPlace & Span)[];
  /** One sentence: the remedy. */
  readonly help: string | null;
  readonly fix: Required<Fix> | null;
}

/** The documentation of a rule; the pages below docs/rules are generated from it. */
export interface RuleDocs {
  /** One sentence: what the rule reports. */
  readonly what: string;
  readonly why: string;
  /** An example with the mistake, and the same example without it. */
  readonly bad: string;
  readonly good: string;
  /** One sentence: the remedy; also the help of every finding that has none of its own. */
  readonly fix: string;
  /** The source of its statements: a page of the runner's documentation, a section of its source code. Without a period. */
  readonly source?: string;
  /** The runner versions with which it was seen; without a period. */
  readonly verifiedOn?: string;
  /** The runners whose files it concerns; all if absent. */
  readonly runners?: readonly RunnerId[];
}

/** A rule in the form for the output formats. */
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
    /** The number of settings, hooks and MCP files. */
    readonly configs: number;
    /** The number of skills, commands and instructions. */
    readonly texts: number;
  };
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly withFindings: number;
  /** The number of findings with a correction. */
  readonly fixable: { readonly safe: number; readonly unsafe: number };
  /** The number of findings that a comment or `lint.ignores` accepts. */
  readonly suppressed: number;
  /** The number of findings that are in the baseline. */
  readonly baselined: number;
  /** The number of findings for another persona. */
  readonly hidden: number;
}

/** The complete result of lint. */
export interface LintReport {
  /**
   * In the order of files and lines; of more than a hundred findings of one rule in a file only the first ones, the last of them
   * with the number of the rest.
   */
  readonly findings: readonly Finding[];
  readonly unabridged: readonly Finding[];
  readonly summary: LintSummary;
  readonly rules: readonly RuleInfo[];
  /** Returns a line of a file in presentable form: secrets are masked. Null if there is no such line. */
  readonly lineOf: (file: string, line: number) => string | null;
  /** Returns the identity of a finding: its rule, its file and the text at its place, not its line. 16 hexadecimal digits. */
  readonly fingerprintOf: (finding: Finding) => string;
}
