/** Adds a rule to the text of a policy file, or removes one; everything else stays as written. */
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { PolicyDocument } from '../document.js';
import { parsePolicy } from '../document.js';
import type { PolicyLayerName } from '../layers.js';
import type { PolicyProblem } from '../policy.js';
import { type Format, parseLocated } from '../read/located.js';
import type { EditedText, Insertion, NewRule } from './insertion.js';
import { insertInJson } from './json.js';
import { removalOf, type WrittenRule } from './removal.js';
import { insertInToml } from './toml.js';
import { insertInYaml } from './yaml.js';

export interface EditedFile {
  /** The file's name in problems. */
  readonly file: string;
  readonly format: Format;
  readonly layer: PolicyLayerName;
}

export type PolicyEdit =
  | { readonly ok: true; readonly text: string; readonly document: PolicyDocument }
  /** The file itself contains mistakes, or is not a policy of ours. */
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

const INSERTERS: Readonly<Record<Format, (edited: EditedText, rule: NewRule) => readonly Insertion[] | null>> = {
  yaml: insertInYaml,
  json: insertInJson,
  toml: insertInToml,
};

/**
 * Returns the text with one more rule, at the end of its list and in the list's own style; a missing list is added. Text is only
 * inserted. The result is parsed again, and returned only if it means the same as the old text plus exactly this rule; otherwise
 * the answer is a problem, and the file should not be changed. Pure. Source: issue "policy allow|deny|ask".
 */
export function addRule(text: string, rule: NewRule, target: EditedFile): PolicyEdit {
  const before = parsePolicy(text, target);
  if (before.document === null)
    return { ok: false, problems: before.foreign ? [problem(target, 'file/foreign', FOREIGN)] : before.problems };
  const edited = withInsertions(text, target.format, (source) => INSERTERS[target.format](source, rule));
  const after = edited === null ? null : parsePolicy(edited, target).document;
  if (edited === null || after === null || !differsByRule(before.document, after, rule))
    return { ok: false, problems: [problem(target, 'edit/unclear', unclear(rule))] };
  return { ok: true, text: edited, document: after };
}

/**
 * Returns the text without a rule: removes its entry with the lines it occupies; everything else stays as written. The result is
 * parsed again, and returned only if it means the same as the old text without exactly this rule. Pure.
 */
export function removeRule(text: string, rule: WrittenRule, target: EditedFile): PolicyEdit {
  const before = parsePolicy(text, target);
  if (before.document === null)
    return { ok: false, problems: before.foreign ? [problem(target, 'file/foreign', FOREIGN)] : before.problems };
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  const located = parseLocated(source, target.format);
  const pieces = located.ok ? removalOf({ source, located }, rule, target.format) : null;
  let edited = source;
  for (const { from, to, text: instead = '' } of [...(pieces ?? [])].sort((left, right) => right.from - left.from))
    edited = edited.slice(0, from) + instead + edited.slice(to);
  const after = pieces === null ? null : parsePolicy(mark + edited, target).document;
  if (after === null || !differsByRule(after, before.document, rule, true))
    return { ok: false, problems: [problem(target, 'edit/unclear', stuck(rule))] };
  return { ok: true, text: mark + edited, document: after };
}

export function newPolicyText(rule: NewRule, format: Format): string {
  const start: Readonly<Record<Format, string>> = { yaml: 'version: 1\n', json: '{\n  "version": 1\n}\n', toml: 'version = 1\n' };
  return withInsertions(start[format], format, (source) => INSERTERS[format](source, rule)) ?? start[format];
}

export const FOREIGN = 'This file is not a policy of ours (one has a version and a key such as allow); nothing was changed.';

function unclear({ effect, text }: NewRule): string {
  return `The ${effect} list of this file is written in a way that cannot be added to without touching the rest; add ${JSON.stringify(text)} by hand. Nothing was changed.`;
}

function stuck({ effect, text }: WrittenRule): string {
  return `The ${effect} list of this file is written in a way that no entry can be taken out of without touching the rest; remove ${JSON.stringify(text)} by hand. Nothing was changed.`;
}

function problem({ file }: EditedFile, code: string, message: string): PolicyProblem {
  return { code, message, source: { file, line: 1, column: 1 } };
}

/** The text with the insertions of `insert`; null without a place for them. A byte order mark is set aside, since no reader counts it. */
export function withInsertions(
  text: string,
  format: Format,
  insert: (edited: EditedText) => readonly Insertion[] | null,
): string | null {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  const located = parseLocated(source, format);
  const insertions = located.ok ? insert({ source, located }) : null;
  if (insertions === null) return null;
  const lineEnd = /\r\n/.test(source) ? '\r\n' : '\n';
  let edited = source;
  // From the end, so that offsets stay valid; of two at one offset, the one listed first ends up first.
  for (const { at, text: added } of [...insertions].reverse().sort((left, right) => right.at - left.at))
    edited = edited.slice(0, at) + added.replaceAll('\n', lineEnd) + edited.slice(at);
  return mark + edited;
}

/**
 * True if `after` has everything in `before`, in the same order, plus the rule: after the others of its effect, or with
 * `anywhere` (a removed rule) at any position among them and with any further fields.
 */
function differsByRule(before: PolicyDocument, after: PolicyDocument, rule: NewRule, anywhere = false): boolean {
  const own = (document: PolicyDocument, effect: Effect) => document.rules.filter((one) => one.effect === effect).map(meaning);
  const added = meaning({ effect: rule.effect, text: rule.text, ...(rule.reason !== undefined && { reason: rule.reason }) });
  const isAdded = (old: readonly string[], now: readonly string[]) => {
    if (!anywhere) return same(now, [...old, added]);
    return after.rules.some(
      (one) => one.effect === rule.effect && one.text === rule.text && same(old, withoutFirst(now, meaning(one))),
    );
  };
  const sameRules = (['allow', 'ask', 'deny'] as const).every((effect) =>
    effect === rule.effect ? isAdded(own(before, effect), own(after, effect)) : same(own(after, effect), own(before, effect)),
  );
  const settings = (document: PolicyDocument) =>
    document.settings.map(({ key, member, value }) => JSON.stringify([key, member, value])).sort();
  return sameRules && before.extends?.path === after.extends?.path && same(settings(before), settings(after));
}

function withoutFirst(texts: readonly string[], text: string): readonly string[] {
  return texts.toSpliced(texts.indexOf(text), 1);
}

function meaning(rule: Omit<NewRule, 'reason'> & Partial<PolicyDocument['rules'][number]>): string {
  const { effect, text, reason, suggest, match, notMatch } = rule;
  return JSON.stringify([effect, text, reason ?? null, suggest ?? null, match ?? null, notMatch ?? null]);
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index]);
}
