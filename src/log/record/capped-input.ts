/** The input of a call as it is stored in a record: without secrets and at most 2 KiB of JSON. */

import { secrecyOf } from '../../secret/names.js';
import { isSecretValue } from '../../secret/values.js';
import { jsonBytes } from './json-line.js';
import { mark, maskText } from './mask-text.js';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface CappedInput {
  readonly value: JsonValue;
  /** JSON pointers (from `/input` on) of strings that contain a mask, or are one. */
  readonly masked: readonly string[];
  /** JSON pointers of strings that were cut and of objects and arrays that lack members. */
  readonly truncated: readonly string[];
}

/** Maximum bytes of JSON that are kept of an input (docs/guarantees.md, 11). */
const MOST_INPUT = 2_048;
/** Number of bytes examined beyond the limit, so that a secret that would be cut in the middle is still recognized. */
const BEYOND = 1_024;
const LONGEST_KEY = 128;
const DEEPEST = 16;
const MOST_POINTERS = 32;
const LONGEST_POINTER = 200;
/** Marks the end of a text that was cut. */
const CUT = '…';

/**
 * Walks an input in its order until 2 KiB are full. Never throws, whatever the input contains.
 * @param masks false keeps secrets (`log: { input: full }`)
 */
export function cappedInput(input: unknown, masks = true): CappedInput {
  const walk: Walk = { left: MOST_INPUT, masks, masked: new Set(), truncated: new Set() };
  const value = kept(input, '/input', 0, null, walk);
  return { value: value ?? null, masked: [...walk.masked], truncated: [...walk.truncated] };
}

/** Returns a text without secrets, and of at most `most` characters. */
export function cappedText(text: string, most: number): string {
  return cut(maskText(text.length > most + BEYOND ? text.slice(0, most + BEYOND) : text), most);
}

/** Returns the first `most` characters of a text; the last of them is `…` if something was cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${whole(text.slice(0, most - 1))}${CUT}`;
}

interface Walk {
  /** Remaining bytes. */
  left: number;
  readonly masks: boolean;
  readonly masked: Set<string>;
  readonly truncated: Set<string>;
}

/** Returns one value; undefined when there is no room for it. `name` is the name of the field, or of the option before it. */
function kept(value: unknown, pointer: string, depth: number, name: string | null, walk: Walk): JsonValue | undefined {
  if (typeof value === 'string') return keptText(value, pointer, name, walk);
  if (typeof value !== 'object' || value === null) return keptScalar(value, pointer, name, walk);
  if (walk.left < 2) return undefined;
  walk.left -= 2;
  if (depth === DEEPEST) addPointer(walk.truncated, pointer);
  if (Array.isArray(value)) return depth === DEEPEST ? [] : keptItems(value, pointer, depth, walk);
  return depth === DEEPEST ? {} : keptMembers(value, pointer, depth, walk);
}

function keptItems(items: readonly unknown[], pointer: string, depth: number, walk: Walk): JsonValue[] {
  const result: JsonValue[] = [];
  const words = walk.masks ? maskedWords(items) : items;
  for (const [index, item] of words.entries()) {
    const before = index === 0 ? null : items[index - 1];
    if (item !== items[index]) addPointer(walk.masked, `${pointer}/${index}`);
    const room = take(1, walk) ? kept(item, `${pointer}/${index}`, depth + 1, optionName(before), walk) : undefined;
    if (room === undefined) {
      addPointer(walk.truncated, pointer);
      break;
    }
    result.push(room);
  }
  return result;
}

/** Masks words of a command that are secret only in the context of the others: `["docker", "login", "-p", …]`. */
function maskedWords(items: readonly unknown[]): readonly unknown[] {
  const joined = items.join(' ');
  if (joined.length > MOST_INPUT || !items.every((item) => typeof item === 'string')) return items;
  const covered = maskText(joined, (_, length) => '\0'.repeat(length));
  if (covered === joined) return items;
  let end = -1;
  return items.map((item) => {
    const start = end + 1;
    end = start + item.length;
    const shown = covered.slice(start, end);
    return item.includes('\0') ? item : shown.replace(/\0+/g, mark('secret'));
  });
}

