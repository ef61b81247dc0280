/** The files from which git reads its configuration: the system's, the user's, the repository's, and all files that these include. */
import { dirname, isAbsolute } from 'node:path';
import { pathIn } from '../inside.js';
import { type ConfigEntry, readConfig } from './config.js';

export interface ConfigOwner {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface WholeConfig {
  readonly entries: readonly ConfigEntry[];
  /** The examined files: given and included ones. */
  readonly files: readonly string[];
  /** Where more may be set: a file that cannot be read, or an include whose target is unknown. */
  readonly unclear: readonly { readonly file: string; readonly line: number }[];
}

/** Where git packages and builds put the configuration of the machine. */
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

/** Maximum number of files; git itself gives up when includes are nested more than ten deep. */
const MOST_FILES = 64;

/** Conditions of `includeIf` are ignored: they may be met where git runs. */
const INCLUDE = /^include(?:if\..+)?\.path$/s;

/**
 * Returns the files of the machine and of the user, whether or not they exist. A variable only adds one, since a tool may run without it.
 */
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

/** Returns the configuration files in a repository's git directories. */
export function repositoryConfigFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [pathIn(folder, 'config'), pathIn(folder, 'config.worktree')]);
}

/** Returns the settings of files, with those of the files that they include. */
export function wholeConfig(files: readonly string[], home: string): WholeConfig {
  const entries: ConfigEntry[] = [];
  const unclear: { readonly file: string; readonly line: number }[] = [];
  const seen = new Set<string>(files);
  // Included files are appended to the list, and examined after the others.
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

/** Returns the file that an include names; null if it is in another user's home directory, or in git's installation folder. */
function includedFile({ value, file }: ConfigEntry, home: string): string | null {
  if (value.startsWith('~/')) return pathIn(home, value.slice(2));
  if (value.startsWith('~') || value.startsWith('%(')) return null;
  // Not normalized: the target of `..` depends on links.
  return isAbsolute(value) ? value : pathIn(dirname(file), value);
}
