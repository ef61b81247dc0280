/** The maps of servers in a client's settings, JSON or TOML: reading an entry, and changing its members in place. */
import { isFields, own } from '../../call/fields.js';
import type { JsonStep } from '../../disk/json-edit.js';
import { canonical, isMap, type JsonPath, type JsonText, type JsonValue, jsonValue, readJsonText } from '../../disk/json-text.js';
import type { LocatedNode } from '../../policy/read/result.js';
import { TomlPlaces } from '../../policy/read/toml-places.js';
import type { HookFile } from '../../runner/hook/runner.js';
import { repeated } from '../json-hooks.js';
import { breakOf, readToml, TomlTextError } from '../toml-hooks.js';
import type { Entry } from './entry.js';

export type ConfigForm = HookFile['form'];

/** Returns the whole content. Throws JsonTextError and TomlTextError for texts that are not valid. */
export function readConfig(text: string, form: ConfigForm): JsonValue {
  if (text.trim() === '') return new Map();
  return form === 'toml' ? jsonValue(readToml(withoutMark(text))) : readJsonText(text, form === 'strict-json').value;
}

export function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce((value: JsonValue | undefined, name) => (isMap(value) ? value.get(name) : undefined), root);
}

/** Returns the text in which the map at a path has exactly the members of `wanted`. Throws as readConfig, also where it cannot be done safely. */
export function withEntry(text: string, form: ConfigForm, path: readonly string[], wanted: Entry): string {
  if (form === 'toml') return withTomlEntry(text, path, wanted);
  return repeated(text, form === 'strict-json', (file) => jsonStep(file, path, wanted));
}

function jsonStep({ value: root }: JsonText, path: JsonPath, wanted: Entry): JsonStep | null {
  const change = changeOf(valueAt(root, path.map(String)), wanted);
  if (change === null) return null;
  const { name, value, isNew } = change;
  if (value === undefined) return { kind: 'remove', path: [...path, name] };
  return isNew ? { kind: 'add', path, key: name, value } : { kind: 'replace', path: [...path, name], value };
}

interface Change {
  readonly name: string;
  /** Undefined: the member goes. */
  readonly value: JsonValue | undefined;
  readonly isNew: boolean;
}

/** Returns one member that differs, those that go last; null: none. */
function changeOf(now: JsonValue | undefined, wanted: Entry): Change | null {
  if (!isMap(now)) return null;
  for (const [name, value] of wanted)
    if (canonical(now.get(name) ?? null) !== canonical(value)) return { name, value, isNew: !now.has(name) };
  const [gone] = [...now.keys()].filter((name) => !wanted.has(name));
  return gone === undefined ? null : { name: gone, value: undefined, isNew: false };
}

const MOST_STEPS = 50;
const BOM = '\uFEFF';

function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function withTomlEntry(source: string, path: readonly string[], wanted: Entry): string {
  const bom = source.startsWith(BOM) ? BOM : '';
  const before = withoutMark(source);
  let text = before;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const data = jsonValue(readToml(text));
    const change = changeOf(valueAt(data, path), wanted);
    if (change === null) break;
    text = tomlChanged(text, path, change);
  }
  if (!holdsOnly(before, text, path, wanted)) throw new TomlTextError('it is written in a way that cannot be edited safely');
  return bom + text;
}

/** Whether nothing but the map at the path differs, and that has exactly these members. */
function holdsOnly(before: string, after: string, path: readonly string[], wanted: Entry): boolean {
  const [old, now] = [before, after].map((text) => {
    const data = readToml(text);
    const rest = JSON.parse(JSON.stringify(data)) as unknown;
    const map = path.slice(0, -1).reduce((inner, name) => (isFields(inner) ? own(inner, name) : undefined), rest);
    if (isFields(map)) Reflect.deleteProperty(map, path.at(-1) ?? '');
    return { entry: valueAt(jsonValue(data), path), rest: JSON.stringify(rest) };
  });
  const sorted = (entry: JsonValue | undefined) =>
    isMap(entry) ? canonical(new Map([...entry].sort(([a], [b]) => (a < b ? -1 : 1)))) : '';
  return old?.rest === now?.rest && sorted(now?.entry) === sorted(wanted);
}

type Member = { readonly keyStart: number; readonly node: LocatedNode };

function tomlChanged(text: string, path: readonly string[], { name, value, isNew }: Change): string {
  const places = new TomlPlaces(text);
  let node: LocatedNode | undefined = places.read();
  for (const one of path) node = node?.members?.get(one)?.node;
  const members = [...(node?.members ?? [])].filter((member) => member[1].node.end !== undefined);
  if (places.problem !== null || node === undefined) throw unsafe();
  const isInline = text[node.start] === '{';
  if (isNew && value !== undefined) {
    const last = members.at(-1)?.[1];
    return last === undefined ? fail() : tomlAdded(text, last, name, value, isInline);
  }
  const member = node.members?.get(name);
  if (member === undefined) throw unsafe();
  const { end } = member.node;
  if (value !== undefined)
    return end === undefined ? fail() : text.slice(0, member.node.start) + tomlLiteral(value) + text.slice(end);
  if (end === undefined) return withoutTable(text, member.node.start);
  return isInline ? withoutInline(text, member.keyStart, end) : withoutLines(text, member.keyStart, end);
}

function fail(): never {
  throw unsafe();
}

function unsafe(): TomlTextError {
  return new TomlTextError('it is written in a way that cannot be edited safely');
}

/** A key with dots begins like that of the member before it. */
function tomlAdded(
  text: string,
  { keyStart, node: { end = 0 } }: Member,
  name: string,
  value: JsonValue,
  isInline: boolean,
): string {
  const pair = `${tomlKey(name)} = ${tomlLiteral(value)}`;
  if (isInline) return `${text.slice(0, end)}, ${pair}${text.slice(end)}`;
  const line = text.slice(text.lastIndexOf('\n', keyStart - 1) + 1, keyStart);
  const found = text.indexOf('\n', end);
  const close = found < 0 ? text.length : text[found - 1] === '\r' ? found - 1 : found;
  return text.slice(0, close) + breakOf(text) + line + pair + text.slice(close);
}

function withoutLines(text: string, keyStart: number, end: number): string {
  const next = text.indexOf('\n', end);
  return text.slice(0, text.lastIndexOf('\n', keyStart - 1) + 1) + (next < 0 ? '' : text.slice(next + 1));
}

function withoutInline(text: string, keyStart: number, end: number): string {
  const [before, after] = [text.slice(0, keyStart), text.slice(end)];
  return /,\s*$/.test(before) ? before.replace(/\s*,\s*$/, '') + after : before + after.replace(/^\s*,\s*/, '');
}

/** Removes a table with its header, up to the next header. */
function withoutTable(text: string, start: number): string {
  const next = /^[ \t]*\[/m.exec(text.slice(start + 1));
  return text.slice(0, start) + (next === null ? '' : text.slice(start + 1 + next.index));
}

function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function tomlLiteral(value: JsonValue): string {
  if (isMap(value)) return `{ ${[...value].map(([name, one]) => `${tomlKey(name)} = ${tomlLiteral(one)}`).join(', ')} }`;
  return Array.isArray(value) ? `[${value.map(tomlLiteral).join(', ')}]` : JSON.stringify(value);
}
