/** The grants of a project's files, in a form that can be stored and compared: the basis of `policy trust`. */
import { isFields } from '../call/fields.js';
import type { Effect, PermissionRule, SourcePosition } from '../rule/pattern/permission-rule.js';
import type { PolicyDocument } from './document.js';
import { settingName } from './layers.js';
import type { Setting } from './settings.js';
import { isStricter, MANAGERS_ONLY, SETTINGS, type SettingKey, type StrictnessOrder, UNWRITTEN } from './strictness.js';

/** Everything that a trusted repository grants; plain data. */
export interface Grants {
  /** Texts of the rules by effect, sorted, each once. */
  readonly rules: Readonly<Record<Effect, readonly string[]>>;
  /** Every setting that a repository may write: its values as JSON, one for each file that writes it, from far to near. */
  readonly settings: readonly GrantedSetting[];
}

export interface GrantedSetting {
  readonly key: string;
  readonly member: string | null;
  readonly values: readonly string[];
}

/** A grant that was not there before. */
export interface GrantChange {
  /** `added` grants something, `removed` removes a restriction, `changed` gives a setting another value. */
  readonly kind: 'added' | 'removed' | 'changed';
  /** `allow Bash(npm test)`, `default: ask`. */
  readonly what: string;
  /** For `changed`: the old value. */
  readonly before?: string;
  /** The place in the new text; null if it is no longer written. */
  readonly source: SourcePosition | null;
}

export const NO_GRANTS: Grants = { rules: { allow: [], ask: [], deny: [] }, settings: [] };

/** The grants of a project's documents, in layer order. Settings that no repository may write are omitted: they never apply. */
export function grantsOf(documents: readonly PolicyDocument[]): Grants {
  return {
    rules: rulesOf(documents),
    settings: [...settingsByName(documents).values()].map((writes) => ({
      key: writes[0].key,
      member: writes[0].member,
      values: writes.map(({ value }) => JSON.stringify(value)),
    })),
  };
}

function rulesOf(documents: readonly PolicyDocument[]): Grants['rules'] {
  const rules = documents.flatMap((document) => document.rules);
  const texts = (effect: Effect) => [...new Set(rules.filter((rule) => rule.effect === effect).map(ruleText))].sort();
  return { allow: texts('allow'), ask: texts('ask'), deny: texts('deny') };
}

/**
 * What `documents` grant beyond `before`; empty if a person who trusted that has nothing new to review. Deliberately careful:
 * fewer allow rules, more ask and deny rules, a certainly stricter value, comments and order change nothing; everything else is
 * reported, even where another layer would prevent it. Source: design "Trust".
 */
export function grantsBeyond(before: Grants, documents: readonly PolicyDocument[]): GrantChange[] {
  return [...ruleChanges(before, documents), ...settingChanges(before, documents)];
}

function ruleText({ text }: PermissionRule): string {
  return text;
}

function ruleChanges(before: Grants, documents: readonly PolicyDocument[]): GrantChange[] {
  const rules = documents.flatMap((document) => document.rules);
  const now = rulesOf(documents);
  const added = now.allow
    .filter((text) => !before.rules.allow.includes(text))
    .map((text): GrantChange => ({ kind: 'added', what: `allow ${text}`, source: sourceOf(rules, text) }));
  const gone = (effect: 'ask' | 'deny', kept: readonly string[]) =>
    before.rules[effect]
      .filter((text) => !kept.includes(text))
      .map((text): GrantChange => ({ kind: 'removed', what: `${effect} ${text}`, source: null }));
  return [...added, ...gone('ask', [...now.ask, ...now.deny]), ...gone('deny', now.deny)];
}

function sourceOf(rules: readonly PermissionRule[], text: string): SourcePosition | null {
  return rules.find((rule) => rule.effect === 'allow' && rule.text === text)?.source ?? null;
}

type Writes = [Setting, ...Setting[]];

/** The settings that apply, by name, in the order in which they are first written. */
function settingsByName(documents: readonly PolicyDocument[]): Map<string, Writes> {
  const found = new Map<string, Writes>();
  for (const setting of documents.flatMap((document) => document.settings)) {
    if (MANAGERS_ONLY.has(setting.key)) continue;
    const name = nameOf(setting.key, setting.member);
    const writes = found.get(name);
    if (writes === undefined) found.set(name, [setting]);
    else writes.push(setting);
  }
  return found;
}

