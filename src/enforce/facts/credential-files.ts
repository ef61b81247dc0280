/** Files that contain a git credential. Their names are checked first, since nearly every call names files and few of them are git's. */
import { basename, dirname, normalize } from 'node:path';
import { folderEntries } from '../../disk/folder-entries.js';
import { repositoryConfigFiles, wholeConfig } from '../../disk/git/config-files.js';
import { holdsCredential } from '../../disk/git/credentials.js';
import { gitDirectory, looksBare, realOrSelf } from '../../disk/git/directory.js';
import { storedModules } from '../../disk/git/submodules.js';
import { isInside, pathIn } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { entryAt } from '../../disk/stat-of.js';

/** Matches all of the paths below, and few others. */
const MENTIONS = /git|\/config$/i;
/** Files from which git reads its configuration; if one cannot be read, it may contain a credential. */
const OWN = /(?:\/\.git\/(?:.*\/)?config(?:\.worktree)?|\/git\/config|\/\.gitconfig|\/(?:etc|git-core)\/gitconfig)$/i;
/** Files in the same format, and files that git configurations often include; they matter only if a credential is found. */
const ALIKE = /\/(?:\.?gitconfig(?:[-._][^/]*)?|\.gitmodules|\.lfsconfig|\.config\/git\/[^/]+|\.git\/[^/]+)$/i;

const MAX_CONFIG_BYTES = 256 * 1024;
const MAX_WORK_TREES = 200;

/** Whether the file at a real path contains a credential in the form of a git configuration; `named` may be the path of a link to it. */
export interface CredentialFiles {
  (real: string, named?: string): boolean;
  /** Real paths of the files with a credential that the repository's own configuration includes, whatever their names. */
  readonly included: () => ReadonlySet<string>;
}

/** Returns a test for the files that one call names, or that are found in a project. */
export function credentialFileTest(project: string, home: string): CredentialFiles {
  let known: ReadonlySet<string> | null = null;
  const included = () => {
    known ??= includedCredentials(project, home);
    return known;
  };
  return Object.assign((real: string, named = real) => isConfigWithCredential(real, named) || included().has(real), { included });
}

function isConfigWithCredential(real: string, named: string): boolean {
  if (!MENTIONS.test(real) && (named === real || !MENTIONS.test(named))) return false;
  const paths = named === real ? [real] : [real, normalize(named)];
  if (paths.some((path) => OWN.test(path) || (basename(path) === 'config' && mayBeBare(dirname(path)))))
    return holdsCredential(real, true);
  return paths.some((path) => ALIKE.test(path)) && holdsCredential(real, false);
}

/** True also if this cannot be determined: in a folder that may be listed but not entered. */
function mayBeBare(folder: string): boolean {
  try {
    return looksBare(folder);
  } catch {
    return true;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the files with a credential among those that the configuration of a project's repository includes. */
function includedCredentials(project: string, home: string): ReadonlySet<string> {
  if (!mayInclude(pathIn(project, '.git'))) return NONE;
  const own = repositoryConfigFiles(gitDirectory(project, true).folders);
  const included = wholeConfig(own, home).files.slice(own.length);
  return new Set(included.filter((file) => holdsCredential(file, false)).map(realOrSelf));
}

/**
 * Whether the configuration may include files, which hardly any does; its text shows that at once. In a linked worktree `.git` is a file.
 */
function mayInclude(dot: string): boolean {
  const read = readText(pathIn(dot, 'config'), { limit: MAX_CONFIG_BYTES });
  return read.ok ? /\[\s*include|worktreeconfig/i.test(read.text) : entryAt(dot)?.isDirectory() === false;
}

/**
 * Returns the files with a credential in a git directory without walking it: its own configuration and what that includes, and
 * those of linked worktrees and of submodules. If a folder cannot be examined, the folder itself is returned.
 */
export function credentialFilesIn(folder: string, files: CredentialFiles): readonly string[] {
  const workTrees = pathIn(folder, 'worktrees');
  const entries = folderEntries(workTrees);
  const isKnown = entries !== null && entries.length <= MAX_WORK_TREES;
  const linked = isKnown ? entries.map(({ name }) => pathIn(pathIn(workTrees, name), 'config.worktree')) : [];
  const stored = modulesIn(pathIn(folder, 'modules'));
  const own = repositoryConfigFiles([folder, ...stored.folders]);
  return [
    ...[...own, ...linked].filter((file) => files(file)),
    ...[...files.included()].filter((file) => isInside(file, folder) && !own.includes(file)),
    ...(isKnown ? [] : [workTrees]),
    ...stored.unclear,
  ];
}

/** Returns the git directories of submodules, and the files that keep them from being known in full. */
function modulesIn(modules: string): { readonly folders: readonly string[]; readonly unclear: readonly string[] } {
  try {
    const { folders, hazards } = storedModules(modules);
    return { folders, unclear: hazards.map(({ file }) => file) };
  } catch {
    return { folders: [], unclear: [modules] };
  }
}
