/**
 * Hooks in JSON settings: `hooks.EVENT` is a list of handlers, or of groups with a list of handlers in each. Ours are recognized
 * by their command line; all others, and everything else in the file, stay unchanged.
 */
import { commentsAround, editedSettings, editJsonText, type JsonStep } from '../disk/json-edit.js';
import {
  canonical,
  isList,
  isMap,
  type JsonPath,
  type JsonText,
  JsonTextError,
  type JsonValue,
  jsonValue,
  readJsonText,
} from '../disk/json-text.js';

/** Tests whether a command line is ours. */
export type IsOurs = (command: string) => boolean;

/**
 * Tests whether an entry of an event's list in a text has to stay in its position, because the runner identifies it by position
 * and content.
 */
export type IsKept = (text: string, event: string, at: number) => boolean;

/** Maximum number of steps, more than any file needs; guards against an endless loop. */
const MOST_STEPS = 1_000;

/**
 * Returns the text with the hooks of `wanted`, and none of our older ones. Throws JsonTextError for a text that has no place for them.
 * @param wanted the runner's settings as they would be in a file of their own
 * @param kept if it is true for an older entry of ours, the wanted one is put next to that entry, until it is true for the wanted
 * one
 */
export function withJsonHooks(
  source: string,
  wanted: string,
  strict: boolean,
  isOurs: IsOurs,
  kept: IsKept = () => false,
): string {
  const settings = jsonValue(JSON.parse(wanted));
  if (!isMap(settings)) throw new JsonTextError("the runner's settings are not a JSON object");
  return repeated(source, strict, (file) => stepTowards(file, settings, isOurs, kept));
}

/** Returns the text without any hook of ours. */
export function withoutJsonHooks(source: string, strict: boolean, isOurs: IsOurs): string {
  return repeated(source, strict, (file) => removal(file, isOurs, new Map(), new Set()));
}

/** Returns all our command lines in a text. Throws JsonTextError. */
export function ourJsonCommands(source: string, strict: boolean, isOurs: IsOurs): readonly string[] {
  const { value } = readJsonText(source, strict);
  return eventLists(value).flatMap(({ list }) => list.flatMap((entry) => commandsOf(entry).filter(isOurs)));
}

/** Returns the events that have a hook of ours. Throws JsonTextError. */
export function ourJsonEvents(source: string, strict: boolean, isOurs: IsOurs): readonly string[] {
  const { value } = readJsonText(source, strict);
  return eventLists(value).flatMap(({ event, list }) => (list.some((entry) => kindOf(entry, isOurs) !== 'other') ? [event] : []));
}

/** Applies steps until none is left, and checks that each new text contains exactly the result of its step. */
export function repeated(source: string, strict: boolean, next: (file: JsonText) => JsonStep | null): string {
  let text = source;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const file = readJsonText(text, strict);
    const step = next(file);
    if (step === null) return text;
    text = checked(file, step, strict);
  }
  throw new JsonTextError('it has too many of our entries');
}

function checked(file: JsonText, step: JsonStep, strict: boolean): string {
  const text = editJsonText(file, step);
  if (canonical(readJsonText(text, strict).value) !== canonical(editedSettings(file.value, step)))
    throw new JsonTextError('it is written in a way that cannot be edited safely');
  return text;
}

function stepTowards(file: JsonText, settings: ReadonlyMap<string, JsonValue>, isOurs: IsOurs, kept: IsKept): JsonStep | null {
  const { value } = file;
  if (!isMap(value)) throw new JsonTextError('it is not an object, so it has no hooks');
  const hooks = settings.get('hooks');
  const wanted = isMap(hooks) ? hooks : new Map<string, JsonValue>();
  checkShape(value, wanted);
  const present = value.get('hooks');
  const standing = new Set([...wanted.keys()].filter((event) => isMap(present) && keptIn(file, event, present.get(event), kept)));
  const superfluous = removal(file, isOurs, wanted, standing);
  if (superfluous !== null) return superfluous;
  for (const [name, one] of settings) {
    if (!value.has(name)) return { kind: 'add', path: [], key: name, value: one };
    if (name !== 'hooks' && canonical(value.get(name) ?? null) !== canonical(one))
      throw new JsonTextError(`its ${JSON.stringify(name)} is not ${canonical(one)}; this file version is unknown`);
  }
  for (const [event, list] of wanted) {
    const now = isMap(present) ? present.get(event) : undefined;
    if (now === undefined) return { kind: 'add', path: ['hooks'], key: event, value: list };
    const [first] = isList(list) ? list : [];
    const step =
      standing.has(event) && isList(now) && first !== undefined
        ? besideStep(event, now, first, isOurs, (at) => kept(file.text, event, at))
        : listStep(['hooks', event], now, list, isOurs);
    if (step !== null) return step;
  }
  return null;
}

