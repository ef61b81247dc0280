/**
 * src/runner/NAME/shapes.yaml: which values the client's own schema takes. `.` in `types` is the type of the whole file, `heads` the
 * types of definitions by their format. A type is a map from keys to types (`key!` must be there, `*` is any other key, `<<` the type
 * that has the other keys), or a choice: by the value of a key (`by`), or by the first key that is there (`has`). A type is written as alternatives, separated by ` or `: `text`,
 * `number`, `whole` (from 0), `count` (from 1), `switch`, `any`, `=a/b` (one of these words), `list of …`, `map of …`, or a name of
 * `types`. `never: …`, `lost: …` and `user: …` are keys for which the client ends, which it passes over, and which it
 * passes over in a project; the words say what to write.
 */
import { isFields } from '../../call/fields.js';
import { nearestWord } from '../../policy/nearest.js';
import { pointerNames, pointerTo } from '../../policy/read/pointer.js';
import { shown } from '../../policy/sentences.js';
import type { ConfigKind } from '../places/place.js';

type Keys = Readonly<Record<string, string>>;
/** With `or`, an entry with the wrong shape is passed over if this key is a switch: it is read as an entry with this key alone. */
type Choice = { readonly by: string; readonly types: Keys; readonly or?: string } | { readonly has: Keys };
/** A text of a form that no list of words tells. */
interface Form {
  readonly form: string;
  readonly words: string;
}

export interface Shapes {
  readonly config?: ConfigKind;
  readonly heads?: Keys;
  /** Texts that are filled in before the schema is asked, which are not judged. */
  readonly filled?: string;
  readonly types: Readonly<Record<string, Keys | Choice | Form>>;
}

export interface ShapeMistake {
  readonly pointer: string;
  readonly about: 'key' | 'value';
  readonly why: string;
  /** The client `ends`, or starts without what is wrong (`lost`), unless it is a file of the person (`user`). */
  readonly effect: 'ends' | 'lost' | 'user';
}

const MOST = 50;

/** Returns the mistakes of a value that should be of a type. */
export function shapeMistakes(shapes: Shapes, value: unknown, type: string, pointer = ''): ShapeMistake[] {
  if (type === 'any' || (typeof value === 'string' && shapes.filled !== undefined && new RegExp(shapes.filled).test(value)))
    return [];
  const [, kind, words] = /^(never|lost|user): (.*)$/.exec(type) ?? [];
  if (words !== undefined)
    return [
      {
        pointer,
        about: 'key',
        why: `${named(pointer)} ${words}`,
        effect: kind === 'never' ? 'ends' : kind === 'user' ? kind : 'lost',
      },
    ];
  const alternatives = type.split(' or ');
  const fits = alternatives.find((one) => isKind(shapes, value, one));
  if (fits === undefined) {
    const known = alternatives.flatMap((one) => (one.startsWith('=') ? one.slice(1).split('/') : []));
    const near = typeof value === 'string' ? nearestWord(value, known) : null;
    const meant = near === null ? '' : ` (did you mean ${near}?)`;
    const why = `${named(pointer)} has to be ${inWords(shapes, type)}, not ${shown(value)}${meant}`;
    return [{ pointer, about: 'value', why, effect: 'ends' }];
  }
  if (fits === 'any') return [];
  if (Array.isArray(value))
    return value.slice(0, 500).flatMap((one, at) => shapeMistakes(shapes, one, fits.slice(8), pointerTo(pointer, at)));
  if (!isFields(value)) return [];
  return (
    fits.startsWith('map of ') ? ofKeys(shapes, value, { '*': fits.slice(7) }, pointer) : ofType(shapes, value, fits, pointer)
  ).slice(0, MOST);
}

