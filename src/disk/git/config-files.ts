/** The files that git reads its configuration from: the system's, the user's, and what these and a repository's own include. */
import { dirname, isAbsolute } from 'node:path';
import { pathIn } from '../inside.js';
import { type ConfigEntry, readConfig } from './config.js';

export interface ConfigOwner {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface WholeConfig {
  readonly entries: readonly ConfigEntry[];
  /** The files that were looked at, given ones and included ones. */
  readonly files: readonly string[];
  /** Where more may be set: a file that cannot be read, or an include of one that cannot be told. */
  readonly unclear: readonly { readonly file: string; readonly line: number }[];
}

/** Where packages of git and its builds put the configuration of the machine. */
const SYSTEM_FILES: readonly string[] = [
  '/etc/gitconfig',
  '/usr/etc/gitconfig',
  '/usr/local/etc/gitconfig',
  '/opt/homebrew/etc/gitconfig',
  '/opt/local/etc/gitconfig',
  '/home/linuxbrew/.linuxbrew/etc/gitconfig',
  '/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig',
  '/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig',
];

/** More files are not read: git itself gives up where includes are nested more than ten deep. */
const MOST_FILES = 64;

/** A condition of `includeIf` is not looked at: it may be met where git runs. */
const INCLUDE = /^include(?:if\..+)?\.path$/s;

/** The files of the machine and of the user, whether they are there or not. A variable only adds one, since a tool may run without it. */
export function sharedConfigFiles({ home, environment }: ConfigOwner): readonly string[] {
  const { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME } = environment;
  const named = [GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME && pathIn(XDG_CONFIG_HOME, 'git/config')];
  return [
    ...SYSTEM_FILES,
    pathIn(home, '.gitconfig'),
    pathIn(home, '.config/git/config'),
    ...named.flatMap((file) => (file && isAbsolute(file) && file !== '/dev/null' ? [file] : [])),
  ];
}

/** The files of a repository's git directories. */
export function repositoryConfigFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [pathIn(folder, 'config'), pathIn(folder, 'config.worktree')]);
}

/** The settings of files, with those of the files that they include. */
export function wholeConfig(files: readonly string[], home: string): WholeConfig {
  const entries: ConfigEntry[] = [];
  const unclear: { readonly file: string; readonly line: number }[] = [];
  const seen = new Set<string>(files);
  // A file that is included is looked at behind those that are known already.
  for (const file of seen) {
    const read = readConfig(file);
    if (!read.ok) unclear.push({ file, line: read.line });
    for (const entry of read.ok ? read.entries : []) {
      entries.push(entry);
      if (!INCLUDE.test(entry.key)) continue;
      const included = includedFile(entry, home);
      if (included === null || (seen.size >= MOST_FILES && !seen.has(included))) unclear.push(entry);
      else seen.add(included);
    }
  }
  return { entries, files: [...seen], unclear };
}

/** The file that an include names; null for one in the home of another user, or in the folder that git is installed in. */
function includedFile({ value, file }: ConfigEntry, home: string): string | null {
  if (value.startsWith('~/')) return pathIn(home, value.slice(2));
  if (value.startsWith('~') || value.startsWith('%(')) return null;
  // Not collapsed: where `..` leads depends on links.
  return isAbsolute(value) ? value : pathIn(dirname(file), value);
}
