/** TOML with places: smol-toml checks and gives the data, TomlPlaces finds where each key and value stands. */
import { parse, TomlDate, TomlError } from 'smol-toml';
import { duplicateKey, MAX_DEPTH, type Reading, type ReadingProblem } from './result.js';
import { TomlPlaces } from './toml-places.js';

/** Reads TOML 1.0/1.1; dates become their text, since a policy has no other use for them. */
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
  return places.problem ?? { data: plain(data), root };
}

/** A sentence for what smol-toml refused; its message carries an excerpt that we leave out. */
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

/** smol-toml counts lines that end with LF or CR LF, and columns from 1. */
function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let current = 1; current < line; current++) start = source.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** smol-toml's null-prototype tables as plain objects, dates as text. Depth is bounded by MAX_DEPTH before this runs. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
