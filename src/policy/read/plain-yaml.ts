/**
 * The YAML in which nearly all policies and agent definitions are written, read line by line: block maps and lists, one-line
 * strings and flat flow lists. Everything else is left to js-yaml, whose loading takes a hook longer than its decision. The
 * result, including places, is exactly that of js-yaml; a test compares the two.
 */
import type { LocatedNode, Reading } from './result.js';

/** So short that no text can have more than the permitted number of values (MAX_NODES). */
const LONGEST = 100_000;
const LONGEST_LINE = 1_000;
const DEEPEST = 20;

/** Any character that is not plainly printable, including tabs and carriage returns. */
const UNUSUAL = /[^\n\x20-\x7e\xa1-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\ud7ff]/;
/** The beginning of a line: a dash, a key, both or neither. */
const HEAD = /^(- +)?(?:([A-Za-z_][\w./-]*):(?: +|$))?/;
/** The beginning of an unquoted string that is neither a number nor preceded by an indicator. */
const TEXT = /^(?:[A-Za-z_(/$]|\.\.?\/)/;
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;
/** Words that are not strings, in any case. */
const WORD = /^(?:null|true|false)$/i;
/** What may follow a value in quotes or brackets. */
const TAIL = /^(?: *| +#.*)$/;
/** An unquoted string between brackets. */
const FLOW = /^[\w .()/$=+?*-]+$/;

/** A value with its place. */
interface Value {
  readonly data: unknown;
  readonly node: LocatedNode;
}

type Members = Map<string, { readonly keyStart: number; readonly node: LocatedNode }>;

/** A map or list that the next lines may add to. */
type Frame =
  | {
      readonly indent: number;
      readonly data: Record<string, unknown>;
      readonly members: Members;
      /** The key whose value has not been read yet. */
      key: { readonly name: string; readonly keyStart: number } | null;
    }
  | { readonly indent: number; readonly data: unknown[]; readonly items: LocatedNode[] };

/** Reads a document; null if any part is of another kind, which does not make it invalid. */
export function readPlainYaml(source: string): Reading | null {
  if (source.length > LONGEST || UNUSUAL.test(source)) return null;
  const reader = new PlainReader();
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const end = newline < 0 ? source.length : newline;
    let at = start;
    while (at < end && source[at] === ' ') at++;
    const says = at < end && source[at] !== '#';
    if (says && (end - start > LONGEST_LINE || !reader.readLine(source.slice(at, end), at, at - start))) return null;
    start = end + 1;
  }
  return reader.result();
}

class PlainReader {
  private readonly frames: Frame[] = [];
  private root: Value | null = null;

  /** The value of all lines; null if there was none, or if a key has no value. */
  result(): Reading | null {
    if (this.root === null || this.frames.some((frame) => 'key' in frame && frame.key !== null)) return null;
    const { data, node } = this.root;
    return { data, root: node };
  }

  /** Reads a line that is neither blank nor a comment; false if it is of another kind. */
  readLine(text: string, start: number, indent: number): boolean {
    // Read by index: destructuring is expensive in code that runs for the first time.
    const found = HEAD.exec(text);
    const head = found?.[0] ?? '';
    const dash = found?.[1];
    const name = found?.[2];
    if (!this.closeAbove(indent)) return false;
    const column = dash === undefined ? 0 : dash.length;
    if (dash !== undefined && !this.enterList(start, indent)) return false;
    if (name !== undefined && !this.enterMap(start + column, indent + column, dash !== undefined)) return false;
    if (head === '' || this.frames.length > DEEPEST) return false;
    if (name !== undefined && !this.takeKey(name, start + column)) return false;
    const rest = text.slice(head.length);
    // A dash alone, or a key whose value is on the following lines.
    if (rest === '' || rest.startsWith('#')) return name !== undefined;
    const value = lineValue(rest, start + head.length);
    return value !== null && this.put(value);
  }

  /** Closes the frames that a line of this indentation ends; false if a key would have no value. */
  private closeAbove(indent: number): boolean {
    for (let top = this.frames.at(-1); top !== undefined && top.indent > indent; top = this.frames.at(-1)) {
      if ('key' in top && top.key !== null) return false;
      this.frames.pop();
    }
    return true;
  }

  /** Makes the list of a dash the innermost frame. */
  private enterList(start: number, indent: number): boolean {
    const top = this.frames.at(-1);
    if (top === undefined) return false;
    if (!('key' in top)) return top.indent === indent;
    if (top.key === null) return false;
    const data: unknown[] = [];
    const items: LocatedNode[] = [];
    this.put({ data, node: nodeOf(start, -1, -1, null, items) });
    this.frames.push({ indent, data, items });
    return true;
  }

  /** Makes the map of a key the innermost frame; after a dash it is always a new one. */
  private enterMap(start: number, indent: number, behindDash: boolean): boolean {
    let top = this.frames.at(-1);
    if (!behindDash && top !== undefined && !('key' in top)) {
      // A list may have the same indentation as its key.
      if (top.indent !== indent) return false;
      this.frames.pop();
      top = this.frames.at(-1);
    }
    if (!behindDash && top !== undefined && 'key' in top && top.key === null) return top.indent === indent;
    if (top === undefined ? this.root !== null || indent !== 0 : top.indent >= indent) return false;
    const data: Record<string, unknown> = {};
    const members: Members = new Map();
    this.put({ data, node: nodeOf(start, -1, -1, members) });
    this.frames.push({ indent, data, members, key: null });
    return true;
  }

  private takeKey(name: string, keyStart: number): boolean {
    const top = this.frames.at(-1);
    if (top === undefined || !('key' in top) || top.members.has(name) || name === '__proto__' || WORD.test(name)) return false;
    top.key = { name, keyStart };
    return true;
  }

  /** Stores a value under the key that waits for it, or at the end of the list. */
  private put({ data, node }: Value): boolean {
    const top = this.frames.at(-1);
    if (top === undefined) this.root = { data, node };
    else if (!('key' in top)) {
      top.data.push(data);
      top.items.push(node);
    } else if (top.key !== null) {
      top.data[top.key.name] = data;
      top.members.set(top.key.name, { keyStart: top.key.keyStart, node });
      top.key = null;
    }
    return true;
  }
}

function nodeOf(
  start: number,
  textStart: number,
  textEnd: number,
  members: Members | null = null,
  items: LocatedNode[] | null = null,
): LocatedNode {
  return { start, textStart, textEnd, members, items };
}

/** The value from `start` to the end of the line. */
function lineValue(rest: string, start: number): Value | null {
  const first = rest[0];
  if (first === '"' || first === "'") return quotedOf(rest, start);
  if (first === '[') return flowOf(rest, start);
  const comment = rest.indexOf(' #');
  return plainOf((comment < 0 ? rest : rest.slice(0, comment)).trimEnd(), start);
}

/** A quoted string without escapes, and nothing after it. */
function quotedOf(rest: string, start: number): Value | null {
  const end = rest.indexOf(rest[0] ?? '', 1);
  const text = rest.slice(1, end);
  if (end < 0 || text.includes('\\') || !TAIL.test(rest.slice(end + 1))) return null;
  return { data: text, node: nodeOf(start, start + 1, start + end) };
}

/** An unquoted string, number or boolean. */
function plainOf(text: string, start: number): Value | null {
  const node = nodeOf(start, start, start + text.length);
  if (NUMBER.test(text)) return { data: Number(text), node };
  if (text === 'true' || text === 'false') return { data: text === 'true', node };
  if (!TEXT.test(text) || WORD.test(text) || text.includes(': ') || text.endsWith(':')) return null;
  return { data: text, node };
}

/** A list in brackets, of strings and numbers. */
function flowOf(rest: string, start: number): Value | null {
  const data: unknown[] = [];
  const items: LocatedNode[] = [];
  let at = afterSpaces(rest, 1);
  const isEmpty = rest[at] === ']';
  while (!isEmpty) {
    const end = endOfItem(rest, at);
    const text = rest.slice(at, end).trimEnd();
    const item = itemOf(text, start + at);
    if (item === null) return null;
    data.push(item.data);
    items.push(item.node);
    if (rest[end] === ']') {
      at = end;
      break;
    }
    at = afterSpaces(rest, end + 1);
  }
  return TAIL.test(rest.slice(at + 1)) ? { data, node: nodeOf(start, -1, -1, null, items) } : null;
}

/** One string or number of a list in brackets: after quotes, not even a comment may follow. */
function itemOf(text: string, start: number): Value | null {
  const first = text[0];
  if (first === '"' || first === "'") return text.indexOf(first, 1) === text.length - 1 ? quotedOf(text, start) : null;
  return FLOW.test(text) ? plainOf(text, start) : null;
}

/** The position of the comma or bracket that ends the item at `at`; the end of the text if there is none. */
function endOfItem(rest: string, at: number): number {
  const quote = rest[at] === '"' || rest[at] === "'" ? rest.indexOf(rest[at] ?? '', at + 1) : at;
  const bracket = rest.indexOf(']', quote);
  const comma = rest.indexOf(',', quote);
  if (quote < 0 || bracket < 0) return rest.length;
  return comma < 0 ? bracket : Math.min(comma, bracket);
}

function afterSpaces(text: string, at: number): number {
  let next = at;
  while (text[next] === ' ') next++;
  return next;
}
