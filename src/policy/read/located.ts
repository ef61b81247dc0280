/** Reads YAML, JSON and TOML so that every key and value keeps its place in the text. */
import { isDamagedProgram } from './damaged-program.js';
import { readJson } from './json.js';
import { readPlainYaml } from './plain-yaml.js';
import { pointerNames } from './pointer.js';
import { type LocatedNode, MAX_LENGTH, type Reading } from './result.js';
import { readToml } from './toml.js';
import { readYaml } from './yaml.js';

export const FORMATS = ['yaml', 'json', 'toml'] as const;
export type Format = (typeof FORMATS)[number];

/** The format of a file, by its name; YAML for every other name. */
export function formatOf(file: string): Format {
  if (file.endsWith('.json')) return 'json';
  return file.endsWith('.toml') ? 'toml' : 'yaml';
}

/** A place in a text: line and column count from 1, columns in UTF-16 units; a byte order mark is not counted. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Why a text cannot be read at all, with the place. */
export interface FileProblem extends Place {
  readonly code: string;
  readonly message: string;
}

export interface Located {
  readonly ok: true;
  /** Plain JSON-like data without inherited members; undefined for an empty text. */
  readonly data: unknown;
  /** The place of the last key of a JSON pointer (`/budget/tokens`); that of the nearest parent if it is missing. */
  readonly keyAt: (pointer: string) => Place;
  /** The start of the value of a JSON pointer; that of the nearest parent if it is missing. */
  readonly valueAt: (pointer: string) => Place;
  /** The place of character `offset` in the text `value` at a pointer; the value's start if it contains escapes or line folds. */
  readonly insideAt: (pointer: string, value: string, offset: number) => Place;
}

const READERS: Readonly<Record<Format, (text: string) => Reading>> = {
  yaml: (text) => readPlainYaml(text) ?? readYaml(text),
  json: readJson,
  toml: readToml,
};

/**
 * Parses `text` and remembers the place of everything. Anything a parser throws becomes a problem; only a damagedProgram error is thrown.
 * Duplicate keys, keys named `__proto__`, alias cycles, more than one document and anything beyond the limits in result.ts are problems.
 * @param tolerant also reads YAML in which a `]` or `}` is indented no deeper than the key of its list, as js-yaml 4 and the
 * runners do
 */
export function parseLocated(
  text: string,
  format: Format,
  tolerant = false,
): Located | { readonly ok: false; readonly problem: FileProblem } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const reading: Reading =
    source.length > MAX_LENGTH
      ? { code: 'file/too-large', message: 'This file is larger than 1 MiB; a policy has to be smaller.', offset: 0 }
      : readSafely(source, format);
  if ('code' in reading && tolerant && reading.code === 'file/syntax' && format === 'yaml') {
    const second = readSafely(bracketsRaised(source), format);
    if (!('code' in second)) return located(source, second.data, second.root);
  }
  if ('code' in reading)
    return {
      ok: false,
      problem: { code: reading.code, message: reading.message, ...lineAndColumn(lineStarts(source), reading.offset) },
    };
  return located(source, reading.data, reading.root);
}

/** Moves every line that only closes a list or map to the end of the line above; every other character keeps its offset. */
function bracketsRaised(source: string): string {
  const lines = source.split('\n');
  let raised = lines[0] ?? '';
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const above = lines[index - 1] ?? '';
    const closes = /^[ \t]*[\]}],?[ \t\r]*$/.test(line) && !above.includes('#');
    raised = closes ? `${raised.replace(/\r$/, ' ')} ${line}` : `${raised}\n${line}`;
  }
  return raised;
}

/** Data with the tree of its places in `source`, which has no byte order mark. */
export function located(source: string, data: unknown, root: LocatedNode | null): Located {
  let starts: readonly number[] | undefined;
  const place = (offset: number) => {
    // Most texts are read only for their data.
    starts ??= lineStarts(source);
    return lineAndColumn(starts, offset);
  };
  return {
    ok: true,
    data,
    keyAt: (pointer) => place(find(root, pointer).keyStart),
    valueAt: (pointer) => place(find(root, pointer).node?.start ?? 0),
    insideAt: (pointer, value, offset) => {
      const { node } = find(root, pointer);
      const exact = node !== null && node.textStart >= 0 && source.slice(node.textStart, node.textEnd) === value;
      return place(exact ? node.textStart + offset : (node?.start ?? 0));
    },
  };
}

/** Reads a text. If a parser runs out of stack or throws anything unforeseen, the file is unreadable; this never crashes. */
function readSafely(source: string, format: Format): Reading {
  try {
    return READERS[format](source);
  } catch (error) {
    if (isDamagedProgram(error)) throw error;
    return {
      code: 'file/syntax',
      message: `This file cannot be read as ${format.toUpperCase()}; its structure is too unusual for the parser.`,
      offset: 0,
    };
  }
}

/** Follows a JSON pointer as far as it exists in the text. */
function find(root: LocatedNode | null, pointer: string): { keyStart: number; node: LocatedNode | null } {
  let node = root;
  let keyStart = root?.start ?? 0;
  for (const name of pointerNames(pointer)) {
    const member = node?.members?.get(name);
    const next = member?.node ?? node?.items?.[Number(name)];
    if (next === undefined) break;
    node = next;
    keyStart = member?.keyStart ?? next.start;
  }
  return { keyStart, node };
}

/** The offsets at which lines start; a line ends with LF, CR LF or CR. */
export function lineStarts(source: string): readonly number[] {
  const starts = [0];
  if (source.includes('\r')) {
    for (const { index, 0: end } of source.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
    return starts;
  }
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line and column of an offset, by binary search. */
function lineAndColumn(starts: readonly number[], offset: number): Place {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
