/** Instruction files that settings name by path or by a pattern. */
import { dirname, join, resolve } from 'node:path';
import { folderEntries } from '../../disk/folder-entries.js';
import type { JsonValue } from '../../disk/json-text.js';
import { readText } from '../../disk/read.js';
import type { InstallPlaces } from '../../install/target.js';
import type { NamedFiles } from '../../runner/launch/instruction-files.js';
import { variablesIn } from '../doctor/found/switch-variables.js';
import { readSettingsFile } from '../surroundings/risky-settings.js';

export interface NamedFile {
  readonly file: string;
  /** The settings file of the project; null for the person's own. */
  readonly by: string | null;
}

/** The named files cannot be determined; the message states why. */
export class UnknownNames extends Error {}

/** The maximum number of entries that are searched for one pattern. */
const MOST_ENTRIES = 2000;
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Returns the named files, including missing ones.
 * @param folder the folder of the settings
 * @param folders this one and the others of the project that the client searches: OpenCode looks for matches in each (1.18.33)
 */
export function namedFiles(
  { files, own, format, keys, as }: NamedFiles,
  folder: string,
  folders: readonly string[],
  places: InstallPlaces,
): readonly NamedFile[] {
  const found: NamedFile[] = [];
  const settings = [
    ...files.map((file) => [join(folder, file), true] as const),
    ...own.map((file) => [join(places.home, file), false] as const),
  ];
  for (const [path, isOfProject] of settings)
    for (const name of namedBy(path, format, keys, isOfProject))
      for (const file of as === 'pattern'
        ? new Set(folders.flatMap((one) => matching(name, one, places.home)))
        : [pathOf(name, as === 'name' ? folder : dirname(path), places.home)])
        found.push({ file, by: isOfProject ? path : null });
  return found;
}

function pathOf(name: string, folder: string, home: string): string {
  return name.startsWith('~/') ? join(home, name.slice(2)) : resolve(folder, name);
}

function namedBy(path: string, format: NamedFiles['format'], keys: NamedFiles['keys'], isOfProject: boolean): readonly string[] {
  if (format === 'variables')
    return variablesIn(path).flatMap(({ name, value }) => (keys.some(([key]) => key === name) ? [value.trim()] : []));
  if (format === 'text') return placeholdersIn(path);
  const read = readSettingsFile(path, format);
  if (read === null || (typeof read === 'string' && !isOfProject)) return [];
  if (typeof read === 'string') throw new UnknownNames(`${path} ${read}, so it is unknown which files it names as instructions`);
  return keys.flatMap((key) => {
    let value: JsonValue | undefined = read.value;
    for (const name of key) value = value instanceof Map ? (value as ReadonlyMap<string, JsonValue>).get(name) : undefined;
    const all = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    return all.filter((one): one is string => typeof one === 'string' && one !== '');
  });
}

/** Returns the paths that OpenCode substitutes for `{file:PATH}`. */
function placeholdersIn(path: string): readonly string[] {
  const read = readText(path, { lenient: true });
  if (!read.ok && read.code === 'too-large')
    throw new UnknownNames(`${path} ${read.message}, so it is unknown which files it names as instructions`);
  return read.ok ? [...read.text.matchAll(/\{file:([^}]{1,4096})\}/g)].map(([, name = '']) => name.trim()) : [];
}

/** Returns the files that match a pattern such as `docs/*.md`; the path itself if it is not a pattern. */
function matching(pattern: string, folder: string, home: string): readonly string[] {
  if (/^https?:\/\//.test(pattern)) return [];
  const whole = pathOf(pattern, folder, home);
  const first = whole.search(/[*?{[(!]/);
  if (first === -1) return [whole];
  const top = whole.slice(0, whole.lastIndexOf('/', first)) || '/';
  const isNamed = expressionOf(whole);
  return [whole, ...allBelow(top, pattern).filter((path) => isNamed.test(path))];
}

/** Matches everything that the pattern matches and, if the pattern is not plain, more. */
function expressionOf(pattern: string): RegExp {
  // Each star multiplies the number of ways to match.
  if (pattern.split('*').length > 8 || /[!(]|\{[^}]*(?:\{|$)/.test(pattern)) return /^/;
  const source = pattern.replace(/\*\*\/?|\*|\?|\[[^\]]*\]|\{[^}]*\}|[\\^$.|+)\]}[]/g, (sign) => {
    if (sign.startsWith('**')) return '.*';
    if (sign === '*') return '[^/]*';
    if (sign === '?' || sign.length > 1) return sign.startsWith('{') ? choiceOf(sign) : '[^/]';
    return `\\${sign}`;
  });
  return new RegExp(`^${source}$`, 's');
}

/** `{a,b*}` */
function choiceOf(braces: string): string {
  const plain = braces.slice(1, -1).replace(/[\\^$.|+()[\]{}?]/g, '\\$&');
  return `(?:${plain.replaceAll('*', '[^/]*').replaceAll(',', '|')})`;
}

function allBelow(top: string, pattern: string): readonly string[] {
  const found: string[] = [];
  let entries = 0;
  const pending = [top];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
    for (const entry of folderEntries(folder) ?? []) {
      entries += 1;
      if (entries > MOST_ENTRIES)
        throw new UnknownNames(`more than ${MOST_ENTRIES} files may be named as instructions by ${JSON.stringify(pattern)}`);
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) found.push(path);
      else if (!NOT_ENTERED.has(entry.name)) pending.push(path);
    }
  return found;
}