function checkShape(value: ReadonlyMap<string, JsonValue>, wanted: ReadonlyMap<string, JsonValue>): void {
  const hooks = value.get('hooks');
  if (hooks !== undefined && !isMap(hooks)) throw new JsonTextError('its "hooks" is not an object');
  for (const event of wanted.keys()) {
    const list = hooks?.get(event);
    if (list !== undefined && !isList(list)) throw new JsonTextError(`its "hooks.${event}" is not a list`);
  }
}

/** Compares our entries with the wanted ones in order: replaces different ones in place, and appends missing ones. */
function listStep(path: JsonPath, now: JsonValue, wanted: JsonValue, isOurs: IsOurs): JsonStep | null {
  if (!isList(now) || !isList(wanted)) return null;
  const ours = now.flatMap((entry, at) => (kindOf(entry, isOurs) === 'ours' ? [{ entry, at }] : []));
  for (const [index, one] of wanted.entries()) {
    const found = ours[index];
    if (found === undefined) return { kind: 'add', path, key: null, value: one };
    const step = difference([...path, found.at], found.entry, one);
    if (step !== null) return step;
  }
  return null;
}

function keptIn({ text }: JsonText, event: string, list: JsonValue | undefined, kept: IsKept): boolean {
  return list !== undefined && isList(list) && list.some((_, at) => kept(text, event, at));
}

/** Replaces a removed entry, so that the following ones keep their positions: a group without hooks. */
const NOTHING = jsonValue({ hooks: [] });

/**
 * Returns a step for an event in which some of our entries are kept. The wanted one is put into a free position, or appended;
 * once it is kept itself, the others are removed. Our handlers in a group with other programs' handlers stay: a runner identifies
 * those by position, too.
 */
function besideStep(
  event: string,
  list: readonly JsonValue[],
  wanted: JsonValue,
  isOurs: IsOurs,
  kept: (at: number) => boolean,
): JsonStep | null {
  const ours = list.flatMap((entry, at) => (kindOf(entry, isOurs) === 'ours' ? [at] : []));
  const there = list.findIndex((entry) => canonical(entry) === canonical(wanted));
  const staying = there >= 0 && kept(there) ? there : list.findLastIndex((_, at) => kept(at));
  const free = ours.filter((at) => at !== there && at !== staying);
  const [place = list.findIndex((entry) => canonical(entry) === canonical(NOTHING))] = free;
  if (there < 0)
    return place < 0
      ? { kind: 'add', path: ['hooks', event], key: null, value: wanted }
      : { kind: 'replace', path: ['hooks', event, place], value: wanted };
  const last = list.length - 1;
  const gone = free.at(-1);
  if (gone !== undefined)
    return gone === last
      ? { kind: 'remove', path: ['hooks', event, gone] }
      : { kind: 'replace', path: ['hooks', event, gone], value: NOTHING };
  return canonical(list[last] ?? null) === canonical(NOTHING) ? { kind: 'remove', path: ['hooks', event, last] } : null;
}

/**
 * Returns the smallest replacement that brings one value closer to another, so that an entry that only differs in its version
 * keeps its form.
 */
