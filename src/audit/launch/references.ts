/**
 * `{env:NAME}` and `{file:PATH}`: OpenCode replaces these with a variable or with the contents of a file, in the text of its
 * settings before parsing (1.18.33). The resulting settings are predictable only if each reference is complete and occurs in a
 * value, or in a comment line.
 */
import { isList, isMap, type JsonValue } from '../../disk/json-text.js';

export interface Reference {
  readonly kind: 'env' | 'file';
  readonly name: string;
}

const START = /\{(?:env|file):/g;
const WHOLE = /\{(env):(\w{1,200})\}|\{(file):([^{}"\\\r\n]{1,4096})\}/g;
/** A variable is inserted unescaped, so it may end the surrounding string; a file's contents are escaped for a string. */
const PLAIN = /^[^"\\{}\p{Cc}]*$/u;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the references in a text; null when they cannot be determined. */
export function referencesIn(text: string, environment: Environment): readonly Reference[] | null {
  const found = [...text.matchAll(WHOLE)].map(
    ([, env, name = '', , path = '']): Reference => (env === undefined ? { kind: 'file', name: path } : { kind: 'env', name }),
  );
  // Variables are substituted first, and may complete another reference.
  if (found.some(({ kind }) => kind === 'env') && text.replace(WHOLE, '').includes('{')) return null;
  if (found.length !== count(text)) return null;
  return found.every(({ kind, name }) => kind === 'file' || PLAIN.test(environment[name] ?? '')) ? found : null;
}

/** Whether a reference occurs outside of the strings of these values. @param values the values of the file that are checked */
export function refersElsewhere(text: string, values: readonly JsonValue[], environment: Environment): boolean {
  const commented = text.replace(/^[ \t]*\/\/[^\r\n]*/gm, (line) => (referencesIn(line, environment) === null ? line : ''));
  const all = count(commented);
  // With an escape, a value may contain a reference that the text does not.
  return all > 0 && (text.includes('\\u') || all !== values.reduce((sum: number, one) => sum + countIn(one), 0));
}

function countIn(value: JsonValue): number {
  if (typeof value === 'string') return count(value);
  if (isList(value)) return value.reduce((sum: number, one) => sum + countIn(one), 0);
  if (!isMap(value)) return 0;
  return [...value].reduce((sum, [name, one]) => sum + count(name) + countIn(one), 0);
}

function count(text: string): number {
  return text.match(START)?.length ?? 0;
}
