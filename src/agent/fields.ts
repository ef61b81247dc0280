/** Reads the keys of a definition: keeps the place of every value, and every mistake. */

import { isFields } from '../call/fields.js';
import type { Located, Place } from '../policy/read/located.js';
import { pointerTo } from '../policy/read/pointer.js';
import type { SourcePosition } from '../rule/pattern/permission-rule.js';
import type { AgentProblem } from './agent.js';

/** A map in a definition's YAML with its place in the file. */
export interface Fields {
  readonly data: ReadonlyMap<string, unknown>;
  readonly pointer: string;
  readonly reader: FieldReader;
}

/** Converts places in the YAML to places in the file, and collects problems. */
export interface FieldReader {
  readonly problems: AgentProblem[];
  readonly keyAt: (pointer: string) => SourcePosition;
  readonly valueAt: (pointer: string) => SourcePosition;
  readonly insideAt: (pointer: string, value: string, offset: number) => SourcePosition;
}

/** Returns a reader for YAML that starts on line `firstLine` of `file`; null stands for YAML that could not be parsed. */
export function fieldReader(located: Located | null, file: string, firstLine: number): FieldReader {
  const at = (place: Place | undefined): SourcePosition =>
    place === undefined ? { file, line: firstLine, column: 1 } : { file, line: place.line + firstLine - 1, column: place.column };
  return {
    problems: [],
    keyAt: (pointer) => at(located?.keyAt(pointer)),
    valueAt: (pointer) => at(located?.valueAt(pointer)),
    insideAt: (pointer, value, offset) => at(located?.insideAt(pointer, value, offset)),
  };
}

/** Returns the fields of the map at `pointer`; a value that is no map has none. */
export function fieldsOf(value: unknown, pointer: string, reader: FieldReader): Fields {
  const data = isFields(value) ? new Map(Object.entries(value)) : new Map<string, unknown>();
  return { data, pointer, reader };
}

/** Reports a mistake at a key. */
export function complain(
  fields: Fields,
  key: string,
  code: string,
  message: string,
  severity: 'error' | 'warning' = 'error',
): void {
  const { reader, pointer } = fields;
  const source = fields.data.has(key) ? reader.keyAt(pointerTo(pointer, key)) : reader.keyAt(pointer);
  reader.problems.push({ code, message, source, severity });
}

/** Returns the string at a key; null if it is absent, blank or (with a complaint) not a string. */
export function textAt(fields: Fields, key: string): string | null {
  const value = fields.data.get(key);
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  complain(fields, key, 'agent/not-text', `\`${key}\` has to be text.`);
  return null;
}

/** Returns the switch at a key; anything but true and false is a mistake, and counts as `whenWrong`. */
export function flagAt(fields: Fields, key: string, whenWrong: boolean): boolean | null {
  const value = fields.data.get(key);
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value;
  complain(fields, key, 'agent/not-a-switch', `\`${key}\` has to be true or false.`);
  return whenWrong;
}

/** One string of a list with its place. */
export interface ListItem {
  readonly text: string;
  /** A function, since most places are never needed. */
  readonly at: (offset: number) => SourcePosition;
}

/**
 * Returns the strings at a key: of a list, or of a string split at commas outside parentheses. Null if the key is absent; a value
 * or an item of another type is a mistake (and omitted).
 */
export function listAt(fields: Fields, key: string): ListItem[] | null {
  const value = fields.data.get(key);
  if (value === undefined) return null;
  const { reader } = fields;
  const pointer = pointerTo(fields.pointer, key);
  if (value === null || value === '') return [];
  if (typeof value === 'string')
    return splitOutsideParentheses(value, ',').map(({ text, start }) => ({
      text,
      at: (offset) => reader.insideAt(pointer, value, start + offset),
    }));
  if (!Array.isArray(value)) {
    complain(fields, key, 'agent/not-a-list', `\`${key}\` has to be a list of texts.`);
    return [];
  }
  const items: ListItem[] = [];
  for (const [index, item] of value.entries()) {
    const itemPointer = pointerTo(pointer, index);
    if (typeof item === 'string' && item.trim() !== '')
      items.push({ text: item, at: (offset) => reader.insideAt(itemPointer, item, offset) });
    else
      reader.problems.push({
        code: 'agent/empty-entry',
        message: `\`${key}\` entries must be non-empty strings`,
        source: reader.valueAt(itemPointer),
        severity: 'error',
      });
  }
  return items;
}

/** Splits a text at separators outside parentheses; returns the trimmed, non-blank parts with their offsets. */
export function splitOutsideParentheses(text: string, separators: string): { readonly text: string; readonly start: number }[] {
  const parts: { text: string; start: number }[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text.charAt(index);
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    if (index < text.length && (depth > 0 || !separators.includes(character))) continue;
    const part = text.slice(start, index);
    const trimmed = part.trim();
    if (trimmed !== '') parts.push({ text: trimmed, start: start + part.indexOf(trimmed) });
    start = index + 1;
  }
  return parts;
}
