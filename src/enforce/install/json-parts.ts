/** Parts of a large JSON text of another program, as they are written: the rest is not turned into values. */
import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';
import { type JsonPath, lineOf } from './json-text.js';

export interface JsonPart {
  /** The text of the value. */
  readonly text: string;
  /** Of its beginning, counted from 1. */
  readonly line: number;
}

export interface JsonParts {
  /** The names of an object; none where there is no object. */
  readonly namesAt: (path: JsonPath) => readonly string[];
  /** An object; null where there is none. */
  readonly objectAt: (path: JsonPath) => JsonPart | null;
}

/** Null for a text that is no JSON. */
export function jsonParts(source: string): JsonParts | null {
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { disallowComments: true });
  if (root === undefined || errors.length > 0) return null;
  const objectAt = (path: JsonPath) => {
    const node = findNodeAtLocation(root, [...path]);
    return node?.type === 'object' ? node : null;
  };
  return {
    namesAt: (path) => (objectAt(path)?.children ?? []).map(({ children }) => String(children?.[0]?.value ?? '')),
    objectAt: (path) => {
      const node = objectAt(path);
      if (node === null) return null;
      const { offset, length } = node;
      return { text: source.slice(offset, offset + length), line: lineOf(source, offset) };
    },
  };
}
