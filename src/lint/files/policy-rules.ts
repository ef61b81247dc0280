/** The readable rules of a policy file, even if other parts of it cannot be read: one mistake must not hide the next. */

import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import { parseEntry } from '../../rule/pattern/entry.js';
import { EFFECTS, type LayerName, type PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { ConfigKind } from '../places/place.js';
import type { Span } from '../text/finding.js';
import type { LocatedText } from '../text/located-text.js';
import { listedCallCount, listedCalls } from './allow-lists.js';

/** A permission rule with its span in the text. */
export interface RuleText {
  readonly rule: PermissionRule;
  readonly span: Span;
}

/** Strings that are not a rule are omitted; the policy's own problems name them. */
export function policyRules(data: LocatedText, file: string, layer: LayerName): RuleText[] {
  return rulesBelow(data, '', file, layer);
}

/** Returns the rules of a runner's settings, as rules of a policy; how the runner treats them is defined elsewhere. */
export function settingsRules(data: LocatedText, file: string, config: ConfigKind): RuleText[] {
  const layer = /settings\.local\.json$/.test(file) ? 'local' : 'project';
  const written = hasPermissionLists(config) ? rulesBelow(data, '/permissions', file, layer, MOST_SETTINGS_RULES) : [];
  const listed = listedCalls(data, config, MOST_SETTINGS_RULES).map(({ pointer, effect, tool, pattern, text }) => {
    const start = String(data.at(pointer)).indexOf(text);
    const span = data.insideSpan(pointer, start, start + text.length);
    return {
      rule: { effect, tool, pattern, text, layer, source: { file, line: span.line, column: span.column } } as const,
      span,
    };
  });
  return [...written, ...listed];
}

/** At most this many rules of each list in a runner's settings are judged. */
export const MOST_SETTINGS_RULES = 5_000;

/** Returns the number of permission rules in a runner's settings. */
export function settingsRuleCount(data: LocatedText, config: ConfigKind): number {
  const lists = hasPermissionLists(config) ? EFFECTS.map((effect) => data.at(`/permissions/${effect}`)) : [];
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), listedCallCount(data, config));
}

function hasPermissionLists(config: ConfigKind): boolean {
  return config === 'claude-settings' || config === 'qwen-settings';
}

function rulesBelow(
  data: LocatedText,
  above: string,
  file: string,
  layer: LayerName,
  most = Number.POSITIVE_INFINITY,
): RuleText[] {
  return EFFECTS.flatMap((effect) => {
    const list = data.at(`${above}/${effect}`);
    if (!Array.isArray(list)) return [];
    return list.slice(0, most).flatMap((item: unknown, index): RuleText[] => {
      const entry = pointerTo(`${above}/${effect}`, index);
      const pointer = isFields(item) ? `${entry}/rule` : entry;
      const text = data.at(pointer);
      const parsed = typeof text === 'string' ? parseEntry(text) : null;
      if (typeof text !== 'string' || !parsed?.ok) return [];
      const trimmed = text.trim();
      const start = text.length - text.trimStart().length;
      const span = data.insideSpan(pointer, start, start + trimmed.length);
      const source = { file, line: span.line, column: span.column };
      return [{ rule: { effect, tool: parsed.tool, pattern: parsed.pattern, text: trimmed, layer, source }, span }];
    });
  });
}
