/**
 * JSON with places: JSON.parse provides the data, jsonc-parser's tree the offsets (its own values are not used: they honour `__proto__`).
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  duplicateKey,
  forbiddenKey,
  type LocatedNode,
  MAX_DEPTH,
  MAX_NODES,
  type Reading,
  type ReadingProblem,
  tooDeep,
  tooMany,
} from './result.js';

/** Reads strict JSON: no comments, no trailing commas, no second document. */
export function readJson(source: string): Reading {
  const beyond = firstBeyondDepth(source);
  if (beyond >= 0) return tooDeep(beyond);
  if (source.trim() === '') return { data: undefined, root: null };
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return { code: 'file/syntax', message: `This is not valid JSON: ${nameOf(errors[0])}.`, offset: errors[0]?.offset ?? 0 };
  }
  if (tree === undefined) return { data, root: null };
  const state: Walk = { count: 0, problem: null };
  const root = locate(tree, state);
  return state.problem ?? { data, root };
}

interface Walk {
  count: number;
  problem: ReadingProblem | null;
}

/** Converts jsonc-parser's tree to ours; keeps the first duplicate or forbidden key as a problem. */
function locate(node: Node, walk: Walk): LocatedNode {
  walk.count++;
  if (walk.count > MAX_NODES) walk.problem ??= tooMany(node.offset);
  const quoted = node.type === 'string' ? 1 : 0;
  const place = { start: node.offset, textStart: node.offset + quoted, textEnd: node.offset + node.length - quoted };
  if (node.type === 'array') return { ...place, members: null, items: (node.children ?? []).map((item) => locate(item, walk)) };
  if (node.type !== 'object') return { ...place, members: null, items: null };
  const members = new Map<string, { keyStart: number; node: LocatedNode }>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name)) walk.problem ??= duplicateKey(name, key.offset);
    if (name === '__proto__') walk.problem ??= forbiddenKey(key.offset);
    members.set(name, { keyStart: key.offset, node: locate(value, walk) });
  }
  return { ...place, members, items: null };
}

/** `CommaExpected` → `comma expected`. */
function nameOf(error: ParseError | undefined): string {
  if (error === undefined) return 'it does not follow the grammar';
  return printParseErrorCode(error.error).replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : ' '}${letter.toLowerCase()}`);
}

/** The offset of the first bracket, outside strings, that nests one level too deep; -1 if there is none. */
function firstBeyondDepth(source: string): number {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (inString) {
      if (code === 92) index++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      if (++depth > MAX_DEPTH) return index;
    } else if (code === 93 || code === 125) depth--;
  }
  return -1;
}
