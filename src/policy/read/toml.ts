/** TOML with places: smol-toml checks the text and provides the data, TomlPlaces finds the place of each key and value. */
import { parse, TomlDate, TomlError } from 'smol-toml';
import { duplicateKey, MAX_DEPTH, type Reading, type ReadingProblem } from './result.js';
import { TomlPlaces } from './toml-places.js';

/** Reads TOML 1.0/1.1; dates become strings, since a policy has no other use for them. */
export function readToml(source: string): Reading {
  let data: unknown;
  try {
    data = parse(source, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return problemOf(error, source);
  }
  const places = new TomlPlaces(source);
  const root = places.read();
  return places.problem ?? { data: withPlainTables(data), root };
}

/** The problem for an error of smol-toml; its message contains an excerpt, which is omitted. */
function problemOf(error: TomlError, source: string): ReadingProblem {
  const offset = offsetOf(source, error.line, error.column);
  const reason = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
  if (reason.startsWith('trying to redefine')) {
    const start = offset + (/^[ \t]*/.exec(source.slice(offset, offset + 1000))?.[0].length ?? 0);
    const name = /^[^=\]\r\n]{0,80}/.exec(source.slice(start, start + 80))?.[0].trim() ?? '';
    return duplicateKey(name.replace(/^(["'])(.*)\1$/, '$2'), start);
  }
  if (reason.includes('excessively nested'))
    return { code: 'file/too-deep', message: `Nesting deeper than ${MAX_DEPTH} levels is not read.`, offset };
  return { code: 'file/syntax', message: `This is not valid TOML: ${reason}.`, offset };
}

/** smol-toml's lines end with LF or CR LF, and its columns count from 1. */
function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let current = 1; current < line; current++) start = source.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** Converts smol-toml's null-prototype tables to plain objects, and dates to strings. MAX_DEPTH bounds the depth before this runs. */
function withPlainTables(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(withPlainTables);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainTables(inner)]));
}
