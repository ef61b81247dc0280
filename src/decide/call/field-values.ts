/** The values of an input field: as an allow has to prove them, and as a restriction has to suspect them. */
import { isFields } from '../../call/fields.js';
import { parsed } from '../../call/mcp-subjects.js';

export type Scalar = string | number | boolean;

/** The maximum number of values examined, of keys of one object, and of nested lists and objects. */
const MOST_VALUES = 1024;
const MOST_KEYS = 1024;
const MOST_DEPTH = 32;
/** The longest text that is read as JSON, in UTF-16 units. */
const MOST_JSON = 65_536;

/** A key or text in the form in which servers may confuse it with another: without case, width and, for keys, separators. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function foldKey(key: string): string {
  return foldText(key).replace(/[_\-\s]/g, '');
}

/**
 * The values that the field certainly has, those of all elements of a list; null if it is missing anywhere, empty, no text, number or
 * truth value, or if a second key may be read as the same field (`Repo` beside `repo`).
 */
export function certainValues(input: object, field: string): readonly Scalar[] | null {
  const values: Scalar[] = [];
  return takeCertain(input, field.split('.'), 0, values) ? values : null;
}

function takeCertain(value: unknown, names: readonly string[], depth: number, into: Scalar[]): boolean {
  if (depth > MOST_DEPTH || into.length >= MOST_VALUES) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => takeCertain(one, names, depth + 1, into));
  if (names.length === 0) {
    if (!isScalar(value)) return false;
    into.push(value);
    return true;
  }
  if (!isFields(value)) return false;
  // `{"query.owner": …}` and `{query: {owner: …}}`.
  const spelled = names.map((_, at) => foldKey(names.slice(0, at + 1).join('.')));
  const keys = Object.keys(value);
  if (keys.length > MOST_KEYS) return false;
  const [key, ...others] = keys.filter((one) => spelled.includes(foldKey(one)));
  const length = names.findIndex((_, at) => names.slice(0, at + 1).join('.') === key) + 1;
  return key !== undefined && others.length === 0 && length > 0 && takeCertain(value[key], names.slice(length), depth + 1, into);
}

/** Every value that a server may take for that of the field, however deep; null if the input is too large to tell. */
export function possibleValues(input: object, field: string): readonly Scalar[] | null {
  const walk: Walk = { values: [], left: MOST_VALUES };
  return takePossible(input, field.split('.').map(foldKey), 0, walk) ? walk.values : null;
}

interface Walk {
  readonly values: Scalar[];
  left: number;
}

function takePossible(value: unknown, names: readonly string[], depth: number, walk: Walk): boolean {
  if (depth > MOST_DEPTH || walk.left-- <= 0) return false;
  if (Array.isArray(value)) return value.every((one) => takePossible(one, names, depth + 1, walk));
  if (isFields(value)) {
    const entries = Object.entries(value);
    if (entries.length > MOST_KEYS) return false;
    return entries.every(([key, inner]) => {
      if (names.length === 0) return takePossible(inner, names, depth + 1, walk);
      const folded = foldKey(key);
      const length = names.findIndex((_, at) => names.slice(0, at + 1).join('.') === folded) + 1;
      return length === 0 || takePossible(inner, names.slice(length), depth + 1, walk);
    });
  }
  if (names.length === 0 && isScalar(value)) walk.values.push(value);
  // `{arguments: '{"channel": "C09"}'}`
  const inner = typeof value === 'string' && /^\s*[[{]/.test(value) && value.length <= MOST_JSON ? parsed(value) : null;
  return inner === null || takePossible(inner, names, depth + 1, walk);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
