/** Parts of a large JSON text of another program, as they are written: the rest is not turned into values. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type JsonPath, lineOf } from './json-text.js';

export interface JsonPart {
  readonly text: string;
  /** Of its beginning, counted from 1. */
  readonly line: number;
}

export interface JsonParts {
  /** The names of an object; none where there is no object. Of keys that stand twice the names in each. */
  readonly namesAt: (path: JsonPath) => readonly string[];
  /** The objects at a path: one for each time that a key of it is written, since readers differ in which of them counts. */
  readonly objectsAt: (path: JsonPath) => readonly JsonPart[];
}

/** Null for a text that is no JSON. */
export function jsonParts(source: string): JsonParts | null {
  const errors: ParseError[] = [];
  const root = parseTree(source.replace(/^\uFEFF/, ' '), errors, { disallowComments: true });
  if (root === undefined || errors.length > 0) return null;
  const objectsAt = (path: JsonPath) =>
    path
      .reduce((nodes: readonly Node[], name) => nodes.flatMap((node) => valuesOf(node, name)), [root])
      .filter(({ type }) => type === 'object');
  return {
    namesAt: (path) => [
      ...new Set(objectsAt(path).flatMap(({ children = [] }) => children.map((one) => String(one.children?.[0]?.value ?? '')))),
    ],
    objectsAt: (path) =>
      objectsAt(path).map(({ offset, length }) => ({
        text: source.slice(offset, offset + length),
        line: lineOf(source, offset),
      })),
  };
}

function valuesOf({ type, children = [] }: Node, name: JsonPath[number]): readonly Node[] {
  if (type !== 'object') return [];
  return children.flatMap(({ children: [key, value] = [] }) => (key?.value === name && value !== undefined ? [value] : []));
}
