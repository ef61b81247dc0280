/** One policy file: from its text to rules and settings with exact places, or to messages about its mistakes. */

import { isFields } from '../call/fields.js';
import { canExecute } from '../command/model/assignments.js';
import { parseEntry } from '../rule/pattern/entry.js';
import {
  EFFECTS,
  type Effect,
  type LayerName,
  type PermissionRule,
  type SourcePosition,
} from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import { patternMistakes } from '../rule/rule-set.js';
import { nearestWord } from './nearest.js';
import type { PolicyProblem } from './policy.js';
import { type Format, type Located, type Place, parseLocated } from './read/located.js';
import { policyErrors } from './schema-errors.js';
import { complaintsOf } from './sentences.js';
import { type Setting, settingsOf } from './settings.js';

/** One file's contribution to a policy, valid in itself. */
export interface PolicyDocument {
  readonly file: string;
  readonly layer: LayerName;
  readonly rules: readonly PermissionRule[];
  readonly settings: readonly Setting[];
  /** The base file as written, and its place; null without `extends`. */
  readonly extends: { readonly path: string; readonly source: SourcePosition } | null;
}

export interface ParsedPolicy {
  /** Null if there are problems, or for a foreign file. */
  readonly document: PolicyDocument | null;
  /** In text order, at most 50. */
  readonly problems: readonly PolicyProblem[];
  /** Another tool's file of the same name: to be ignored with a note. */
  readonly foreign: boolean;
}

/** Names that, together with `version`, make a map one of our policies. */
export const POLICY_KEYS: readonly string[] = [
  'extends',
  'preset',
  'default',
  'allow',
  'ask',
  'deny',
  'agents',
  'mode',
  'onAsk',
  'protectedBranches',
  'harmlessVariables',
  'protected',
  'trustedRepos',
  'sequential',
  'run',
  'budget',
  'tiers',
  'custom_tools',
  'log',
  'hook',
  'isolation',
  'lint',
  'security',
];

const MOST_PROBLEMS = 50;

/**
 * Reads one policy file. Pure; never throws: every text yields a document, a foreign file, or problems. Only a project's files
 * can be foreign: the user's and the managed path can have no other file.
 * @param parse for a caller that also needs the parsed text Source: design "The policy file" ("Which file is ours").
 */
export function parsePolicy(
  text: string,
  options: { readonly file: string; readonly format: Format; readonly layer: LayerName },
  parse: typeof parseLocated = parseLocated,
): ParsedPolicy {
  const { file, format, layer } = options;
  const located = parse(text, format);
  if (!located.ok) {
    const { code, message, line, column } = located.problem;
    return failed([{ code, message, source: { file, line, column } }]);
  }
  if ((layer === 'project' || layer === 'local') && !isOurs(located.data)) return { document: null, problems: [], foreign: true };
  const problems = [...newerVersion(located, file)];
  if (problems.length > 0) return failed(problems);
  problems.push(...schemaProblems(located, file));
  if (!isFields(located.data)) return failed(problems);

  const { data } = located;
  const rules = EFFECTS.flatMap((effect) => rulesOf(data[effect], effect, located, options, problems));
  problems.push(...executingVariables(data.harmlessVariables, located, file));
  if (problems.length > 0) return failed(problems);
  const settings = settingsOf(data, (pointer) => at(file, located.valueAt(pointer)));
  const base = typeof data.extends === 'string' ? { path: data.extends, source: at(file, located.valueAt('/extends')) } : null;
  return { document: { file, layer, rules, settings, extends: base }, problems: [], foreign: false };
}

/** The base file that a document names; the caller reads it and puts its layer before the document's own. */
export function documentExtends(document: PolicyDocument): PolicyDocument['extends'] {
  return document.extends;
}

/** The document of `--preset P`, as if a file of that layer had set it. */
export function presetDocument(preset: string): PolicyDocument {
  const source = { file: '--preset', line: 1, column: 1 };
  return {
    file: '--preset',
    layer: 'cli',
    rules: [],
    settings: [{ key: 'preset', member: null, value: preset, source }],
    extends: null,
  };
}

