/**
 * The settings of a project with which `policy run` starts a runner (rules/known-settings/): settings that leave every call to the hook,
 * and settings that another check examines. There are many settings, and new versions add more; an unknown one may bypass the hook.
 */
import { dirname, join, resolve } from 'node:path';
import type { RunnerId } from '../../call/tool-call.js';
import { isHarmless as isHarmlessVariable } from '../../command/model/assignments.js';
import { isList, isMap, type JsonValue } from '../../disk/json-text.js';
import { data } from '../../generated/data.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/hook/runner.js';
import { shownCommand, withoutSecrets } from '../model/shown-command.js';
import { readSettingsFile } from '../surroundings/risky-settings.js';
import type { HookProblem } from './hook-ready.js';
import { referencesIn, refersElsewhere } from './references.js';

/**
 * The permitted values of a known setting: a kind, or one of the listed values. `any` includes everything below it; so does
 * `of-server`, which also permits references. `variable`: the last name is the name of a variable that
 * rules/commands/assignments.yaml regards as harmless; `each`: a list of these values.
 */
type Allowed =
  | 'any'
  | 'text'
  | 'texts'
  | 'address'
  | 'text-with-files'
  | 'text-or-texts'
  | 'number'
  | 'number-or-false'
  | 'switch'
  | 'list'
  | 'of-server'
  | 'hooks'
  | 'variable'
  | { readonly each: readonly string[] }
  | readonly (string | number | boolean | null)[];

interface KnownSettings {
  /** Paths relative to each folder whose settings the runner reads. */
  readonly files: readonly { readonly path: string; readonly format: 'json' | 'toml' }[];
  /** By their names from the outermost inward, joined with dots; `*` is any name. */
  readonly settings: Readonly<Record<string, Allowed>>;
  /** Markers that make the runner replace a part of a string. */
  readonly replaced?: readonly string[];
  /** The runner replaces them in the text of the file, before parsing it. */
  readonly inText?: true;
}

/** At most this many problems are reported per file. */
const MOST = 8;

/**
 * Returns one problem for each unknown setting of the project.
 * @param places its project is the folder to examine
 * @param mayRead whether the policy lets an agent read a file
 */
export function unknownSettings(
  { id }: Runner,
  places: InstallPlaces,
  mayRead: (file: string) => boolean,
): readonly HookProblem[] {
  const known = data(`known-settings/${id}`) as KnownSettings | undefined;
  // In the home directory the same files belong to the person.
  if (known === undefined || places.project === places.home) return [];
  const rules = Object.entries(known.settings).map(([key, allowed]): Rule => ({ names: key.split('.'), allowed }));
  return known.files.flatMap(({ path, format }) => {
    const file = join(places.project, path);
    const read = readSettingsFile(file, format);
    if (read === null) return [];
    if (typeof read === 'string') {
      const message = `${file} cannot be read (${read}), so ${id} may bypass the hook`;
      return [{ message, fix: `repair ${file}, or remove it` }];
    }
    const replaced = known.replaced ?? [];
    const { environment } = places;
    const files = (path: string) =>
      mayRead(path.startsWith('~/') ? join(places.home, path.slice(2)) : resolve(dirname(file), path));
    const unknown = unknownIn(read.value, [], rules, { replaced, environment, mayRead: files });
    if (unknown.length === 0 && known.inText && refersElsewhere(read.text, settingsOf(read.value), environment))
      return [strayOf(id, file)];
    return unknown.slice(0, MOST).map((found) => problemOf(id, file, read.lineOf(found), found));
  });
}

function settingsOf(value: JsonValue): readonly JsonValue[] {
  return isMap(value) ? [...value].flatMap(([name, one]) => (REMARK.test(name) ? [] : [one])) : [value];
}

function strayOf(id: RunnerId, file: string): HookProblem {
  const message = `${file} has a replaced part that is not the text of a setting, so ${id} may bypass the hook`;
  return { message, fix: `remove it from ${file}: it is in a comment or a remark` };
}

function problemOf(id: RunnerId, file: string, line: number, path: readonly string[]): HookProblem {
  const key = shownCommand(withoutSecrets(path.join('.')));
  const what = path.length === 0 ? 'contains something other than settings' : `sets ${key} in a way that policy does not know`;
  const fix = path.length === 0 ? `repair ${file}, or remove it` : `take ${key} out of ${file}`;
  return { message: `${file}:${line} ${what}, so ${id} may bypass the hook`, fix };
}

interface Rule {
  readonly names: readonly string[];
  readonly allowed: Allowed;
}

/** Key names that people use for remarks and that no runner reads. */
const REMARK = /^(?:\$schema$|_(?!_proto__$)|\/\/)/;

