/**
 * Settings with which a coding agent bypasses the policy (rules/risky-settings.yaml): no prompts, wholesale consent, another
 * server, programs that no hook judges, credentials in files of the project. Only reads files.
 */
import { join } from 'node:path';
import { wordsBehindGateway } from '../../call/gateway-line.js';
import { JsonTextError, type JsonValue, jsonValue, lineAt, readJsonText } from '../../disk/json-text.js';
import { readText } from '../../disk/read.js';
import { data } from '../../generated/data.js';
import { hookPath, type InstallPlaces } from '../../install/target.js';
import { parseLocated } from '../../policy/read/located.js';
import type { Runner } from '../../runner/hook/runner.js';
import { secretSpans } from '../../secret/find.js';
import { shellWord } from '../doctor/found/words.js';
import { shownCommand, withoutSecrets } from '../model/shown-command.js';
import { type SettingPlace, weightOf } from './setting-conditions.js';

/** One value that was found. */
export interface RiskySetting {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The names from the outermost inward, joined with dots: `permissions.allow.0`. */
  readonly key: string;
  /** Completes "KEY in FILE:LINE …". */
  readonly says: string;
  /** The value for a person to read; null if it is a secret. */
  readonly value: string | null;
  /** Its severity if it came with the project; in a person's own file it is only a note. */
  readonly level: 'problem' | 'note';
  /** It came with the project and is not from the person's own file. */
  readonly ofProject: boolean;
  /** The value is a command line, which the policy may allow. */
  readonly isCommand: boolean;
}

type Wanted = string | boolean | readonly (string | boolean)[];

interface SettingRule {
  readonly at: readonly string[];
  readonly if: Wanted;
  readonly except?: readonly string[];
  readonly unless?: readonly { readonly at: string; readonly is: Wanted }[];
  readonly user?: true;
  readonly command?: true;
  readonly says: string;
}

interface SettingFile {
  readonly path: string;
  readonly format: 'json' | 'toml';
}

interface RiskyData {
  readonly runners: Readonly<
    Record<
      string,
      {
        readonly files: readonly SettingFile[];
        readonly userFiles?: readonly SettingFile[];
        readonly settings: readonly SettingRule[];
      }
    >
  >;
  readonly servers: { readonly files: readonly string[]; readonly settings: readonly SettingRule[] };
}

