/** Compiled rules as plain data: stored in a snapshot and the source of the index, without any compiling code. */

import type { PathPattern } from '../path/pattern.js';
import type { CoverReading } from '../pattern/command-pattern.js';
import type { NamePattern } from '../pattern/name-pattern.js';
import type { PatternKind, PermissionRule } from '../pattern/permission-rule.js';
import type { UrlPattern } from '../pattern/url-pattern.js';

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
  /** The input fields that it names, each of which has to match: `run_in_background:true`, `owner: acme, repo: app`. */
  readonly fields: readonly FieldPattern[];
  /** Kinds for which an ask or deny pattern could not be compiled: it then meets every subject of the kind (fail closed). */
  readonly always: readonly PatternKind[];
}

/** An input field that a rule names. */
export interface FieldPattern {
  readonly name: string;
  readonly kind: PatternKind;
  readonly quoted: boolean;
  /** The rule with the pattern of the field's value alone. */
  readonly value: CompiledRuleData;
}

/** Whether a rule is only about input fields, not about the tool's subject. */
export function isAboutFields({ fields, name }: Pick<CompiledRuleData, 'fields' | 'name'>): boolean {
  return fields.length > 0 && name === null;
}