/** The context needed to tell whether a string is known. */
interface Reading {
  readonly replaced: readonly string[];
  readonly environment: InstallPlaces['environment'];
  /** @param path as written in a setting */
  readonly mayRead: (path: string) => boolean;
}

/** Returns the paths of the unknown settings in a value. */
function unknownIn(
  value: JsonValue,
  path: readonly string[],
  rules: readonly Rule[],
  reading: Reading,
): readonly (readonly string[])[] {
  const here = rules.filter(({ names }) => names.length >= path.length && path.every((name, at) => meets(names[at], name)));
  const own = here.filter(({ names }) => names.length === path.length);
  // The rule for a specific name overrides the one for any name.
  const rule = own.find(({ names }) => !names.includes('*')) ?? own[0];
  if (rule?.allowed === 'variable' && typeof value === 'string')
    return isHarmlessVariable({ name: path.at(-1) ?? '', value, append: false }) ? [] : [path];
  if (rule !== undefined && isAllowed(value, rule.allowed, reading)) return [];
  // Older versions may have had a single value in the place of today's map.
  if (!isMap(value) || here.length === own.length) return [path];
  return [...value].flatMap(([name, one]) => {
    // Some parsers take the value of `__proto__` for keys of the map itself.
    if (name === '__proto__' || holds(name, reading.replaced)) return [[...path, name]];
    return path.length === 0 && REMARK.test(name) ? [] : unknownIn(one, [...path, name], here, reading);
  });
}

function meets(wanted: string | undefined, name: string): boolean {
  return wanted === '*' || wanted === name;
}

function isAllowed(value: JsonValue, allowed: Allowed, reading: Reading): boolean {
  if (allowed === 'of-server') return refersWhole(value, reading);
  if (allowed === 'text-with-files') return typeof value === 'string' && refersToReadable(value, reading);
  return isOfKind(value, allowed) && !holds(value, reading.replaced);
}

function refersWhole(value: JsonValue, reading: Reading): boolean {
  if (typeof value === 'string') return referencesIn(value, reading.environment) !== null;
  if (isList(value)) return value.every((one) => refersWhole(one, reading));
  return !isMap(value) || [...value].every(([name, one]) => !holds(name, reading.replaced) && refersWhole(one, reading));
}

function refersToReadable(text: string, { environment, mayRead }: Reading): boolean {
  return referencesIn(text, environment)?.every(({ kind, name }) => kind === 'file' && mayRead(name)) === true;
}

function isOfKind(value: JsonValue, allowed: Exclude<Allowed, 'of-server' | 'text-with-files'>): boolean {
  switch (allowed) {
    case 'any':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return isList(value) && value.every((one) => typeof one === 'string');
    case 'address':
      return typeof value === 'string' && ADDRESS.test(value);
    case 'text-or-texts':
      return isOfKind(value, 'text') || isOfKind(value, 'texts');
    case 'number':
      return typeof value === 'number';
    case 'number-or-false':
      return typeof value === 'number' || value === false;
    case 'switch':
      return typeof value === 'boolean';
    case 'list':
      return isList(value);
    case 'variable':
      return false;
    case 'hooks':
      return isList(value) && value.every(isHookEntry);
    default:
      return 'each' in allowed
        ? isList(value) && value.length > 0 && value.every((one) => typeof one === 'string' && allowed.each.includes(one))
        : allowed.some((one) => one === value);
  }
}

/** No variable is substituted in it. */
const ADDRESS = /^https?:\/\/[^\s${}]+$/;

/**
 * Keys of a hook whose values are strings or harmless: not the variables that it is started with, and not a command that only one
 * client builds from them.
 */
const TEXTS = ['name', 'type', 'command', 'url', 'prompt', 'model', 'description', 'statusMessage'];
const HARMLESS = ['timeout', 'async', 'once'];

function isHookEntry(entry: JsonValue): boolean {
  if (!isMap(entry)) return false;
  const hooks = entry.get('hooks');
  return (
    isList(hooks) &&
    isText(entry.get('matcher')) &&
    hooks.every((hook) => isMap(hook) && [...hook].every(([name, one]) => isHarmless(name, one)))
  );
}

function isHarmless(name: string, value: JsonValue): boolean {
  return TEXTS.includes(name) ? isText(value) : HARMLESS.includes(name) && ['number', 'boolean'].includes(typeof value);
}

/** An absent value is accepted, too. */
function isText(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'string';
}

function holds(value: JsonValue, parts: readonly string[]): boolean {
  if (typeof value === 'string') return parts.some((part) => value.includes(part));
  if (isList(value)) return value.some((one) => holds(one, parts));
  return isMap(value) && [...value].some(([name, one]) => holds(name, parts) || holds(one, parts));
}
