/** Adds a rule to a JSON policy. */
import { insertInBrackets } from './brackets.js';
import { type EditedText, type Insertion, type NewRule, offsetOf } from './insertion.js';

export const JSON_SYNTAX = { comments: 'none', quotes: 'json' } as const;

/** Where to insert the rule; null if the text has no place for it. */
export function insertInJson(edited: EditedText, rule: NewRule): readonly Insertion[] | null {
  const { source } = edited;
  const list = offsetOf(edited, `/${rule.effect}`);
  const entry =
    rule.reason === undefined
      ? JSON.stringify(rule.text)
      : `{ "rule": ${JSON.stringify(rule.text)}, "reason": ${JSON.stringify(rule.reason)} }`;
  if (list !== null) return source[list] === '[' ? insertInBrackets(source, list, entry, JSON_SYNTAX) : null;
  const root = offsetOf(edited, '');
  return root === null ? null : insertInBrackets(source, root, `"${rule.effect}": [${entry}]`, JSON_SYNTAX);
}
