/**
 * A JSON text that is edited in place: all unchanged parts keep their bytes, including comments, order and indentation. Positions
 * come from jsonc-parser's tree; values are compared in a form that keeps the order of keys.
 */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A parsed value; objects are maps, so that no key has a special meaning in JavaScript. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | ReadonlyMap<string, JsonValue>;
export type JsonPath = readonly (string | number)[];

/** A parsed text: its content and its style. */
export interface JsonText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly bom: string;
  readonly root: Node;
  readonly value: JsonValue;
  readonly lineBreak: string;
  /** One level of indentation. */
  readonly unit: string;
}

/** The reason why a text cannot be edited: a sentence with its line. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

const BOM = '\uFEFF';
const MOST_DEPTH = 100;
const MOST_NODES = 100_000;

/**
 * Parses a text. Throws JsonTextError for invalid JSON, nesting that is too deep, or a duplicate key.
 * @param strict comments and trailing commas are mistakes
 */
export function readJsonText(source: string, strict: boolean): JsonText {
  const bom = source.startsWith(BOM) ? BOM : '';
  const text = source.slice(bom.length);
  const errors: ParseError[] = [];
  const root = treeOf(text, errors, strict);
  const [mistake] = errors;
  if (mistake !== undefined || root === undefined) {
    const what = mistake === undefined ? 'it holds no value' : nameOf(mistake);
    throw new JsonTextError(`line ${lineOf(text, mistake?.offset ?? 0)}: this is not valid JSON (${what})`);
  }
  const value = readValue(root, text, { nodes: 0 }, 0);
  return { text, bom, root, value, lineBreak: /\r\n/.test(text) ? '\r\n' : '\n', unit: unitOf(text, root) };
}

function treeOf(text: string, errors: ParseError[], strict: boolean): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: strict, allowTrailingComma: !strict, allowEmptyContent: false });
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function tooDeep(): JsonTextError {
  return new JsonTextError(`it nests deeper than ${MOST_DEPTH} levels`);
}

/** Turns `CommaExpected` into `comma expected`. */
function nameOf({ error }: ParseError): string {
  return printParseErrorCode(error).replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : ' '}${letter.toLowerCase()}`);
}

/** Returns the line of a value, counted from 1; that of the whole text if there is no such value. */
export function lineAt({ root, text }: JsonText, path: JsonPath): number {
  return lineOf(text, findNodeAtLocation(root, [...path])?.offset ?? root.offset);
}

/** Returns the line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function readValue(node: Node, text: string, walked: { nodes: number }, depth: number): JsonValue {
  if (depth > MOST_DEPTH) throw tooDeep();
  if (++walked.nodes > MOST_NODES) throw new JsonTextError(`it holds more than ${MOST_NODES} values`);
  if (node.type === 'array') return (node.children ?? []).map((item) => readValue(item, text, walked, depth + 1));
  if (node.type !== 'object') return scalarOf(node, text);
  const members = new Map<string, JsonValue>();
  for (const { children = [] } of node.children ?? []) {
    const [key, value] = children;
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name))
      throw new JsonTextError(
        `line ${lineOf(text, key.offset)}: the key ${JSON.stringify(name.slice(0, 80))} is written twice; keep one of them`,
      );
    members.set(name, readValue(value, text, walked, depth + 1));
  }
  return members;
}

function scalarOf(node: Node, text: string): JsonValue {
  const value: unknown = node.value;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  // A number as written: 1.0 stays 1.0 in comparisons.
  if (node.type === 'number') return Number(text.slice(node.offset, node.offset + node.length));
  throw new JsonTextError(`line ${lineOf(text, node.offset)}: this is not valid JSON`);
}

/** Converts plain data (from JSON.parse or our own) to a value. */
export function jsonValue(data: unknown): JsonValue {
  if (Array.isArray(data)) return data.map(jsonValue);
  if (typeof data === 'object' && data !== null)
    return new Map(Object.entries(data).map(([name, value]) => [name, jsonValue(value)]));
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? data : null;
}

/** Returns a string that two values share only if they are equal, including the order of keys. */
export function canonical(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (isMap(value)) return `{${[...value].map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
  return JSON.stringify(value);
}

export function isMap(value: JsonValue | undefined): value is ReadonlyMap<string, JsonValue> {
  return value instanceof Map;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the white space before the first member that is on a line of its own. */
function unitOf(text: string, root: Node): string {
  const first = root.children?.[0];
  const indent = first === undefined ? null : lineIndent(text, first.offset);
  return indent === null || indent === '' ? '  ' : indent;
}

/** Returns the indentation before an offset; null if other text precedes it on its line. */
export function lineIndent(text: string, at: number): string | null {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return text.lastIndexOf('\n', at - 1) >= 0 && /^[ \t]*$/.test(before) ? before : null;
}
