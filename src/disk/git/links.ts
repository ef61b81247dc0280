/** Links among the files of a git directory: git shows some of these files, and quotes others if they are invalid, wherever they are. */
import type { Dirent } from 'node:fs';
import { basename } from 'node:path';
import { folderEntries } from '../folder-entries.js';
import { pathIn } from '../inside.js';
import { pathFact } from '../real-path.js';
import { type Hazard, unlisted } from './directory.js';

/** Folders of a git directory with such files: `git status` shows lines of `rebase-merge/done`, and quotes each of `info/grafts`. */
const FOLDERS: ReadonlySet<string> = new Set(['branches', 'info', 'rebase-apply', 'rebase-merge', 'remotes', 'sequencer']);
/** Files that git neither shows nor quotes; some people keep theirs elsewhere. */
const UNQUOTED: ReadonlySet<string> = new Set(['HEAD', 'config', 'description', 'exclude', 'index']);
const MAX_WORKTREES = 500;

/**
 * Returns the links of a git directory to files of other names; the links made by `git-new-workdir` have the same names as their targets.
 */
export function linkHazards(folder: string): Hazard[] {
  const own = folderEntries(folder);
  if (own === null) return [unlisted(folder)];
  const hazards = linksAmong(folder, own);
  const has = (name: string) => own.some((entry) => entry.name === name);
  for (const { name } of own) if (FOLDERS.has(name)) hazards.push(...linksIn(pathIn(folder, name)));
  if (has('objects')) {
    const info = pathIn(folder, 'objects/info');
    const about = folderEntries(info);
    hazards.push(...(about === null ? [unlisted(info)] : linksAmong(info, about)));
    if (about?.some(({ name }) => name === 'commit-graphs')) hazards.push(...linksIn(pathIn(info, 'commit-graphs')));
  }
  if (has('worktrees')) hazards.push(...worktreeLinks(pathIn(folder, 'worktrees')));
  return hazards;
}

/** `git worktree list` shows where each worktree claims to be, and why it is locked. */
function worktreeLinks(folder: string): Hazard[] {
  const entries = folderEntries(folder);
  if (entries === null) return [unlisted(folder)];
  if (entries.length > MAX_WORKTREES) return [{ key: 'worktrees beyond what is read', file: folder, line: 1 }];
  return entries.flatMap(({ name }) => linksIn(pathIn(folder, name)));
}

function linksIn(folder: string): Hazard[] {
  const entries = folderEntries(folder);
  return entries === null ? [unlisted(folder)] : linksAmong(folder, entries);
}

function linksAmong(folder: string, entries: readonly Dirent[]): Hazard[] {
  return entries.flatMap((entry) => {
    if (!entry.isSymbolicLink() || UNQUOTED.has(entry.name)) return [];
    const file = pathIn(folder, entry.name);
    const fact = pathFact(file);
    if (fact !== null && (fact.kind === 'directory' || basename(fact.real) === entry.name)) return [];
    return [{ key: 'link', file, line: 1 }];
  });
}
