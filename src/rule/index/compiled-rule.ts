/** Compiled rules as plain data: what a snapshot stores and the index is built from, without any compiling code. */

import type { PathPattern } from '../path/pattern.js';
import type { CoverReading } from '../pattern/command-pattern.js';
import type { NamePattern } from '../pattern/name-pattern.js';
import type { PermissionRule } from '../pattern/permission-rule.js';
import type { UrlPattern } from '../pattern/url-pattern.js';

/** What a pattern is about; the subject kinds query, name and text are all read as names. */
export const PATTERN_KINDS = ['command', 'path', 'url', 'name'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** A rule that an index found. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** No pattern, or one that stands for every call of the tool. */
  readonly total: boolean;
}

/** A rule with its pattern compiled for every kind of subject that its tool may have; JSON-safe. */
export interface CompiledRuleData extends CompiledRule {
  /** Of an allow rule. */
  readonly covers: readonly CoverReading[];
  /** Globs over a command, of an ask or deny rule. */
  readonly meets: readonly string[];
  readonly path: PathPattern | null;
  readonly url: UrlPattern | null;
  readonly name: NamePattern | null;
  /** `parameter:value`, e.g. `run_in_background:true`. */
  readonly parameter: { readonly name: string; readonly value: string } | null;
  /** Kinds for which an ask or deny pattern could not be compiled: it then meets every subject of the kind (fail closed). */
  readonly always: readonly PatternKind[];
}
