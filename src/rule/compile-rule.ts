/** From a parsed rule to its compiled data; the only way to micromatch, so never imported where a call is decided. */

import type { CompiledRuleData, PatternKind } from './index/compiled-rule.js';
import { compilePath } from './path/compile.js';
import { coverReadings, meetGlobs } from './pattern/command-pattern.js';
import { compileName } from './pattern/name-pattern.js';
import type { PatternMistake } from './pattern/pattern-mistake.js';
import type { PermissionRule } from './pattern/permission-rule.js';
import { compileUrl } from './pattern/url-pattern.js';

const MAX_PATTERN = 4096;

/** A compiled rule, and the mistakes in its pattern for every kind that it cannot be compiled for. */
export interface Compilation {
  /** Compiled on first use: rules that do not apply are only checked for mistakes. */
  readonly data: () => CompiledRuleData;
  readonly mistakes: readonly (PatternMistake & { readonly kind: PatternKind })[];
}

/**
 * Compiles one rule for the kinds of subject that its tool may have. With a mistake, an allow covers nothing of that kind, and an
 * ask or deny meets everything of it; the caller reports the mistake.
 */
export function compileRule(rule: PermissionRule, kinds: readonly PatternKind[]): Compilation {
  const { pattern, effect } = rule;
  if (pattern === null || isTotal(rule, kinds)) return { data: () => ({ ...NOTHING, rule, total: true }), mistakes: [] };
  const unreadable = unreadablePattern(pattern);
  if (unreadable) {
    const mistakes = kinds.map((kind) => ({ ...unreadable, kind }));
    return { data: () => ({ ...NOTHING, rule, always: effect === 'allow' ? [] : kinds }), mistakes };
  }

  const path = kinds.includes('path') ? compilePath(pattern, effect) : null;
  const url = kinds.includes('url') ? compileUrl(pattern, effect) : null;
  const pathMistake = path && 'code' in path ? [{ ...path, kind: 'path' as const }] : [];
  const urlMistake = url && 'code' in url ? [{ ...url, kind: 'url' as const }] : [];
  const mistakes = kinds.length === 1 || mayBeMeantSo(rule) ? [...pathMistake, ...urlMistake] : [];
  const command = kinds.includes('command');
  let made: CompiledRuleData | null = null;
  const data = () => {
    made ??= {
      rule,
      total: false,
      covers: command && effect === 'allow' ? coverReadings(pattern) : [],
      meets: command && effect !== 'allow' ? meetGlobs(pattern) : [],
      path: path && 'code' in path ? null : path,
      url: url && 'code' in url ? null : url,
      name: compileName(pattern, effect === 'allow' ? 'cover' : 'meet'),
      parameter: parameterOf(pattern),
      always: effect === 'allow' ? [] : mistakes.map((mistake) => mistake.kind),
    };
    return made;
  };
  return { data, mistakes };
}

const NOTHING = {
  total: false,
  covers: [],
  meets: [],
  path: null,
  url: null,
  name: null,
  parameter: null,
  always: [],
} as const satisfies Omit<CompiledRuleData, 'rule'>;

/**
 * For a tool of unknown kind: whether a restriction may be meant as a path or URL. One without white space may be; `rm -rf ../x` is not.
 */
function mayBeMeantSo(rule: PermissionRule): boolean {
  return rule.effect !== 'allow' && !/\s/.test(rule.pattern ?? '');
}

/** Whether the pattern covers every call: `*` and `**` do, except that an allow over paths ends at the project's edge (`Read(**)`). */
function isTotal(rule: PermissionRule, kinds: readonly PatternKind[]): boolean {
  return (rule.pattern === '*' || rule.pattern === '**') && (rule.effect !== 'allow' || !kinds.includes('path'));
}

function unreadablePattern(pattern: string): PatternMistake | null {
  if (pattern.length > MAX_PATTERN) return { code: 'rule/too-long', message: `A pattern has at most ${MAX_PATTERN} characters.` };
  if (!/[\u0000-\u001f\u007f]/.test(pattern)) return null;
  return { code: 'rule/control-character', message: 'A pattern may not hold control characters.' };
}

/** Reads `parameter:value`, which names an input field of the call instead of its subject. */
function parameterOf(pattern: string): CompiledRuleData['parameter'] {
  if (!pattern.includes(':')) return null;
  const parts = /^([A-Za-z_]\w*):(?!\/\/)(\S.*)$/.exec(pattern);
  const name = parts?.[1];
  const value = parts?.[2];
  return name === undefined || value === undefined || name === 'domain' || value === '*' ? null : { name, value };
}
