/**
 * The mistakes for which Claude Code ignores a whole settings file, including its deny rules and hooks, without a message in
 * headless runs, or a part of it: each was tried with 2.1.197 and 2.1.332.
 */

import { type Fields, isFields } from '../../call/fields.js';
import { data } from '../../generated/data.js';
import type { LocatedText } from '../../lint/text/located-text.js';
import { nearestWord } from '../../policy/nearest.js';
import { pointerTo } from '../../policy/read/pointer.js';
import { shown } from '../../policy/sentences.js';
import { hook as claudeCode } from './hook.js';

export interface SettingsMistake {
  /** Pointer to the wrong value; if something is missing, to the value that should contain it. */
  readonly pointer: string;
  /** Completes "Claude Code ignores this file: …". */
  readonly why: string;
  /** What 2.1.332 leaves out because of it. */
  readonly newer: Loss;
  /** What 2.1.197 leaves out because of it. */
  readonly older: Loss;
  /** True if the entry of an event is itself a handler. */
  readonly flat?: true;
}

/** The whole file (of a plugin: all of its hooks), the part that is wrong, or nothing. */
export type Loss = 'file' | 'part' | 'nothing';

/** Maximum number of mistakes reported; one is enough for the file to be ignored. */
const MOST = 50;

const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];
const HANDLERS: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
};

/** src/runner/claude-code/settings-shapes.yaml: keys by what their values have to be. */
interface Shapes {
  readonly types: Readonly<Record<string, string>>;
  readonly one_of: Readonly<Record<string, string>>;
  readonly required: Readonly<Record<string, string>>;
  readonly newer: string;
  readonly kept: string;
  readonly null_is_none: string;
}

const isText = (value: unknown) => typeof value === 'string';
const isSwitch = (value: unknown) => typeof value === 'boolean';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isWithin = (least: number, most: number) => (value: unknown) =>
  typeof value === 'number' && value >= least && value <= most;

const HAS_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isText,
  number: isWithin(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  'whole number above 0': (value) => Number.isInteger(value) && isWithin(1, Number.MAX_SAFE_INTEGER)(value),
  'number from 0 to 1': isWithin(0, 1),
  switch: isSwitch,
  map: isFields,
  'map or switch': (value) => isFields(value) || isSwitch(value),
  list: Array.isArray,
  'list of texts': isTexts,
  'switch or list of texts': (value) => isSwitch(value) || isTexts(value),
};

/** What a value has to be, by the path of its key. */
interface Shape {
  readonly words: string;
  readonly isGood: (value: unknown) => boolean;
  /** 2.1.332 takes null for no value. */
  readonly isNoneAsNull: boolean;
  readonly newer: Loss;
  readonly older: Loss;
}

let shapes: ReadonlyMap<string, Shape> | null = null;

function knownShapes(): ReadonlyMap<string, Shape> {
  if (shapes !== null) return shapes;
  const { types, one_of, newer, kept, null_is_none } = data('settings-shapes/claude-code') as Shapes;
  const [unknownBefore, keptNow, withoutNull] = [newer, kept, null_is_none].map((keys) => new Set(keys.split(' ')));
  const shape = (key: string, words: string, isGood: (value: unknown) => boolean): [string, Shape] => [
    key,
    {
      words,
      isGood,
      isNoneAsNull: withoutNull?.has(key) === true,
      newer: keptNow?.has(key) === true ? 'part' : 'file',
      older: unknownBefore?.has(key) === true ? 'nothing' : 'file',
    },
  ];
  shapes = new Map([
    ...Object.entries(types).flatMap(([type, keys]) =>
      keys.split(' ').map((key) => shape(key, type === 'switch' ? 'true or false' : `a ${type}`, HAS_TYPE[type] ?? (() => true))),
    ),
    ...Object.entries(one_of).map(([key, words]) => {
      const known = words.split(' ');
      return shape(key, known.join(' or '), (value) => typeof value === 'string' && known.includes(value));
    }),
  ]);
  return shapes;
}

/** Returns every mistake of JSON settings. */
export function settingsMistakes(file: LocatedText): SettingsMistake[] {
  const { root } = file;
  if (root === undefined) return [];
  if (!isFields(root)) return [mistake('', `the file has to hold a JSON object, not ${shown(root)}`)];
  return [...typesOf(file), ...ruleListsOf(file), ...modeOf(file), ...hooksOf(root.hooks)].slice(0, MOST);
}

