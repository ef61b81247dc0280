/** Reads parts of a large JSON text of another program in their original form, without converting the rest to values. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type JsonPath, lineOf } from './json-text.js';

export interface JsonPart {
  readonly text: string;
  /** Line of its beginning, counted from 1. */
  readonly line: number;
}

export interface JsonParts {
  /** Returns the names in an object; none if there is no object. For duplicate keys, the names in each. */
  readonly namesAt: (path: JsonPath) => readonly string[];
  /** Returns the objects at a path: one for each occurrence of a duplicate key, since programs differ in which of them they use. */
  readonly objectsAt: (path: JsonPath) => readonly JsonPart[];
}

/** Returns null for a text that is not JSON. */
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