/** A file as a tree of values with their lines. */
interface ReadFile {
  readonly text: string;
  readonly value: JsonValue;
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

type Found = readonly [path: readonly (string | number)[], value: JsonValue];

/** At most this many settings of one file are reported; with more, a person has to inspect the file anyway. */
const MOST = 32;

/** Returns the risky settings in a runner's files, the project's first. Unreadable files are reported by another check. */
export function riskySettings(runner: Runner, places: InstallPlaces): readonly RiskySetting[] {
  const known = dataOf().runners[runner.id];
  if (known === undefined) return [];
  const ofUser = known.settings.filter(({ user }) => user === true);
  const ofProject =
    places.project === places.home ? [] : known.files.map((one) => ({ ...one, file: join(places.project, one.path) }));
  return [
    ...ofProject.flatMap(({ file, format }) => settingsIn(file, format, known.settings, true, places)),
    ...(known.userFiles ?? known.files.slice(0, 1)).flatMap(({ path, format }) => {
      const file = userPath(runner, path, places);
      return file === null ? [] : settingsIn(file, format, ofUser, false, places);
    }),
  ];
}

/** Returns the programs that the project's lists of MCP servers start, and literal credentials in those lists. */
export function riskyServers(places: InstallPlaces): readonly RiskySetting[] {
  const { files, settings } = dataOf().servers;
  return files.flatMap((name) => settingsIn(join(places.project, name), 'json', settings, true, places));
}

function credential(file: string, line: number, path: readonly (string | number)[]): RiskySetting {
  const says = 'holds a credential; anybody who can read the project has it';
  return {
    file,
    line,
    key: withoutSecrets(path.join('.')),
    says,
    value: null,
    level: 'problem',
    ofProject: true,
    isCommand: false,
  };
}

/** A file that the runner may be able to read all the same: its settings are unknown. */
function unreadable(file: string, why: string): RiskySetting {
  const says = `cannot be read (${why}), so what it sets is unknown`;
  return { file, line: 1, key: '', says, value: null, level: 'problem', ofProject: true, isCommand: false };
}

function dataOf(): RiskyData {
  return data('risky-settings') as RiskyData;
}

/** Returns the person's own file: the hook's file if both are the same, since a variable may have moved it. */
function userPath(runner: Runner, path: string, places: InstallPlaces): string | null {
  return runner.places.user?.path === path ? hookPath(runner, 'user', places) : join(places.home, path);
}

function settingsIn(
  file: string,
  format: SettingFile['format'],
  rules: readonly SettingRule[],
  ofProject: boolean,
  place: SettingPlace,
): readonly RiskySetting[] {
  const read = readSettingsFile(file, format);
  if (read === null) return [];
  if (typeof read === 'string') return ofProject ? [unreadable(file, read)] : [];
  const found = rules.flatMap((rule) => settingsOf(read, rule, ofProject, place).map((one) => ({ ...one, file, ofProject })));
  const secrets = ofProject ? strings(read.value, []).filter(([path, text]) => isSecret(path, text)) : [];
  const credentials = secrets.map(([path]) => credential(file, read.lineOf(path), path));
  const named = new Set(found.map(({ key }) => key));
  return [...found, ...credentials.filter(({ key }) => !named.has(key) && !key.startsWith('hooks.'))].slice(0, MOST);
}

/** Returns the values of a file to which one rule applies. */
function settingsOf(
  read: ReadFile,
  rule: SettingRule,
  ofProject: boolean,
  place: SettingPlace,
): readonly Omit<RiskySetting, 'file' | 'ofProject'>[] {
  const { at, if: wanted, except = [], unless = [], says } = rule;
  const isCommand = rule.command === true;
  const isMet = (path: string, is: Wanted) =>
    valuesAt(read.value, path.split('.'), []).some(([, one]) => weightOf(one, is, place) !== null);
  if (unless.some((one) => isMet(one.at, one.is))) return [];
  return at
    .flatMap((path) => valuesAt(read.value, path.split('.'), []))
    .flatMap(([path, raw]) => {
      const value = isCommand ? commandOf(raw, wanted === 'shell-line') : raw;
      const level =
        typeof value === 'string' && except.includes(value) ? null : weightOf(value, isCommand ? 'any' : wanted, place);
      if (level === null || (level === 'note' && !ofProject)) return [];
      const text = String(value);
      const shown = isSecret(path, text) ? null : isCommand ? text : shownCommand(text);
      return [{ line: read.lineOf(path), key: withoutSecrets(path.join('.')), says, value: shown, level, isCommand }];
    });
}

/** Returns the tree of a file; null for a missing or empty one; the reason as a sentence if it cannot be read. */
export function readSettingsFile(file: string, format: 'json' | 'toml'): ReadFile | string | null {
  const read = readText(file);
  if (!read.ok) return read.code === 'missing' ? null : read.message;
  if (read.text.trim() === '') return null;
  if (format === 'toml') {
    const located = parseLocated(read.text, 'toml');
    if (!located.ok) return located.problem.message;
    const pointer = (path: readonly (string | number)[]) =>
      path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    return { text: read.text, value: jsonValue(located.data), lineOf: (path) => located.valueAt(pointer(path)).line };
  }
  try {
    const json = readJsonText(read.text, false);
    return { text: read.text, value: json.value, lineOf: (path) => lineAt(json, path) };
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
}

/** Returns the values at a path of names, in which `*` is any name and `[]` every member of a list. */
function valuesAt(value: JsonValue, names: readonly string[], path: readonly (string | number)[]): readonly Found[] {
  const [name, ...rest] = names;
  if (name === undefined) return [[path, value]];
  if (name === '[]') return Array.isArray(value) ? value.flatMap((one: JsonValue, at) => valuesAt(one, rest, [...path, at])) : [];
  if (!(value instanceof Map)) return [];
  const entries: readonly (readonly [string, JsonValue])[] = [...value];
  const wanted = name === '[*]' ? '*' : name;
  return entries
    .filter(([key]) => name === '*' || key === wanted)
    .flatMap(([key, inner]) => valuesAt(inner, rest, [...path, key]));
}

/**
 * Returns a command as a shell line: a string unchanged, a list joined word by word; for a server (`isServer`) the part that it
 * passes to a shell, so nothing if it starts its program without one. Empty if there is no command.
 */
function commandOf(value: JsonValue, isServer: boolean): string {
  const command = value instanceof Map ? (value.get('command') ?? null) : value;
  const more = value instanceof Map ? (value.get('args') ?? null) : null;
  const all = [command, more]
    .flatMap((one) => (Array.isArray(one) ? one : one === null ? [] : [one]))
    .filter((one) => typeof one === 'string');
  const words = isServer ? wordsBehindGateway(all) : all;
  const line = typeof value === 'string' ? value : words.map(shellWord).join(' ');
  if (!isServer) return line;
  const [first = '', ...rest] = words.length === 1 ? (words[0] ?? '').trim().split(/\s+/) : words;
  if (!SHELL.test(first)) return '';
  const at = rest.findIndex((word) => /^(?:-[a-z]*c|\/c|-Command)$/i.test(word));
  if (at < 0) return '';
  return words.length > 1 && /sh$/.test(first) ? (rest[at + 1] ?? '') : words.length > 1 ? line : (words[0] ?? '');
}

const SHELL = /^(?:\S*\/)?(?:ba|z|da|k|a|fi)?sh$|^(?:cmd|powershell|pwsh)(?:\.exe)?$/i;

/** Longer strings are examined only in part: a credential is short. */
const LONGEST = 4_096;

/** OpenCode's syntax for a variable. */
const REFERENCE = /\{env:([A-Z_][A-Z0-9_]*)\}/g;

/** Whether a string is a credential by its form, or by the name of its key. A reference such as `${TOKEN}` is not. */
function isSecret(path: readonly (string | number)[], text: string): boolean {
  const name = path.findLast((one) => typeof one === 'string') ?? '';
  const start = text.slice(0, LONGEST).replace(REFERENCE, '${$1}');
  return secretSpans(start).length > 0 || secretSpans(`${name}=${start}`).some(({ end }) => end > String(name).length + 1);
}

function strings(value: JsonValue, path: readonly (string | number)[]): readonly (readonly [(string | number)[], string])[] {
  if (typeof value === 'string') return [[[...path], value]];
  if (Array.isArray(value)) return value.flatMap((one: JsonValue, at) => strings(one, [...path, at]));
  if (value instanceof Map) return [...value].flatMap(([key, one]) => strings(one, [...path, key]));
  return [];
}