function mistake(pointer: string, why: string, newer: Loss = 'file', older: Loss = 'file'): SettingsMistake {
  return { pointer, why, newer, older };
}

function typesOf(file: LocatedText): SettingsMistake[] {
  const wrong = [...knownShapes()].flatMap(([place, { words, isGood, isNoneAsNull, newer, older }]) =>
    pointersOf(file, place).flatMap((pointer) => {
      const value = file.at(pointer);
      if (value === undefined || isGood(value)) return [];
      const is = words.endsWith('list of texts') && Array.isArray(value) ? 'a list with something else in it' : shown(value);
      // 2.1.332 takes one name for a list with it.
      const isList = /abledMcpjsonServers$/.test(pointer) && typeof value === 'string' && /^[\w-]+$/.test(value);
      const why = `${pointer.slice(1).replaceAll('/', '.')} has to be ${words}, not ${is}`;
      return [mistake(pointer, why, isList || (value === null && isNoneAsNull) ? 'nothing' : newer, older)];
    }),
  );
  const { required } = data('settings-shapes/claude-code') as Shapes;
  const missing = Object.entries(required).flatMap(([key, members]) => {
    const map = file.at(`/${key}`);
    const none = isFields(map) ? members.split(' ').filter((member) => map[member] === undefined) : [];
    return none.map((member) => mistake(`/${key}`, `${key} has no ${member}`));
  });
  return [...wrong, ...missing];
}

/** Returns the places of a path with `*` for any name. */
function pointersOf(file: LocatedText, place: string): readonly string[] {
  return place.split('.').reduce<readonly string[]>(
    (found, part) =>
      part !== '*'
        ? found.map((above) => pointerTo(above, part))
        : found.flatMap((above) => {
            const map = file.at(above);
            return isFields(map)
              ? Object.keys(map)
                  .slice(0, MOST)
                  .map((name) => pointerTo(above, name))
              : [];
          }),
    [''],
  );
}

function ruleListsOf(file: LocatedText): SettingsMistake[] {
  return ['allow', 'deny', 'ask'].flatMap((effect) => {
    const pointer = `/permissions/${effect}`;
    const value = file.at(pointer);
    if (value === undefined || Array.isArray(value)) return [];
    return [mistake(pointer, `permissions.${effect} has to be a list of rules, not ${shown(value)}`)];
  });
}

function modeOf(file: LocatedText): SettingsMistake[] {
  const pointer = '/permissions/defaultMode';
  const mode = file.at(pointer);
  if (mode === undefined || (typeof mode === 'string' && MODES.includes(mode))) return [];
  const near = typeof mode === 'string' ? nearestWord(mode, MODES) : null;
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  const known = `${MODES.slice(0, -1).join(', ')} or ${MODES.at(-1)}`;
  return [mistake(pointer, `defaultMode has to be ${known}, not ${shown(mode)}${meant}`)];
}

/** Returns the mistakes of events that the runner knows; it ignores entries under any other name (measured). */
function hooksOf(hooks: unknown): SettingsMistake[] {
  // What is no map switches the hooks off and leaves the rest of the file in force (measured); hooks/wrong-shape reports it.
  if (!isFields(hooks)) return [];
  return Object.entries(hooks)
    .filter(([event]) => claudeCode.hookEvents?.includes(event) === true)
    .flatMap(([event, groups]) => eventMistakes(event, groups));
}

/** Returns the mistakes of one event's entries, in any file of Claude Code. */
export function eventMistakes(event: string, groups: unknown): SettingsMistake[] {
  const pointer = pointerTo('/hooks', event);
  const found = Array.isArray(groups)
    ? groups.slice(0, MOST).flatMap((group: unknown, index) => groupMistakes(event, group, pointerTo(pointer, index)))
    : [mistake(pointer, `${event} has to be a list of entries, not ${shown(groups)}`, 'file', 'part')];
  return STOPPING.has(event) ? found : found.map((one) => ({ ...one, newer: 'part' }));
}

