/** Converts `prefix_rule` of Codex's rules/*.rules to rules of a policy, if its arguments are literals. */
import { parseLocated } from '../../policy/read/located.js';
import { type Literal, literalCalls } from '../../policy/read/starlark.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { type Imported, type ImportedRule, type ImportNote, MOST_ENTRIES, reasonNotToImport, shownEntry } from './rules.js';

const EFFECT_OF: ReadonlyMap<unknown, Effect> = new Map<unknown, Effect>([
  ['allow', 'allow'],
  ['prompt', 'ask'],
  ['forbidden', 'deny'],
]);
/** Maximum number of rules that one pattern with alternatives may expand to. */
const MOST_ALTERNATIVES = 64;

/**
 * Returns the rules of one `.rules` file. These files are programs (Starlark); only calls of prefix_rule with literal arguments
 * are read, and everything else is noted. Does not recognize a file that Codex would refuse as a whole. Never throws.
 */
export function importCodexRules(text: string, file: string): Imported {
  const rules: ImportedRule[] = [];
  const notes: ImportNote[] = [];
  for (const call of literalCalls(text).slice(0, MOST_ENTRIES)) {
    const place = `${file}:${call.line}`;
    const leave = (why: string) => notes.push({ place, entry: shownEntry(call.text), left: true, why });
    if (call.arguments === null) leave('it is not written out literally');
    else if (call.name !== 'prefix_rule') leave('there is no such rule here');
    else {
      const effect = EFFECT_OF.get(call.arguments.get('decision') ?? 'allow');
      const prefixes = prefixesOf(call.arguments.get('pattern'));
      if (effect === undefined) leave('its decision is none of allow, prompt, forbidden');
      else if (prefixes === null) leave('its pattern cannot be written as words');
      else for (const prefix of prefixes) take({ effect, text: `Bash(${prefix} *)` }, leave, rules);
    }
  }
  return { rules, notes };
}

function take(rule: ImportedRule, leave: (why: string) => void, rules: ImportedRule[]): void {
  const objection = reasonNotToImport(rule);
  if (objection === null) rules.push(rule);
  else leave(objection);
}

/** Expands `["git", ["status", "log"]]` to `git status`, `git log`; null if a word would have another meaning in our patterns. */
function prefixesOf(pattern: Literal | undefined): readonly string[] | null {
  if (!Array.isArray(pattern) || pattern.length === 0) return null;
  let prefixes: string[] = [''];
  for (const part of pattern) {
    const words = Array.isArray(part) ? part : [part];
    if (words.length === 0 || !words.every((word) => typeof word === 'string' && /^[\w@%+=:,./-]+$/.test(word))) return null;
    prefixes = prefixes.flatMap((prefix) => words.map((word) => `${prefix}${prefix === '' ? '' : ' '}${String(word)}`));
    if (prefixes.length > MOST_ALTERNATIVES) return null;
  }
  return prefixes;
}

/** Returns notes on the keys of a config.toml that concern permissions, none of which is a rule. */
export function codexConfigNotes(text: string, file: string): readonly ImportNote[] {
  const located = parseLocated(text, 'toml');
  if (!located.ok) return [{ place: `${file}:${located.problem.line}`, entry: file, left: true, why: located.problem.message }];
  const { data } = located;
  const said: readonly (readonly [key: string, why: string])[] = [
    ['approval_policy', 'when to ask is said by `default` and the rules of the policy'],
    ['sandbox_mode', 'a sandbox is the runner’s own; a policy judges calls before they run'],
    ['default_permissions', 'permission profiles are the runner’s own; write rules for what they allow'],
    ['permissions', 'permission profiles are the runner’s own; write rules for what they allow'],
  ];
  return said.flatMap(([key, why]) => {
    if (typeof data !== 'object' || data === null || !Object.hasOwn(data, key)) return [];
    const value: unknown = Object.getOwnPropertyDescriptor(data, key)?.value;
    return [{ place: `${file}:${located.keyAt(`/${key}`).line}`, entry: `${key} = ${shownEntry(value)}`, left: true, why }];
  });
}