function isKind(shapes: Shapes, value: unknown, type: string): boolean {
  if (type.startsWith('=')) return typeof value !== 'object' && type.slice(1).split('/').includes(String(value));
  if (type.startsWith('list of ')) return Array.isArray(value);
  if (type === 'text') return typeof value === 'string';
  if (type === 'switch') return typeof value === 'boolean';
  if (type === 'any') return true;
  if (type === 'number') return typeof value === 'number' || typeof value === 'bigint';
  if (type === 'whole' || type === 'count')
    return (
      Number.isInteger(Number(value)) &&
      typeof value !== 'string' &&
      typeof value !== 'boolean' &&
      Number(value) >= (type === 'count' ? 1 : 0)
    );
  const known = shapes.types[type];
  return known !== undefined && isForm(known) ? typeof value === 'string' && new RegExp(known.form).test(value) : isFields(value);
}

function isForm(type: Keys | Choice | Form): type is Form {
  return Object.hasOwn(type, 'form');
}

function ofType(shapes: Shapes, value: Readonly<Record<string, unknown>>, type: string, pointer: string): ShapeMistake[] {
  const known = shapes.types[type] ?? {};
  if (isForm(known)) return [];
  if ('has' in known && typeof known.has === 'object') {
    const key = Object.keys(known.has).find((one) => Object.hasOwn(value, one));
    if (key !== undefined) return ofType(shapes, value, known.has[key] ?? '', pointer);
    const why = `${named(pointer)} has no ${Object.keys(known.has).join(' and no ')}`;
    return [{ pointer, about: 'key', why, effect: 'ends' }];
  }
  if (!('by' in known && typeof known.types === 'object')) return ofKeys(shapes, value, known as Keys, pointer);
  const { by, types, or } = known as Extract<Choice, { by: string }>;
  const kind = value[by];
  const isLost = or !== undefined && typeof value[or] === 'boolean';
  // Nothing but that key is an entry of its own.
  if (isLost && kind === undefined) return [];
  const inner = typeof kind === 'string' && Object.hasOwn(types, kind) ? types[kind] : undefined;
  const found =
    inner === undefined
      ? kind === undefined
        ? [missing(pointer, `${by}; it has to be ${orList(Object.keys(types))}`)]
        : shapeMistakes(shapes, kind, `=${Object.keys(types).join('/')}`, pointerTo(pointer, by))
      : ofType(shapes, value, inner, pointer);
  return isLost ? found.map((one) => ({ ...one, effect: 'lost' })) : found;
}

function ofKeys(shapes: Shapes, value: Readonly<Record<string, unknown>>, own: Keys, pointer: string): ShapeMistake[] {
  const keys = own['<<'] === undefined ? own : { ...(shapes.types[own['<<']] as Keys), ...own };
  const needed = Object.keys(keys).filter((key) => key.endsWith('!') && !Object.hasOwn(value, key.slice(0, -1)));
  const found = needed.map((key) => missing(pointer, key.slice(0, -1)));
  for (const [key, inner] of Object.entries(value).slice(0, 500)) {
    const known = [key, `${key}!`, '*'].find((one) => Object.hasOwn(keys, one));
    if (known !== undefined) found.push(...shapeMistakes(shapes, inner, keys[known] ?? 'any', pointerTo(pointer, key)));
  }
  return found;
}

function missing(pointer: string, what: string): ShapeMistake {
  return { pointer, about: 'key', why: `${named(pointer)} has no ${what}`, effect: 'ends' };
}

function named(pointer: string): string {
  return pointer === '' ? 'the file' : shown(pointerNames(pointer).join('.'));
}

function inWords(shapes: Shapes, type: string): string {
  return orList(type.split(' or ').flatMap((one) => words(shapes, one)));
}

const PLAIN: Keys = {
  text: 'a text',
  number: 'a number',
  whole: 'a whole number',
  count: 'a whole number above 0',
  switch: 'true or false',
};

function words(shapes: Shapes, type: string): string[] {
  if (type.startsWith('=')) return type.slice(1).split('/');
  if (type.startsWith('list of ')) return [type === 'list of text' ? 'a list of texts' : 'a list'];
  const known = shapes.types[type];
  return [PLAIN[type] ?? (known !== undefined && isForm(known) ? known.words : 'a map')];
}

function orList(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
