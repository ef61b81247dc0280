/** The places of keys and values in a TOML text that a real parser has already accepted. */
import { forbiddenKey, type LocatedNode, MAX_DEPTH, MAX_NODES, type ReadingProblem, tooDeep, tooMany } from './result.js';

/** A node under construction: later headers and dotted keys may add to a table. */
interface TomlNode extends LocatedNode {
  readonly members: Map<string, { readonly keyStart: number; readonly node: TomlNode }> | null;
  readonly items: TomlNode[] | null;
}

interface KeyPart {
  readonly name: string;
  readonly start: number;
}

const BARE_END = /[\s,\]}#]/;

/** One pass over the text; follows the grammar only as far as places require. */
export class TomlPlaces {
  /** Set if there are too many values, too much depth or a forbidden key; else null. */
  problem: ReadingProblem | null = null;
  private at = 0;
  private count = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The tree of the whole text; incomplete when `problem` is set. */
  read(): LocatedNode {
    const root = table(0);
    let current: TomlNode = root;
    for (this.skip(); this.at < this.source.length && this.problem === null; this.skip()) {
      if (this.source[this.at] === '[') current = this.header(root);
      else this.pair(current, 0);
    }
    return root;
  }

  /** `[a.b]` opens a table, `[[a.b]]` adds one to a list. */
  private header(root: TomlNode): TomlNode {
    const start = this.at;
    const isList = this.source[start + 1] === '[';
    this.at += isList ? 2 : 1;
    const parts = this.key();
    this.at += isList ? 2 : 1;
    const last = parts.pop();
    const parent = this.descend(root, parts);
    if (last === undefined) return parent;
    const existing = parent.members?.get(last.name)?.node;
    const added = table(start);
    if (!isList) {
      if (existing !== undefined) return existing;
      this.add(parent, last, added);
    } else if (existing?.items) existing.items.push(added);
    else this.add(parent, last, { ...table(start), members: null, items: [added] });
    return added;
  }

  /** `a.b = value`, in a table or between the braces of an inline one. */
  private pair(into: TomlNode, depth: number): void {
    const parts = this.key();
    const last = parts.pop();
    const parent = this.descend(into, parts);
    this.at++;
    this.skip();
    const node = this.value(depth + parts.length + 1);
    if (last !== undefined) this.add(parent, last, { ...node, end: this.at });
  }

  /** Follows the tables that a dotted key names, creating them if necessary; in a list of tables, the last entry. */
  private descend(from: TomlNode, parts: readonly KeyPart[]): TomlNode {
    if (parts.length >= MAX_DEPTH) this.problem ??= tooDeep(parts[MAX_DEPTH - 1]?.start ?? 0);
    let node = from;
    for (const part of parts) {
      let next = node.members?.get(part.name)?.node;
      if (next === undefined) {
        next = table(part.start);
        this.add(node, part, next);
      }
      node = next.items?.at(-1) ?? next;
    }
    return node;
  }

  private add(parent: TomlNode, part: KeyPart, node: TomlNode): void {
    if (++this.count > MAX_NODES) this.problem ??= tooMany(part.start);
    if (part.name === '__proto__') this.problem ??= forbiddenKey(part.start);
    parent.members?.set(part.name, { keyStart: part.start, node });
  }

  /** Reads the parts of a dotted key; afterwards `at` is on the `=` or `]`. */
  private key(): KeyPart[] {
    const parts: KeyPart[] = [];
    for (;;) {
      this.skip();
      const start = this.at;
      const quote = this.source[start];
      if (quote === '"' || quote === "'") {
        const node = this.text(quote);
        const raw = this.source.slice(node.textStart, node.textEnd);
        parts.push({ name: quote === '"' ? unescapeToml(raw) : raw, start });
      } else {
        while (/[A-Za-z0-9_-]/.test(this.source[this.at] ?? '')) this.at++;
        parts.push({ name: this.source.slice(start, this.at), start });
      }
      this.skip();
      if (this.source[this.at] !== '.') return parts;
      this.at++;
    }
  }

  private value(depth: number): TomlNode {
    const start = this.at;
    const first = this.source[start];
    if (depth > MAX_DEPTH) this.problem ??= tooDeep(start);
    if (++this.count > MAX_NODES) this.problem ??= tooMany(start);
    if (this.problem !== null) {
      this.at = this.source.length;
      return { ...table(start), members: null };
    }
    if (first === '"' || first === "'") return this.text(first);
    if (first === '[') return this.list(depth);
    if (first === '{') return this.inlineTable(depth);
    while (this.at < this.source.length && !BARE_END.test(this.source[this.at] ?? '')) this.at++;
    // A date and its time may be separated by one space.
    if (/^[ ]\d\d:/.test(this.source.slice(this.at, this.at + 4)))
      for (this.at++; this.at < this.source.length && !BARE_END.test(this.source[this.at] ?? ''); ) this.at++;
    return { start, textStart: start, textEnd: this.at, members: null, items: null };
  }

  private list(depth: number): TomlNode {
    const items: TomlNode[] = [];
    const node = { ...table(this.at), members: null, items };
    this.at++;
    for (this.skip(); this.at < this.source.length && this.source[this.at] !== ']'; this.skip()) {
      if (this.source[this.at] === ',') this.at++;
      else items.push(this.value(depth + 1));
    }
    this.at++;
    return node;
  }

  private inlineTable(depth: number): TomlNode {
    const node = table(this.at);
    this.at++;
    for (this.skip(); this.at < this.source.length && this.source[this.at] !== '}'; this.skip()) {
      if (this.source[this.at] === ',') this.at++;
      else this.pair(node, depth);
    }
    this.at++;
    return node;
  }

  /** Reads a string of any of the four kinds. */
  private text(quote: string): TomlNode {
    const start = this.at;
    const long = this.source.startsWith(quote.repeat(3), start);
    const width = long ? 3 : 1;
    const close = quote.repeat(width);
    this.at += width;
    while (this.at < this.source.length && !this.source.startsWith(close, this.at)) {
      this.at += quote === '"' && this.source[this.at] === '\\' ? 2 : 1;
    }
    // Up to two quotes may directly precede the closing three.
    if (long) while (this.source[this.at + 3] === quote) this.at++;
    const end = this.at;
    this.at += width;
    return { start, textStart: start + width, textEnd: end, members: null, items: null };
  }

  /** Skips white space, line ends and comments. */
  private skip(): void {
    for (;;) {
      const code = this.source.charCodeAt(this.at);
      if (code === 32 || code === 9 || code === 10 || code === 13) this.at++;
      else if (code === 35) {
        const end = this.source.indexOf('\n', this.at);
        this.at = end < 0 ? this.source.length : end;
      } else return;
    }
  }
}

function table(start: number): TomlNode {
  return { start, textStart: -1, textEnd: -1, members: new Map(), items: null };
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001B' };

/** The name in a quoted key; only escapes that smol-toml accepted occur here. */
function unescapeToml(raw: string): string {
  return raw.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))/g, (_, four, eight, two, simple) => {
    const hex = four ?? eight ?? two;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return Object.hasOwn(SIMPLE_ESCAPES, simple) ? (SIMPLE_ESCAPES[simple] ?? simple) : simple;
  });
}
