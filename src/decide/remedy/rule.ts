/** Narrow allow rules, compiled without the compiler for path wildcards, so that the hook too can try the effect of a rule. */

import type { CompiledRuleData, FieldPattern } from '../../rule/index/compiled-rule.js';
import { indexRules, type RuleSet } from '../../rule/index/rule-index.js';
import { foldPath } from '../../rule/path/location.js';
import type { PathPattern } from '../../rule/path/pattern.js';
import { readArguments, valuePattern } from '../../rule/pattern/argument-pattern.js';
import { coverReadings } from '../../rule/pattern/command-pattern.js';
import { parseEntry } from '../../rule/pattern/entry.js';
import { compileName } from '../../rule/pattern/name-pattern.js';
import type { LayerName, PermissionRule } from '../../rule/pattern/permission-rule.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { compileUrl } from '../../rule/pattern/url-pattern.js';
import type { CompiledPolicy } from '../policy/policy-data.js';

/** The subject of a candidate's pattern; `tool` is a rule without a pattern. */
export type NarrowKind = 'command' | 'path' | 'url' | 'name' | 'arguments' | 'tool';

/**
 * An allow rule of a kind that candidates.ts creates, compiled as by `compileRule` (a test compares the two); null if the text
 * does not parse back into the same tool and pattern, or means more than intended.
 */
export function compileNarrow(tool: string, pattern: string | null, kind: NarrowKind): CompiledRuleData | null {
  const text = pattern === null ? tool : `${tool}(${pattern})`;
  const entry = parseEntry(text);
  if (!entry.ok || entry.tool !== tool || entry.pattern !== pattern || (pattern === null) !== (kind === 'tool')) return null;
  const rule = { effect: 'allow', tool, pattern, text, layer: 'local', source: { file: '', line: 0, column: 0 } } as const;
  if (kind !== 'arguments') return narrowData(rule, kind);
  const named = readArguments(rule);
  if (named === null || 'code' in named) return null;
  const fields = named.flatMap((one): FieldPattern[] => {
    const { kind: own, pattern: wanted } = valuePattern(one, 'allow');
    const value = narrowData({ ...rule, pattern: wanted }, own);
    return value === null ? [] : [{ name: one.field, kind: own, quoted: one.quoted, value }];
  });
  return fields.length < named.length ? null : { ...NOTHING, rule, fields };
}

const NOTHING = { total: false, covers: [], meets: [], path: null, url: null, name: null, fields: [], always: [] } as const;

function narrowData(rule: PermissionRule, kind: NarrowKind): CompiledRuleData | null {
  const { pattern } = rule;
  if (pattern === null) return { ...NOTHING, rule, total: true };
  const url = kind === 'url' ? compileUrl(pattern, 'allow') : null;
  if (url !== null && 'code' in url) return null;
  const covers = kind === 'command' ? coverReadings(pattern) : [];
  const path = kind === 'path' ? literalPath(pattern) : null;
  return { ...NOTHING, rule, covers, path, url, name: compileName(pattern, 'cover') };
}

/** `/src/**`, `/a.ts`, `//etc/hosts`: literal names, optionally followed by everything below. */
function literalPath(pattern: string): PathPattern {
  const names = pattern.replace(/\/\*\*$/, '').split('/');
  const segments = names
    .filter((name) => name !== '')
    .map((text) => ({ kind: 'literal', text, folded: foldPath(text) }) as const);
  return { anchor: pattern.startsWith('//') ? 'root' : 'project', segments };
}

/** The policy with these additional allow rules of a layer; asks and denials stay unchanged. */
export function policyWith(compiled: CompiledPolicy, allowing: readonly CompiledRuleData[], layer: LayerName): CompiledPolicy {
  const written = allowing.map((one) => ({ ...one, rule: { ...one.rule, layer } }));
  const added = indexRules(written, toolsCovered);
  const rules = alsoCovering(compiled.rules, added);
  return { ...compiled, rules, bodies: compiled.bodies.map((body) => (body === compiled.rules ? rules : body)) };
}

function alsoCovering(rules: RuleSet, added: RuleSet): RuleSet {
  return {
    ...rules,
    total: (tool) => [...rules.total(tool), ...added.total(tool)],
    coversCommand: (tool, words, issues) => [
      ...rules.coversCommand(tool, words, issues),
      ...added.coversCommand(tool, words, issues),
    ],
    coversText: (tool, kind, text) => [...rules.coversText(tool, kind, text), ...added.coversText(tool, kind, text)],
    coversPath: (tool, location) => [...rules.coversPath(tool, location), ...added.coversPath(tool, location)],
    fields: (tool) => [...rules.fields(tool), ...added.fields(tool)],
    coversUrl: (tool, url) => [...rules.coversUrl(tool, url), ...added.coversUrl(tool, url)],
  };
}