/** Files of Copilot CLI and Cursor contain `version` and this key (`policy install` writes `.github/hooks/policy.json` this way). */
const HOOK_FILE_KEY = 'hooks';

/** A map with `version` and a known key; a typo in either does not make it another tool's file. */
function isOurs(data: unknown): boolean {
  if (!isFields(data)) return false;
  const keys = Object.keys(data).filter((key) => key !== HOOK_FILE_KEY);
  const near = (known: readonly string[]) =>
    keys.some((key) => known.includes(key)) || keys.some((key) => nearestWord(key, known) !== null);
  return near(['version']) && near(POLICY_KEYS);
}

function newerVersion(located: Located, file: string): PolicyProblem[] {
  const version = isFields(located.data) ? located.data.version : undefined;
  if (typeof version !== 'number' || !Number.isInteger(version) || version <= 1) return [];
  const message = `version ${version} was written for a newer agent-policy; this one reads version 1.`;
  return [{ code: 'policy/newer-version', message, source: at(file, located.valueAt('/version')) }];
}

function schemaProblems(located: Located, file: string): PolicyProblem[] {
  return complaintsOf(policyErrors(located.data)).map(({ code, message, pointer, about }) => ({
    code,
    message,
    source: at(file, about === 'key' ? located.keyAt(pointer) : located.valueAt(pointer)),
  }));
}

/** Variables that can make programs run others: they can only be set by a rule that writes them out with a value. */
function executingVariables(list: unknown, located: Located, file: string): PolicyProblem[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || !(canExecute(name) || name.startsWith('GIT_'))) return [];
    const message = `${name} can make programs run others, so it is never harmless; write it into the rule that needs it: Bash(${name}=value command).`;
    return [{ code: 'policy/executing-variable', message, source: at(file, located.valueAt(`/harmlessVariables/${index}`)) }];
  });
}

/** The rules of one list; a text that is not a rule becomes a problem at the offending character. */
function rulesOf(
  list: unknown,
  effect: Effect,
  located: Located,
  { file, layer }: { readonly file: string; readonly layer: LayerName },
  problems: PolicyProblem[],
): PermissionRule[] {
  if (!Array.isArray(list)) return [];
  const rules: PermissionRule[] = [];
  list.forEach((item: unknown, index) => {
    const fields = isFields(item) ? item : null;
    const pointer = `/${effect}/${index}${fields === null ? '' : '/rule'}`;
    const text = fields === null ? item : fields.rule;
    // The schema has already reported this.
    if (typeof text !== 'string') return;
    const problem = ({ code, message }: Pick<PolicyProblem, 'code' | 'message'>, offset: number) => {
      problems.push({ code, message, source: at(file, located.insideAt(pointer, text, offset)) });
    };
    const entry = parseEntry(text);
    if (!entry.ok) {
      problem(entry, entry.offset);
      return;
    }
    const { tool, pattern } = entry;
    const source = at(file, located.valueAt(pointer));
    const rule: PermissionRule = { effect, tool, pattern, text: text.trim(), layer, source, ...(fields && detailsOf(fields)) };
    for (const mistake of patternMistakes(rule, toolsCovered))
      problem(mistake, text.indexOf(pattern ?? '', text.indexOf('(') + 1));
    rules.push(rule);
  });
  return rules;
}

/** The further fields of a rule that is written as a map. */
function detailsOf({ reason, suggest, match, notMatch }: Readonly<Record<string, unknown>>): Partial<PermissionRule> {
  return {
    ...(typeof reason === 'string' && { reason }),
    ...(typeof suggest === 'string' && { suggest }),
    ...(Array.isArray(match) && { match: match.map(String) }),
    ...(Array.isArray(notMatch) && { notMatch: notMatch.map(String) }),
  };
}

function failed(problems: readonly PolicyProblem[]): ParsedPolicy {
  const sorted = [...problems].sort((a, b) => a.source.line - b.source.line || a.source.column - b.source.column);
  return { document: null, problems: sorted.slice(0, MOST_PROBLEMS), foreign: false };
}

function at(file: string, { line, column }: Place): SourcePosition {
  return { file, line, column };
}
