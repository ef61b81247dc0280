/** What a plain git command would meet in a repository, read from its files; git itself is never run. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GitFacts } from '../decide/facts.js';
import { data } from '../generated/data.js';
import { globMatch } from '../rule/wildcard.js';
import { readText } from './read-file.js';

type Hazard = GitFacts['hazards'][number];

interface ConfigEntry {
  readonly key: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
}

const hazardData = data('git-hazards') as {
  readonly keys: readonly string[];
  readonly harmless: Readonly<Record<string, readonly string[]>>;
};
const MAX_CONFIG_BYTES = 256 * 1024;

/** The directory that holds `.git`, from `start` upwards; null outside any repository. A bare look-alike counts as its own top. */
export function repositoryTop(start: string): string | null {
  let current = start;
  for (let depth = 0; depth < 256; depth += 1) {
    if (exists(join(current, '.git')) || looksBare(current)) return current;
    const parent = dirname(current);
    if (parent === current) return null;
    current = parent;
  }
  return null;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** git takes any folder with HEAD, objects/ and refs/ for a bare repository and obeys its config. */
function looksBare(folder: string): boolean {
  return exists(join(folder, 'HEAD')) && exists(join(folder, 'objects')) && exists(join(folder, 'refs'));
}

/**
 * Facts about the repository of `start` (a real path).
 * @param directories every directory in which a git command of the call would run
 */
export function gitFacts(start: string, directories: readonly string[]): GitFacts | null {
  const top = repositoryTop(start);
  if (top === null) return null;
  const located = gitDirectory(top);
  const configs = located.folders.flatMap((folder) => [join(folder, 'config'), join(folder, 'config.worktree')]);
  const entries: ConfigEntry[] = [];
  const hazards: Hazard[] = [...located.hazards];
  for (const file of configs) hazards.push(...readConfig(file, entries));
  hazards.push(...entries.filter(isHazard).map(({ key, file, line }) => ({ key, file, line })));
  const branch = currentBranch(located.folders[0] ?? '');
  return {
    top,
    remotes: remotesOf(entries),
    branch,
    upstream: upstreamOf(entries, branch),
    hazards,
    directories: topsOf(directories),
  };
}

function topsOf(directories: readonly string[]): Record<string, string | null> {
  const tops: Record<string, string | null> = {};
  for (const directory of directories) tops[directory] = repositoryTop(realOrSelf(directory));
  return tops;
}

function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The git directory (and the common one of a worktree); a `.git` file that leads elsewhere is a hazard. */
function gitDirectory(top: string): { readonly folders: readonly string[]; readonly hazards: readonly Hazard[] } {
  const dot = join(top, '.git');
  const stat = lstatSync(dot, { throwIfNoEntry: false });
  if (stat === undefined) return { folders: [top], hazards: [{ key: 'bare repository', file: top, line: 1 }] };
  if (stat.isDirectory()) return { folders: [dot], hazards: [] };
  const text = stat.isFile() ? readText(dot, { limit: 4096 }) : null;
  const target = text?.ok ? /^gitdir: (.+?)\r?\n?$/.exec(text.text)?.[1] : undefined;
  if (target === undefined) return { folders: [], hazards: [{ key: '.git', file: dot, line: 1 }] };
  const folder = resolve(top, target);
  const common = readText(join(folder, 'commondir'), { limit: 4096 });
  const back = readText(join(folder, 'gitdir'), { limit: 4096 });
  const folders = common.ok ? [folder, resolve(folder, common.text.trim())] : [folder];
  const linked = common.ok && back.ok && realOrSelf(back.text.trim()) === realOrSelf(dot);
  return { folders, hazards: linked ? [] : [{ key: 'gitdir', file: dot, line: 1 }] };
}

function currentBranch(folder: string): string | null {
  const head = readText(join(folder, 'HEAD'), { limit: 4096 });
  return (head.ok ? /^ref: refs\/heads\/(.+?)\s*$/.exec(head.text)?.[1] : undefined) ?? null;
}

/** Reads one configuration file into `entries`; a file that exists and cannot be read is itself a hazard. */
function readConfig(file: string, entries: ConfigEntry[]): Hazard[] {
  const text = readText(file, { limit: MAX_CONFIG_BYTES });
  if (!text.ok) return text.code === 'missing' ? [] : [{ key: `config that ${text.message}`, file, line: 1 }];
  const problem = parseConfig(text.text, file, entries);
  return problem === null ? [] : [{ key: 'config that cannot be read', file, line: problem }];
}

/** git-config syntax, as far as keys go. Returns the line of the first thing not understood: then nothing is proven. */
function parseConfig(text: string, file: string, entries: ConfigEntry[]): number | null {
  let section = '';
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    let line = (lines[index] ?? '').replace(/\r$/, '').trim();
    const start = index + 1;
    while (line.endsWith('\\') && index + 1 < lines.length) {
      index += 1;
      line = line.slice(0, -1) + (lines[index] ?? '').trim();
    }
    const header = /^\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/.exec(line);
    if (header) {
      const sub = header[2] === undefined ? '' : `.${header[2].replace(/\\(.)/g, '$1')}`;
      section = `${(header[1] ?? '').toLowerCase()}${sub}`;
      line = line.slice(header[0].length).trim();
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const entry = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (entry === null || section === '') return start;
    entries.push({ key: `${section}.${(entry[1] ?? '').toLowerCase()}`, value: plainValue(entry[2]), file, line: start });
  }
  return null;
}

function plainValue(value: string | undefined): string {
  if (value === undefined) return 'true';
  const unquoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value);
  return unquoted ? (unquoted[1] ?? '').replace(/\\(.)/g, '$1') : value.replace(/\s+[#;].*$/, '').trim();
}

function isHazard(entry: ConfigEntry): boolean {
  const key = entry.key.toLowerCase();
  if (!hazardData.keys.some((pattern) => globMatch(pattern, key))) return false;
  const harmless = Object.entries(hazardData.harmless).find(([pattern]) => globMatch(pattern, key));
  return harmless === undefined || !harmless[1].includes(entry.value);
}

function remotesOf(entries: readonly ConfigEntry[]): string[] {
  const names = entries.flatMap((entry) => /^remote\.(.+)\.url$/.exec(entry.key)?.[1] ?? []);
  return [...new Set(names)];
}

function upstreamOf(entries: readonly ConfigEntry[], branch: string | null): GitFacts['upstream'] {
  if (branch === null) return null;
  const setting = (name: string) => entries.findLast((entry) => entry.key === `branch.${branch}.${name}`)?.value;
  const remote = setting('remote');
  const merge = setting('merge')?.replace(/^refs\/heads\//, '');
  return remote === undefined || merge === undefined ? null : { remote, branch: merge };
}

/** True when the path is a directory. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
