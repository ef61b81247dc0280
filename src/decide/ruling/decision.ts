/** Types of a decision: the effect, its stage, its rule, and its reasons. */

import type { Effect, LayerName } from '../../rule/pattern/permission-rule.js';
import type { Span } from '../../shell/syntax/types.js';

export const STAGES = ['agent', 'policy', 'budget'] as const;
export type Stage = (typeof STAGES)[number];

/** A rule as referenced in a decision. */
export interface RuleReference {
  readonly text: string;
  readonly effect: Effect;
  readonly layer: LayerName;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason?: string;
}

export interface Reason {
  /** Stable code, e.g. `rule/deny`, `shell/command-substitution`, `protected/path`, `default`. */
  readonly code: string;
  readonly message: string;
  /** Position in the command line, for shell calls. */
  readonly span?: Span;
}

/** The verdict on one command of a command line. */
export interface CommandDecision {
  readonly text: string;
  readonly span: Span;
  readonly decision: Effect;
  readonly rule: RuleReference | null;
  readonly reasons: readonly Reason[];
  readonly inner: readonly CommandDecision[];
}

export interface StageResult {
  readonly stage: Stage;
  readonly decision: Effect;
  readonly rule: RuleReference | null;
  readonly reasons: readonly Reason[];
}

export interface Decision {
  readonly version: 1;
  readonly decision: Effect;
  /** Present if the policy only observes: the decision is hypothetical, and nothing is blocked. */
  readonly mode?: 'observe';
  /** The first stage whose answer equals the decision. */
  readonly stage: Stage;
  readonly rule: RuleReference | null;
  /** Every rule that matched, whatever its effect. */
  readonly matched: readonly RuleReference[];
  readonly reasons: readonly Reason[];
  readonly stages: readonly StageResult[];
  /** One per command found, for shell calls; empty otherwise. */
  readonly commands: readonly CommandDecision[];
  /** An alternative that this same policy allows, if known. */
  readonly suggestion: string | null;
  /** One line for a person. */
  readonly message: string;
  readonly call: {
    readonly tool: string;
    /** The tool's canonical name. */
    readonly canonical: string;
    readonly agent: string | null;
    readonly runner: string | null;
  };
}

/**
 * Codes of an explicit allow: a written rule, a preset, or a command that is allowed because of what it runs, or because it runs nothing.
 */
const EXPLICIT = /^(?:rule|preset|shell)\//;

/** Whether a reason for an allow is more than the absence of a prohibition. */
export function isExplicit({ code }: Reason): boolean {
  return EXPLICIT.test(code);
}

/**
 * True if written rules or a preset allow the call and every command of it, so that a runner may skip its own prompt ("The way a
 * tool call goes"). An allow by a default, a tier, `onAsk` or a runner's own files leaves the call to the runner.
 */
export function isAllowedExplicitly({ decision, stages }: Decision): boolean {
  if (decision !== 'allow' || stages.some((stage) => stage.decision !== 'allow')) return false;
  return stages.some(({ stage, reasons }) => stage === 'policy' && reasons.length > 0 && reasons.every(isExplicit));
}

/** Reason codes for the outcome of a question: they are shown separately and are not additional reasons. */
const CONSEQUENCE = /^(?:ask\/|on-ask\/deny$)/;

export interface ToldReasons {
  readonly first: string;
  /** A phrase with the number of other reasons; empty if there are none. */
  readonly more: string;
  /** The outcome of the question; null if it is open, or if it is the first reason itself. */
  readonly then: string | null;
}

export function told(reasons: readonly Reason[]): ToldReasons {
  const first = reasons[0]?.message ?? 'no reason was given';
  const then = reasons.find(({ code }, at) => at > 0 && CONSEQUENCE.test(code))?.message ?? null;
  const others = new Set(reasons.map(({ message }) => message));
  for (const said of [first, then ?? first]) others.delete(said);
  const more = others.size === 0 ? '' : ` (and ${others.size} more ${others.size === 1 ? 'reason' : 'reasons'})`;
  return { first, more, then };
}

/** One line for a person. */
export function sentence({ first, more, then }: ToldReasons): string {
  return joined([`${first}${more}`, ...(then === null ? [] : [then])]);
}

/** Joins parts: a part that ends with a full stop is followed by a new sentence, the others by a semicolon. */
export function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) =>
    text.endsWith('.') ? `${text} ${part.charAt(0).toUpperCase()}${part.slice(1)}` : `${text}; ${part}`,
  );
}

/** One lint or audit result. */
export interface Finding {
  readonly ruleId: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly persona: 'author' | 'reviewer' | 'auditor';
  readonly message: string;
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
  readonly related: readonly {
    readonly message: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  }[];
  readonly help: string | null;
  readonly fix: {
    readonly description: string;
    readonly edits: readonly { readonly file: string; readonly start: number; readonly end: number; readonly text: string }[];
  } | null;
}