function nameOf(key: string, member: string | null): string {
  return JSON.stringify([key, member]);
}

function settingChanges(before: Grants, documents: readonly PolicyDocument[]): GrantChange[] {
  const now = settingsByName(documents);
  const old = new Map(before.settings.map((setting) => [nameOf(setting.key, setting.member), setting]));
  const written = [...now].flatMap(([name, writes]) => settingChange(old.get(name)?.values ?? [], writes));
  const gone = [...old].flatMap(([name, { key, member, values }]): GrantChange[] => {
    if (now.has(name) || isLoosening(key)) return [];
    return [{ kind: 'removed', what: `${shownName(key, member)}: ${values.join(', ')}`, source: null }];
  });
  return [...written, ...gone];
}

/** Whether a list only loosens, so that removing it needs no report. */
function isLoosening(key: string): boolean {
  const nature = natureOf(key);
  return nature?.kind === 'union' && nature.adding === 'loosens';
}

function natureOf(key: string): StrictnessOrder | undefined {
  return Object.hasOwn(SETTINGS, key) ? SETTINGS[key as SettingKey] : undefined;
}

function settingChange(before: readonly string[], writes: Writes): GrantChange[] {
  const [{ key, member }] = writes;
  const nature: StrictnessOrder = SETTINGS[key];
  const values = writes.map(({ value }) => value);
  if (nature.kind === 'union' ? keepsGrantedList(nature, before, values) : keepsValues(nature, key, before, values)) return [];
  const name = shownName(key, member);
  const source = writes.at(-1)?.source ?? null;
  const what = `${name}: ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (before.length === 0) return [{ kind: 'added', what, source }];
  return [{ kind: 'changed', what, before: before.join(', '), source }];
}

/**
 * Whether there is one value per file, each at least as strict as before; a setting that was not written before must be the
 * strictest possible.
 */
function keepsValues(nature: StrictnessOrder, key: SettingKey, before: readonly string[], values: readonly unknown[]): boolean {
  if (before.length === 0) return values.every((value) => isStrictest(nature, value));
  if (before.length !== values.length) return false;
  return values.every((value, at) => {
    const was = before[at];
    if (was === undefined || JSON.stringify(value) === was) return was !== undefined;
    if (key === 'custom_tools') return isStricterTool(nature, value, JSON.parse(was));
    return isStricter(nature, value, JSON.parse(was));
  });
}

/** Whether it is stricter than any value of another layer could be. */
function isStrictest(nature: StrictnessOrder, value: unknown): boolean {
  if (nature.kind === 'limit') return value === 0;
  if (nature.kind !== 'choice') return false;
  const others = [...nature.stricter.keys(), UNWRITTEN].filter((other) => other !== value);
  return others.every((other) => isStricter(nature, value, other));
}

/** Whether it is the same tool in a stricter tier; nothing else may change with that, such as who reviewed it. */
function isStricterTool(nature: StrictnessOrder, value: unknown, before: unknown): boolean {
  if (!isFields(value) || !isFields(before)) return false;
  const same = JSON.stringify({ ...value, tier: null }) === JSON.stringify({ ...before, tier: null });
  return same && isStricter(nature, value.tier, before.tier);
}

/** Whether a changed list setting grants nothing new: a list that tightens keeps all its entries, a list that loosens has no new ones. */
function keepsGrantedList(
  nature: StrictnessOrder & { kind: 'union' },
  before: readonly string[],
  values: readonly unknown[],
): boolean {
  const old = new Set(before.flatMap((value) => entries(JSON.parse(value))));
  const now = new Set(values.flatMap(entries));
  const [small, large] = nature.adding === 'tightens' ? [old, now] : [now, old];
  return [...small].every((entry) => large.has(entry));
}

function entries(value: unknown): string[] {
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : [JSON.stringify(value)];
}

function shownName(key: string, member: string | null): string {
  return member === null ? key : settingName({ key: key as SettingKey, member });
}
