/** Whether a call is one that a rule about input fields names: `mcp__slack__send_message(channel: C09*)`, `Bash(run_in_background:true)`. */
import { isFields } from '../../call/fields.js';
import type { Subject } from '../../call/tool-call.js';
import type { FieldRule } from '../../rule/index/rule-index.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { urlWordCovers } from '../../rule/pattern/url-word.js';
import { globMatch, hasWildcard } from '../../rule/pattern/wildcard.js';
import type { RuleSet } from '../../rule/rule-set.js';
import type { CallAnalysis, ReadLine } from '../flow/analysis.js';
import { certainValues, foldKey, foldText, possibleValues, type Scalar } from './field-values.js';

type Field = FieldRule['fields'][number];

/** Compares a path or a command line of a call with the one pattern in `values`: covered by an allow, or met by an ask or deny. */
export interface FieldComparison {
  readonly path: (values: RuleSet, subject: Subject, effect: Effect) => boolean;
  readonly line: (values: RuleSet, line: ReadLine, effect: Effect) => boolean;
  /** Whether the path of a subject lies in the project. */
  readonly isInProject: (subject: Subject) => boolean;
}

/**
 * An allow needs every value of every field that it names. A restriction meets as soon as each field has one value that matches,
 * and compares as loosely as any server may. A call without the field is not what either is about.
 */
export function namesFields({ rule, fields }: FieldRule, analysis: CallAnalysis, comparison: FieldComparison): boolean {
  if (rule.rule.effect !== 'allow') return fields.every((field) => meetsField(field, analysis, comparison));
  if (!fields.every((field) => coversField(field, analysis, comparison))) return false;
  return !fields.some(({ kind }) => kind === 'command') || isAllSaid(fields, analysis, comparison);
}

/** Names of fields, folded, with texts for people, or of things that are there already; and of switches. */
const FOR_PEOPLE =
  /^(?:description|explanation|reason|reasoning|title|summary|comments?|notes?|purpose|intent|(?:session|terminal|request|call|task|tool(?:use|call))?id)$/;
/** A word that no shell reads as more than one. */
const PLAIN_WORD = /^[\w@%+=:,./-]*$/;
const SWITCH = /background|wait|async|verbose|quiet|stream|capture/;

/**
 * Whether the rule names every field that may change what its command does, such as variables, a shell or an input. A working
 * folder in the project need not be named.
 */
function isAllSaid(
  fields: readonly Field[],
  { input, subjects, lines }: CallAnalysis,
  { isInProject }: FieldComparison,
): boolean {
  const isSaid = (name: string, key: string, value: unknown): boolean => {
    if (FOR_PEOPLE.test(foldKey(key)) || fields.some((field) => field.name === name)) return true;
    if (key === 'args' && lines.some(({ subject }) => subject.field === name))
      return Array.isArray(value) && value.every((one) => typeof one === 'string' && PLAIN_WORD.test(one));
    if (value === true) return SWITCH.test(foldKey(key));
    if (isFields(value)) return Object.entries(value).every(([inner, one]) => isSaid(`${name}.${inner}`, inner, one));
    if (value === null || value === false || typeof value === 'number') return true;
    const found = subjects.subjects.filter(({ field }) => field === name);
    return found.length > 0 && found.every((one) => one.kind === 'path' && WORKING_FOLDER.test(foldKey(key)) && isInProject(one));
  };
  return Object.entries(input).every(([key, value]) => isSaid(key, key, value));
}

const WORKING_FOLDER = /^(?:cwd|work(?:ing)?dir(?:ectory)?|dir|directory|folder|path)$/;

function meetsField(field: Field, { input, subjects, lines }: CallAnalysis, comparison: FieldComparison): boolean {
  const { name, kind, value, values } = field;
  const found = possibleValues(input, name);
  if (found === null || (value.total && found.length > 0)) return true;
  const pattern = foldText(value.rule.pattern ?? '').trim();
  const means = (text: string) =>
    globMatch(pattern, text) || SAME.get(text) === pattern || (text !== '' && Number(text) === Number(pattern || 'NaN'));
  if (found.some((one) => means(foldText(String(one)).trim()))) return true;
  const folded = foldKey(name);
  const isIn = (subject: Subject) => `${foldKey(subject.field)}.`.startsWith(`${folded}.`);
  const { effect } = value.rule;
  switch (kind) {
    case 'path':
      return subjects.subjects.some((one) => one.kind === 'path' && isIn(one) && comparison.path(values, one, effect));
    case 'url':
      return subjects.subjects.some((one) => one.kind === 'url' && isIn(one) && values.meetsUrl(name, one.value).length > 0);
    case 'command':
      return lines.some((line) => isIn(line.subject) && comparison.line(values, line, effect));
    case 'name':
      return false;
  }
}

/** Texts and numbers that many servers take for a truth value. */
const SAME: ReadonlyMap<string, string> = new Map([
  ...['1', 'yes', 'y', 'on', 't'].map((text) => [text, 'true'] as const),
  ...['0', 'no', 'n', 'off', 'f'].map((text) => [text, 'false'] as const),
]);

function coversField(field: Field, { input, subjects, lines }: CallAnalysis, comparison: FieldComparison): boolean {
  const { name, kind, value, values, quoted } = field;
  const found = certainValues(input, name);
  if (found === null || found.length === 0) return false;
  if (value.total) return true;
  const pattern = value.rule.pattern ?? '';
  if (kind === 'name') return found.every((one) => coversScalar(pattern, quoted, one));
  if (subjects.missing || !found.every((one) => typeof one === 'string' && one !== '')) return false;
  const isExact = (text: string) => !hasWildcard(pattern) && text === pattern;
  const inField = subjects.subjects.filter((one) => one.field === name);
  switch (kind) {
    case 'path':
      return inField.length > 0 && inField.every((one) => one.kind === 'path' && comparison.path(values, one, 'allow'));
    case 'url':
      return (
        inField.length > 0 &&
        inField.every((one) => one.kind === 'url' && (isExact(one.value) || values.coversUrl(name, one.value).length > 0))
      );
    case 'command': {
      // `{command: 'rm', args: ['-rf', '/']}` is one line, whose field is `args`.
      const args = name.replace(/[^.]+$/, 'args');
      const own = lines.filter(({ subject }) => subject.field === name || subject.field === args);
      return own.length > 0 && own.every((line) => isExact(line.subject.value) || comparison.line(values, line, 'allow'));
    }
  }
}

/** A way up in a path, in any spelling: no wildcard stands for it. */
const CLIMBS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i;

function coversScalar(pattern: string, quoted: boolean, value: Scalar): boolean {
  const isText = typeof value === 'string';
  // The text "false" counts as true in many languages.
  if (isText ? !quoted && /^(?:true|false)$/.test(pattern) : quoted) return false;
  const text = String(value);
  if (!hasWildcard(pattern)) return text === pattern;
  if (pattern.includes('://')) return urlWordCovers(pattern, text);
  return !CLIMBS.test(text) && globMatch(pattern, text);
}
