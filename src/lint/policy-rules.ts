/** The rules of a policy file that can be read, also when other parts of the file cannot: one mistake must not hide the next. */
import { pointerTo } from '../policy/pointer.js';
import { parseEntry } from '../rule/entry.js';
import { EFFECTS, type PermissionRule } from '../rule/permission-rule.js';
import type { Span } from './finding.js';
import { isMap, type LocatedText } from './located-text.js';

/** A permission rule with the stretch of text that it is. */
export interface RuleText {
  readonly rule: PermissionRule;
  readonly span: Span;
}

/** Texts that are no rule are left out; the policy's own problems name them. */
export function policyRules(data: LocatedText, file: string, layer: 'project' | 'local'): RuleText[] {
  return EFFECTS.flatMap((effect) => {
    const list = data.at(`/${effect}`);
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown, index): RuleText[] => {
      const pointer = isMap(item) ? `${pointerTo(`/${effect}`, index)}/rule` : pointerTo(`/${effect}`, index);
      const text = data.at(pointer);
      const entry = typeof text === 'string' ? parseEntry(text) : null;
      if (typeof text !== 'string' || !entry?.ok) return [];
      const trimmed = text.trim();
      const start = text.length - text.trimStart().length;
      const span = data.insideSpan(pointer, start, start + trimmed.length);
      const source = { file, line: span.line, column: span.column };
      return [{ rule: { effect, tool: entry.tool, pattern: entry.pattern, text: trimmed, layer, source }, span }];
    });
  });
}