function groupMistakes(event: string, group: unknown, pointer: string): SettingsMistake[] {
  if (!isFields(group))
    return [mistake(pointer, `an entry of ${event} has to be a map with a list "hooks", not ${shown(group)}`)];
  const { matcher, hooks } = group;
  const ofMatcher =
    matcher === undefined || typeof matcher === 'string'
      ? []
      : [mistake(`${pointer}/matcher`, `matcher has to be a text, not ${shown(matcher)}`)];
  if (Array.isArray(hooks)) {
    const handlers = hooks.slice(0, MOST).entries();
    return [...ofMatcher, ...[...handlers].flatMap(([at, one]) => handlerMistakes(one, pointerTo(`${pointer}/hooks`, at)))];
  }
  if (hooks !== undefined) return [...ofMatcher, mistake(`${pointer}/hooks`, `hooks has to be a list, not ${shown(hooks)}`)];
  const flat = group.type !== undefined || group.command !== undefined;
  return flat
    ? [...ofMatcher, { ...mistake(pointer, `this hook of ${event} has to stand in a list "hooks" of its entry`), flat }]
    : [...ofMatcher, mistake(pointer, `this entry of ${event} has no list "hooks"`)];
}

function handlerMistakes(handler: unknown, pointer: string): SettingsMistake[] {
  if (!isFields(handler)) return [mistake(pointer, `a hook has to be a map, not ${shown(handler)}`)];
  return [...typeMistakes(handler, pointer), ...timeMistakes(handler, pointer)];
}

function typeMistakes(handler: Fields, pointer: string): SettingsMistake[] {
  const { type } = handler;
  const known = `${Object.keys(HANDLERS).slice(0, -1).join(', ')} or agent`;
  if (type === undefined) return [mistake(pointer, `this hook has no type; it has to be ${known}`)];
  const needed = typeof type === 'string' && Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  if (needed === undefined) return [mistake(`${pointer}/type`, `the type of a hook has to be ${known}, not ${shown(type)}`)];
  return needed.flatMap((key) => {
    const value = handler[key];
    if (typeof value === 'string') return [];
    return value === undefined
      ? [mistake(`${pointer}/type`, `this hook of type ${String(type)} has no ${key}`)]
      : [mistake(pointerTo(pointer, key), `${key} has to be a text, not ${shown(value)}`)];
  });
}

/**
 * Events whose hooks can stop a call: for a mistake in one of these 2.1.332 ignores the settings, loads no hook of the plugin, and does not
 * load the agent; in other events it leaves out what is wrong. 2.1.197 loads the agent and runs none of its hooks (tried with each event).
 */
const STOPPING: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PreSkillShellCommand']);

/** Returns the mistakes in the hooks of an agent for which it is not loaded. */
export function agentHookMistakes(hooks: unknown): SettingsMistake[] {
  if (!hooks) return [];
  if (!isFields(hooks)) return [mistake('/hooks', `hooks has to be a map of events, not ${shown(hooks)}`)];
  return Object.entries(hooks)
    .filter(([event, groups]) => STOPPING.has(event) && groups !== null)
    .flatMap(([event, groups]) => [...eventMistakes(event, groups), ...memberMistakes(event, groups)]);
}

const OF_MEMBERS: readonly (readonly [key: string, words: string, isGood: (value: unknown) => boolean])[] = [
  ...['async', 'once'].map((key) => [key, 'true or false', (value: unknown) => typeof value === 'boolean'] as const),
  ...['if', 'statusMessage'].map((key) => [key, 'a text', (value: unknown) => typeof value === 'string'] as const),
  ['shell', 'bash or powershell', (value) => value === 'bash' || value === 'powershell'],
  ['args', 'a list', Array.isArray],
];

/** Returns the members of handlers whose types are wrong. */
function memberMistakes(event: string, groups: unknown): SettingsMistake[] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST) : []);
  return list(groups).flatMap((group, at) =>
    list(isFields(group) ? group.hooks : null).flatMap((handler, index) =>
      !isFields(handler)
        ? []
        : OF_MEMBERS.filter(([key, , isGood]) => handler[key] !== undefined && !isGood(handler[key])).map(([key, words]) =>
            mistake(`/hooks/${event}/${at}/hooks/${index}/${key}`, `${key} has to be ${words}, not ${shown(handler[key])}`),
          ),
    ),
  );
}

function timeMistakes({ timeout, onFailure }: Fields, pointer: string): SettingsMistake[] {
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  const isKnown = onFailure === undefined || onFailure === 'block' || onFailure === 'continue';
  return [
    ...(isTime ? [] : [mistake(`${pointer}/timeout`, `timeout has to be a number above 0, not ${shown(timeout)}`)]),
    ...(isKnown
      ? []
      : [mistake(`${pointer}/onFailure`, `onFailure has to be block or continue, not ${shown(onFailure)}`, 'file', 'nothing')]),
  ];
}