/** Returns the name that an option such as `--password` gives to the following item of an argument list. */
function optionName(before: unknown): string | null {
  return typeof before === 'string' && /^--?[\w-]{1,60}$/.test(before) ? before.replace(/^-+/, '') : null;
}

function keptMembers(object: object, pointer: string, depth: number, walk: Walk): { readonly [key: string]: JsonValue } {
  const members: [string, JsonValue][] = [];
  const named = nameMember(object);
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const shown = walk.masks ? cappedText(key, LONGEST_KEY) : whole(key.slice(0, LONGEST_KEY));
    const below = `${pointer}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value;
    if (shown !== key) addPointer(shown.includes('[masked:') ? walk.masked : walk.truncated, below);
    const room = take(jsonBytes(shown) + 2, walk)
      ? kept(value, below, depth + 1, key === 'value' ? named : key, walk)
      : undefined;
    if (room === undefined) {
      addPointer(walk.truncated, pointer);
      break;
    }
    members.push([shown, room]);
  }
  return Object.fromEntries(members);
}

/** Returns the name of a value that is stored next to it: `{ "name": "API_KEY", "value": "…" }`. */
function nameMember(object: object): string | null {
  for (const key of ['name', 'key']) {
    const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value;
    if (typeof value === 'string') return value;
  }
  return null;
}

function keptText(text: string, pointer: string, name: string | null, walk: Walk): string | undefined {
  const window = text.length > walk.left + BEYOND ? text.slice(0, walk.left + BEYOND) : text;
  const safe = walk.masks ? masked(window, name) : window;
  const fitting = prefixWithin(safe, walk.left - 2);
  const isWhole = fitting === safe.length && window.length === text.length;
  const shown = isWhole ? safe : `${whole(safe.slice(0, prefixWithin(safe, walk.left - 2 - Buffer.byteLength(CUT))))}${CUT}`;
  if (!take(jsonBytes(shown), walk)) return undefined;
  if (safe !== window) addPointer(walk.masked, pointer);
  if (!isWhole) addPointer(walk.truncated, pointer);
  return shown;
}

function keptScalar(value: unknown, pointer: string, name: string | null, walk: Walk): JsonValue | undefined {
  const scalar = typeof value === 'number' || typeof value === 'boolean' ? value : null;
  if (typeof scalar === 'number' && walk.masks && name !== null && secrecyOf(name) === 'password')
    return keptText(String(scalar), pointer, name, walk);
  return take(String(scalar).length, walk) ? scalar : undefined;
}

/** Masks the whole text if its name indicates a secret, else the secrets in it. */
function masked(text: string, name: string | null): string {
  const secrecy = name === null ? null : secrecyOf(name);
  if (secrecy !== null && isSecretValue(text, secrecy)) return mark(secrecy === 'password' ? 'password' : 'secret');
  return maskText(text);
}

/** Takes `bytes` from the remaining room if there is enough. */
function take(bytes: number, walk: Walk): boolean {
  if (bytes > walk.left) return false;
  walk.left -= bytes;
  return true;
}

/** Records a pointer; at most 32 are kept, of at most 200 characters. */
function addPointer(pointers: Set<string>, pointer: string): void {
  if (pointers.size < MOST_POINTERS)
    pointers.add(pointer.length > LONGEST_POINTER ? `${whole(pointer.slice(0, LONGEST_POINTER))}${CUT}` : pointer);
}

/** Removes half of a surrogate pair at the end of the text. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** Returns how many characters of a text fit into this many bytes of a JSON string, without the quotes. */
function prefixWithin(text: string, bytes: number): number {
  if (text.length * 6 <= bytes || jsonBytes(text) - 2 <= bytes) return text.length;
  let [low, high] = [0, Math.min(text.length, Math.max(0, bytes))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(text.slice(0, middle)) - 2 <= bytes) low = middle;
    else high = middle - 1;
  }
  return low;
}
