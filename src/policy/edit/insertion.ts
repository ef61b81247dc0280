/** Types and offsets for editing a policy's text: what to add, and where. */
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { Located } from '../read/located.js';

/** A rule to write, with its text unquoted. */
export interface NewRule {
  readonly effect: Effect;
  readonly text: string;
  readonly reason?: string;
}

/** Text to insert at an offset. Line ends are `\n`; the caller converts them to those of the file. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A policy's text with its places, so that one edit parses it only once. */
export interface EditedText {
  readonly source: string;
  readonly located: Located;
}

/** The offset of the value at a JSON pointer; null if there is no such value. */
export function offsetOf({ source, located }: EditedText, pointer: string): number | null {
  if (valueAt(located.data, pointer) === undefined) return null;
  const { line, column } = located.valueAt(pointer);
  return lineOffset(source, line) + column - 1;
}

/** The number of entries in the list at a pointer. */
export function lengthOf({ located }: EditedText, pointer: string): number {
  const list = valueAt(located.data, pointer);
  return Array.isArray(list) ? list.length : 0;
}

/** The offset at which a line (counted from 1) starts; lines end with LF, CR LF or CR. */
export function lineOffset(source: string, line: number): number {
  const end = /\r\n|\n|\r/g;
  for (let current = 1; current < line; current++) if (end.exec(source) === null) return source.length;
  return end.lastIndex;
}

/** `/allow`, `/allow/3`: own members only. */
function valueAt(data: unknown, pointer: string): unknown {
  let value = data;
  for (const name of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
