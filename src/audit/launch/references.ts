/**
 * `{env:NAME}` and `{file:PATH}`: OpenCode puts a variable or the text of a file in their place, in the text of its settings before that
 * is parsed (1.18.33). What such a text sets can be told only where each one is whole and stands in a value, or in a line of comment.
 */
import { isList, isMap, type JsonValue } from '../../disk/json-text.js';

export interface Reference {
  readonly kind: 'env' | 'file';
  readonly name: string;
}

const START = /\{(?:env|file):/g;
const WHOLE = /\{(env):(\w{1,200})\}|\{(file):([^{}"\\\r\n]{1,4096})\}/g;
/** A variable is put in as it is, so it may end the text that it stands in; a file is written as the inside of a text. */
const PLAIN = /^[^"\\{}\p{Cc}]*$/u;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a text refers to; null where that cannot be told. */
export function referencesIn(text: string, environment: Environment): readonly Reference[] | null {
  const found = [...text.matchAll(WHOLE)].map(
    ([, env, name = '', , path = '']): Reference => (env === undefined ? { kind: 'file', name: path } : { kind: 'env', name }),
  );
  // Variables come first, and may complete another one.
  if (found.some(({ kind }) => kind === 'env') && text.replace(WHOLE, '').includes('{')) return null;
  if (found.length !== count(text)) return null;
  return found.every(({ kind, name }) => kind === 'file' || PLAIN.test(environment[name] ?? '')) ? found : null;
}

/** Whether one stands elsewhere than in the texts of these values. @param values what of the file counts */
export function refersElsewhere(text: string, values: readonly JsonValue[], environment: Environment): boolean {
  const commented = text.replace(/^[ \t]*\/\/[^\r\n]*/gm, (line) => (referencesIn(line, environment) === null ? line : ''));
  const all = count(commented);
  // Written with an escape, a value holds one that the text does not.
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