function difference(path: JsonPath, now: JsonValue, wanted: JsonValue): JsonStep | null {
  if (canonical(now) === canonical(wanted)) return null;
  const pairs: (readonly [string | number, JsonValue, JsonValue])[] = [];
  if (isMap(now) && isMap(wanted) && [...now.keys()].join('\0') === [...wanted.keys()].join('\0'))
    for (const [name, value] of now) pairs.push([name, value, wanted.get(name) ?? null]);
  else if (isList(now) && isList(wanted) && now.length === wanted.length)
    for (const [at, value] of now.entries()) pairs.push([at, value, wanted[at] ?? null]);
  for (const [name, value, other] of pairs) {
    const step = difference([...path, name], value, other);
    if (step !== null) return step;
  }
  return { kind: 'replace', path, value: wanted };
}

/** Returns the removal of one superfluous hook of ours: of another event, one too many, or in a group with other programs' hooks. */
function removal(
  file: JsonText,
  isOurs: IsOurs,
  wanted: ReadonlyMap<string, JsonValue>,
  standing: ReadonlySet<string>,
): JsonStep | null {
  const lists = eventLists(file.value);
  for (const { event, list } of lists) {
    if (standing.has(event)) continue;
    const target = wanted.get(event);
    let left = isList(target) ? target.length : 0;
    const free = list.findIndex((entry) => canonical(entry) === canonical(NOTHING));
    if (wanted.size === 0 && free >= 0 && list.some((entry) => kindOf(entry, isOurs) !== 'other'))
      return { kind: 'remove', path: ['hooks', event, free] };
    for (const [at, entry] of list.entries()) {
      const kind = kindOf(entry, isOurs);
      if (kind === 'mixed') return { kind: 'remove', path: ['hooks', event, at, 'hooks', oursWithin(entry, isOurs)] };
      if (kind === 'ours' && left-- <= 0) return removeEntry(event, at, list, file);
    }
  }
  return null;
}

/**
 * Removes the list with its last entry, and `hooks` with the last list, as if we had never been there; unless a comment is left in them.
 */
function removeEntry(event: string, at: number, list: readonly JsonValue[], file: JsonText): JsonStep {
  const hooks = isMap(file.value) ? file.value.get('hooks') : undefined;
  let path: JsonPath = ['hooks', event, at];
  if (list.length === 1 && !commentsAround(file, ['hooks', event], path)) {
    path = ['hooks', event];
    if (isMap(hooks) && hooks.size === 1 && !commentsAround(file, ['hooks'], path)) path = ['hooks'];
  }
  return { kind: 'remove', path };
}

function eventLists(value: JsonValue): readonly { readonly event: string; readonly list: readonly JsonValue[] }[] {
  const hooks = isMap(value) ? value.get('hooks') : undefined;
  if (!isMap(hooks)) return [];
  return [...hooks].flatMap(([event, list]) => (isList(list) ? [{ event, list }] : []));
}

/** Whether an entry of an event's list is ours, another program's, or a group with both. */
function kindOf(entry: JsonValue, isOurs: IsOurs): 'ours' | 'mixed' | 'other' {
  const handlers = handlersOf(entry);
  const ours = handlers.filter((handler) => isOurHandler(handler, isOurs)).length;
  if (ours === 0) return 'other';
  return ours === handlers.length ? 'ours' : 'mixed';
}

function oursWithin(entry: JsonValue, isOurs: IsOurs): number {
  return handlersOf(entry).findIndex((handler) => isOurHandler(handler, isOurs));
}

/** Returns the handlers of a group, or the entry itself if it is a handler. */
function handlersOf(entry: JsonValue): readonly JsonValue[] {
  const hooks = isMap(entry) ? entry.get('hooks') : undefined;
  return isList(hooks) ? hooks : [entry];
}

function isOurHandler(handler: JsonValue, isOurs: IsOurs): boolean {
  return handlerCommands(handler).some(isOurs);
}

function commandsOf(entry: JsonValue): readonly string[] {
  return handlersOf(entry).flatMap(handlerCommands);
}

function handlerCommands(handler: JsonValue): readonly string[] {
  if (!isMap(handler)) return [];
  return ['command', 'bash'].flatMap((name) => {
    const command = handler.get(name);
    return typeof command === 'string' ? [command] : [];
  });
}
