/** Compiled rules as plain data: stored in a snapshot and the source of the index, without any compiling code. */

import type { PathPattern } from '../path/pattern.js';
import type { CoverReading } from '../pattern/command-pattern.js';
import type { NamePattern } from '../pattern/name-pattern.js';
import type { PermissionRule } from '../pattern/permission-rule.js';
import type { UrlPattern } from '../pattern/url-pattern.js';

/** The kinds of subjects of a pattern; the subject kinds query, name and text are all read as names. */
export const PATTERN_KINDS = ['command', 'path', 'url', 'name'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** A rule that an index found. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** True without a pattern, or with one that covers every call of the tool. */
  readonly total: boolean;
}

/** A rule with its pattern compiled for every kind of subject that its tool may have; JSON-safe. */
export interface CompiledRuleData extends CompiledRule {
  /** For an allow rule. */
  readonly covers: readonly CoverReading[];
  /** For an ask or deny rule: globs over a command. */
  readonly meets: readonly string[];
  readonly path: PathPattern | null;
  readonly url: UrlPattern | null;
  readonly name: NamePattern | null;
  /** `parameter:value`, e.g. `run_in_background:true`. */
  readonly parameter: { readonly name: string; readonly value: string } | null;
  /** Kinds for which an ask or deny pattern could not be compiled: it then meets every subject of the kind (fail closed). */
  readonly always: readonly PatternKind[];
}
