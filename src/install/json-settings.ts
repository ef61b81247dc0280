/** Adds single settings of ours to JSON, and removes them again. */

import { commentsAround, type JsonStep } from '../disk/json-edit.js';
import { isList, isMap, type JsonPath, type JsonText, JsonTextError, type JsonValue, readJsonText } from '../disk/json-text.js';
import type { WrittenSetting } from '../runner/hook/runner.js';
import { repeated } from './json-hooks.js';

/** A setting that was added: its value, and the value before (absent: none); or the entries added to a list. */
export interface PutSetting extends WrittenSetting {
  readonly before?: boolean | string;
}

/** Returns the text with the settings, and what was added. Of the existing settings only the first may be changed: it is the switch. */
export function withJsonSettings(source: string, settings: readonly WrittenSetting[], strict: boolean) {
  const text = repeated(
    source,
    strict,
    (file) => settings.map((one, at) => stepTowards(file, one, at === 0)).find(isStep) ?? null,
  );
  const { value: old } = readJsonText(source, strict);
  const { value: now } = readJsonText(text, strict);
  return { text, put: settings.flatMap((one) => putFor(one, valueAt(old, one.key), valueAt(now, one.key))) };
}

/** Returns the text without the added settings, as far as they are still there. */
export function withoutJsonSettings(source: string, put: readonly PutSetting[], strict: boolean): string {
  return repeated(source, strict, (file) => put.map((one) => stepBack(file, one)).find(isStep) ?? null);
}

function isStep(step: JsonStep | null): boolean {
  return step !== null;
}

function stepTowards({ value: root }: JsonText, { key, value }: WrittenSetting, isSwitch: boolean): JsonStep | null {
  let found: JsonValue = root;
  for (const [at, name] of key.entries()) {
    const path = key.slice(0, at);
    if (!isMap(found)) throw new JsonTextError(`its ${JSON.stringify(path.join('.'))} is not an object`);
    const next = found.get(name);
    if (next === undefined) return { kind: 'add', path, key: name, value: within(key.slice(at + 1), value) };
    found = next;
  }
  if (typeof value === 'object') {
    if (!isList(found)) throw new JsonTextError(`its ${JSON.stringify(key.join('.'))} is not a list`);
    const missing = value.find((entry) => !found.includes(entry));
    return missing === undefined ? null : { kind: 'add', path: key, key: null, value: missing };
  }
  return isSwitch && found !== value ? { kind: 'replace', path: key, value } : null;
}

/** Nests the value in one map for each name. */
function within(names: readonly string[], value: JsonValue): JsonValue {
  return names.reduceRight((inner, name) => new Map([[name, inner]]), value);
}

function valueAt(root: JsonValue, key: readonly string[]): JsonValue | undefined {
  return key.reduce((value: JsonValue | undefined, name) => (isMap(value) ? value.get(name) : undefined), root);
}

function putFor({ key, value }: WrittenSetting, old: JsonValue | undefined, now: JsonValue | undefined): readonly PutSetting[] {
  if (typeof value === 'object') {
    const entries = value.filter((entry) => !(isList(old) && old.includes(entry)));
    return entries.length === 0 ? [] : [{ key, value: entries }];
  }
  if (now === old || now !== value) return [];
  return [{ key, value, ...((typeof old === 'boolean' || typeof old === 'string') && { before: old }) }];
}

function stepBack(file: JsonText, { key, value, before }: PutSetting): JsonStep | null {
  const now = valueAt(file.value, key);
  if (now === undefined) return null;
  if (isList(now)) {
    const at = isList(value) ? now.findIndex((entry) => typeof entry === 'string' && value.includes(entry)) : -1;
    if (at < 0) return null;
    return now.length === 1 ? removal(file, key) : { kind: 'remove', path: [...key, at] };
  }
  if (now !== value) return null;
  return before === undefined ? removal(file, key) : { kind: 'replace', path: key, value: before };
}

/** Removes a map with its last member, unless a comment is left in it. */
function removal(file: JsonText, key: JsonPath): JsonStep {
  const outer = key.slice(0, -1);
  const map = valueAt(file.value, outer.map(String));
  const isAlone = outer.length > 0 && isMap(map) && map.size === 1 && !commentsAround(file, outer, key);
  return isAlone ? removal(file, outer) : { kind: 'remove', path: key };
}
