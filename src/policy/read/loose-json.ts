/**
 * JSON with comments, trailing commas and duplicate keys, read as far as possible: every mistake is kept with its place, so that
 * one of them does not hide the rest of a file. Of two equal keys the last applies, as in JSON.parse. Values are built here, not
 * by the parser, whose own objects treat `__proto__` as a prototype.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { type LocatedNode, MAX_DEPTH, MAX_LENGTH, MAX_NODES } from './result.js';

export interface JsonMistake {
  readonly what: 'comment' | 'trailing-comma' | 'syntax' | 'duplicate-key' | 'limit';
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

export interface LooseJson {
  /** Undefined if nothing could be read. Objects have no prototype. */
  readonly data: unknown;
  readonly root: LocatedNode | null;
  readonly mistakes: readonly JsonMistake[];
}

/** @param source without a byte order mark */
export function readLooseJson(source: string): LooseJson {
  if (source.length > MAX_LENGTH) return nothing('This file is larger than 1 MiB and was not read.', 0);
  try {
    const beyond = firstBeyond(source);
    if (beyond !== null) return nothing(beyond.message, beyond.offset);
    return readBounded(source);
  } catch (error) {
    // Where the parser's reading differs from this count of levels, it may run out of stack.
    if (!(error instanceof RangeError)) throw error;
    return nothing(`Nesting deeper than ${MAX_DEPTH} levels is not read.`, 0);
  }
}

function readBounded(source: string): LooseJson {
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { disallowComments: false, allowTrailingComma: false, allowEmptyContent: true });
  const comments = commentsIn(source);
  const syntax = errors.slice(0, MOST_MISTAKES).map((error) => mistakeOf(error, source, comments));
  const walk: Walk = { mistakes: [...comments, ...syntax] };
  if (tree === undefined) return { data: undefined, root: null, mistakes: walk.mistakes };
  const { data, node } = locate(tree, walk);
  return { data, root: node, mistakes: walk.mistakes.sort((left, right) => left.offset - right.offset) };
}

function nothing(message: string, offset: number): LooseJson {
  return { data: undefined, root: null, mistakes: [{ what: 'limit', message, offset, length: 1 }] };
}

interface Walk {
  readonly mistakes: JsonMistake[];
}

const MOST_MISTAKES = 100;

function commentsIn(source: string): JsonMistake[] {
  if (!source.includes('/')) return [];
  const found: JsonMistake[] = [];
  visit(source, {
    onComment: (offset, length) => {
      if (found.length < MOST_MISTAKES) found.push({ what: 'comment', message: 'JSON has no comments.', offset, length });
    },
  });
  return found;
}

function mistakeOf({ error, offset, length }: ParseError, source: string, comments: readonly JsonMistake[]): JsonMistake {
  const name = printParseErrorCode(error);
  const before = source.slice(0, endBefore(source, offset, comments));
  if (
    (name === 'PropertyNameExpected' || name === 'ValueExpected') &&
    before.endsWith(',') &&
    /^[\]}]/.test(source.slice(offset).trimStart())
  )
    return {
      what: 'trailing-comma',
      message: 'JSON has no comma before a closing bracket.',
      offset: before.length - 1,
      length: 1,
    };
  const words = name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : ' '}${letter.toLowerCase()}`);
  return { what: 'syntax', message: `This is not valid JSON: ${words}.`, offset, length: Math.max(length, 1) };
}

/** The end of the last token before an offset that is neither white space nor a comment. */
function endBefore(source: string, offset: number, comments: readonly JsonMistake[]): number {
  let end = source.slice(0, offset).trimEnd().length;
  for (const comment of comments.toReversed())
    if (comment.offset < end && comment.offset + comment.length >= end) end = source.slice(0, comment.offset).trimEnd().length;
  return end;
}

function locate(tree: Node, walk: Walk): { data: unknown; node: LocatedNode } {
  const quoted = tree.type === 'string' ? 1 : 0;
  const place = { start: tree.offset, textStart: tree.offset + quoted, textEnd: tree.offset + tree.length - quoted };
  const children = tree.children ?? [];
  if (tree.type === 'array') {
    const items = children.map((child) => locate(child, walk));
    return { data: items.map(({ data }) => data), node: { ...place, members: null, items: items.map(({ node }) => node) } };
  }
  if (tree.type !== 'object') return { data: tree.value, node: { ...place, members: null, items: null } };
  const data: Record<string, unknown> = Object.create(null);
  const members = new Map<string, { keyStart: number; node: LocatedNode }>();
  for (const { children: pair } of children) {
    const [key, value] = pair ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name) && walk.mistakes.length < MOST_MISTAKES)
      walk.mistakes.push({
        what: 'duplicate-key',
        message: `The key ${JSON.stringify(name.slice(0, 80))} is written twice in the same map; only the last one counts.`,
        offset: key.offset,
        length: key.length,
      });
    const inner = locate(value, walk);
    data[name] = inner.data;
    members.set(name, { keyStart: key.offset, node: inner.node });
  }
  return { data, node: { ...place, members, items: null } };
}

/** One token of the parser: a string (which ends with its line at the latest), a comment, a word, or any other character. */
const TOKEN = /"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"?|\/\/[^\r\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|[^\s"/[\]{},:]+|[^\s]/gy;
const SPACES = /\s*/gy;

/**
 * The first place where the text is too deep or too large to be read, with a message; counted before anything is built. Strings,
 * brackets and words count as values; a string before a colon is a key.
 */
function firstBeyond(source: string): { readonly message: string; readonly offset: number } | null {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let offset = afterSpaces(source, 0); offset < source.length; offset = afterSpaces(source, TOKEN.lastIndex)) {
    TOKEN.lastIndex = offset;
    if (!TOKEN.test(source)) return null;
    const sign = source[offset] ?? '';
    if (sign === '/' && TOKEN.lastIndex > offset + 1) continue;
    if (sign === ':' && isText) values--;
    else if (!']},:'.includes(sign)) values++;
    isText = sign === '"';
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return { message: `Nesting deeper than ${MAX_DEPTH} levels is not read.`, offset };
    if (values > MAX_NODES) return { message: `A file with more than ${MAX_NODES} values is not read.`, offset };
  }
  return null;
}

function afterSpaces(source: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.test(source);
  return SPACES.lastIndex;
}
