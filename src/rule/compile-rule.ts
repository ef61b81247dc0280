/** From a parsed rule to its compiled data; the only way to micromatch, so never imported where a call is decided. */

import type { CompiledRuleData, FieldPattern } from './index/compiled-rule.js';
import { compilePath } from './path/compile.js';
import { type ArgumentPattern, readArguments, valuePattern } from './pattern/argument-pattern.js';
import { coverReadings, meetGlobs } from './pattern/command-pattern.js';
import { compileName } from './pattern/name-pattern.js';
import type { PatternMistake } from './pattern/pattern-mistake.js';
import { PATTERN_KINDS, type PatternKind, type PermissionRule } from './pattern/permission-rule.js';
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
  const named = readArguments(rule);
  if (named === null) return compilePattern(rule, kinds);
  return 'code' in named ? incompilable(rule, PATTERN_KINDS, named) : compileArguments(rule, named);
}

/** For a pattern that says nothing: an allow covers nothing, and an ask or deny meets everything of these kinds. */
function incompilable(rule: PermissionRule, kinds: readonly PatternKind[], mistake: PatternMistake): Compilation {
  const data = () => ({ ...NOTHING, rule, always: rule.effect === 'allow' ? [] : kinds });
  return { data, mistakes: kinds.map((kind) => ({ ...mistake, kind })) };
}

/** A rule that names arguments has no other pattern. */
function compileArguments(rule: PermissionRule, named: readonly ArgumentPattern[]): Compilation {
  const compiled = named.map((one) => {
    const { kind, pattern } = valuePattern(one, rule.effect);
    return { ...one, kind, compilation: compilePattern({ ...rule, pattern }, [kind]) };
  });
  const mistakes = compiled.flatMap(({ compilation }) => compilation.mistakes);
  const field = ({ field: name, kind, quoted, compilation }: (typeof compiled)[number]): FieldPattern => ({
    ...{ name, kind, quoted },
    value: compilation.data(),
  });
  // What a restriction cannot compare, it meets.
  const kept = compiled.filter(({ compilation }) => rule.effect === 'allow' || compilation.mistakes.length === 0);
  let made: CompiledRuleData | null = null;
  const data = () => {
    made ??= { ...NOTHING, rule, total: kept.length === 0, fields: kept.map(field) };
    return made;
  };
  return { data, mistakes };
}

function compilePattern(rule: PermissionRule, kinds: readonly PatternKind[]): Compilation {
  const { pattern, effect } = rule;
  if (pattern === null || isTotal(rule, kinds)) return { data: () => ({ ...NOTHING, rule, total: true }), mistakes: [] };
  const unreadable = unreadablePattern(pattern);
  if (unreadable) return incompilable(rule, kinds, unreadable);

  const path = kinds.includes('path') ? compilePath(pattern, effect) : null;
  const url = kinds.includes('url') ? compileUrl(pattern, effect) : null;
  const pathMistake = path && 'code' in path ? [{ ...path, kind: 'path' as const }] : [];
  const urlMistake = url && 'code' in url ? [{ ...url, kind: 'url' as const }] : [];
  const isUrl = kinds.length > 1 && effect === 'allow' && !pattern.startsWith('.');
  const mistakes = kinds.length === 1 || mayBeMeantSo(rule) ? [...(isUrl ? [] : pathMistake), ...urlMistake] : [];
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
      fields: parameterOf(rule),
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
  fields: [],
  always: [],
} as const satisfies Omit<CompiledRuleData, 'rule'>;

/**
 * For a tool of unknown kind: whether the pattern may be meant as a path or URL. In a restriction, one without white space may be;
 * `rm -rf ../x` is not. An allow has to look like one.
 */
function mayBeMeantSo({ pattern, effect }: PermissionRule): boolean {
  return effect === 'allow' ? /^(?:https?:\/\/|domain:|\.\.\/)/i.test(pattern ?? '') : !/\s/.test(pattern ?? '');
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

/** Reads `parameter:value`, in an ask or deny about any other tool: it names an input field of the call beside its subject. */
function parameterOf(rule: PermissionRule): readonly FieldPattern[] {
  const { pattern, effect } = rule;
  if (effect === 'allow' || pattern?.includes(':') !== true) return [];
  const [, name = 'domain', value = '*'] = /^([A-Za-z_]\w*):(?!\/\/)(\S.*)$/.exec(pattern) ?? [];
  if (name === 'domain' || value === '*') return [];
  return [{ name, kind: 'name', quoted: false, value: compilePattern({ ...rule, pattern: value }, ['name']).data() }];
}
