/**
 * Skills in folders below the one where Claude Code was started. It loads those of `sub/.claude/skills` once a file below `sub`
 * was read, written or edited, and calls them `sub:NAME` where the bare name is taken, `NAME` where it is free (2.1.197,
 * 2.1.330). It does not load commands or agents from such folders.
 */
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOrdinary } from '../../agent/skill-text.js';
import type { Plugin } from '../../definitions/plugin-agents.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { repositoryTop } from '../../disk/git/directory.js';
import { ignoresPackages, isDotGit } from '../../disk/git/nested-repositories.js';
import { tracksPackages } from '../../disk/git/tracked.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { rootsOf, SKILL_LIMIT, type SkillFile, type SkillPlaces } from './skill-places.js';

/** At most this many folder entries are examined for one call. */
const MOST_ENTRIES = 100_000;

interface Nested {
  /** Relative to the folder where Claude Code was started. */
  readonly folder: string;
  readonly skill: string;
}

/** Returns every folder and skill that `folder:skill` may mean, since both parts may contain a colon. */
export function nestedNames(name: string): readonly Nested[] {
  const found: Nested[] = [];
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) {
    const [folder, skill] = [name.slice(0, at), name.slice(at + 1)];
    const isPath = folder.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (isPath && skill !== '' && !skill.includes('/')) found.push({ folder, skill });
  }
  return found;
}

interface NestedFolders {
  readonly folders: readonly string[];
  /** False when there may be more of them. */
  readonly complete: boolean;
}

/**
 * Finds the skill folders below `start`. Does not follow links to folders: a target in the same tree is found at its own path.
 * Skips a `node_modules` that git ignores unless git tracks files in one, as Claude Code does.
 */
export function nestedSkillFolders(start: string, budget: number = MOST_ENTRIES): NestedFolders {
  const top = repositoryTop(start);
  let keepsPackages: boolean | null = null;
  const isLeftOut = (path: string): boolean => {
    if (top === null || !ignoresPackages(path, top)) return false;
    keepsPackages ??= tracksPackages(top);
    return !keepsPackages;
  };
  const pending = [{ folder: start, isOfTop: top !== null }];
  const folders: string[] = [];
  let left = budget;
  let complete = true;
  // Nearest first, so that only the deepest folders are missed when the budget runs out.
  for (let at = 0; at < pending.length; at += 1) {
    const { folder = start, isOfTop = false } = pending[at] ?? {};
    const entries = folderEntries(folder);
    if (entries === null) {
      if (mayBeEntered(folder)) complete = false;
      continue;
    }
    left -= entries.length;
    if (left < 0) return { folders, complete: false };
    // The ignore rules of the outer repository do not apply inside another repository.
    const isSame = isOfTop && (folder === top || !entries.some(({ name }) => isDotGit(name)));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.toLowerCase() === '.claude') folders.push(join(path, 'skills'));
      if (!entry.isDirectory() || entry.name === '.git') continue;
      if (entry.name === 'node_modules' && isSame && isLeftOut(path)) continue;
      pending.push({ folder: path, isOfTop: isSame });
    }
  }
  return { folders, complete };
}

/** Whether the folder may be entered; if not, no program can open a file in it, even by its exact name. */
function mayBeEntered(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Names of skills; Claude Code offers none with other characters in its name. */
const PLAIN_NAME = /^\w[\w-]*(?::\w[\w-]*)*$/;
/** Matches settings that may exclude a skill; an escape sequence may hide any of these words. */
const MAY_KEEP_OUT = /skills-dir|enabledPlugins|skillOverrides|\\u/;
/** The same for the user's settings, where `enabledPlugins` lists all plugins in use: only a `false` excludes one. */
const USER_MAY_KEEP_OUT = /skills-dir|"[^"]*@[^"]*"\s*:\s*false|skillOverrides|\\u/;

/**
 * True if Claude Code certainly resolves this name to one of these files, so that no nested skill gets it, whatever its front
 * matter states: an ordinary file in its usual place, not excluded by settings and not reached through a link.
 */
export function isCertain(name: string, found: readonly SkillFile[], places: SkillPlaces): boolean {
  const { project, home, cwd } = places;
  const above = repositoryTop(cwd);
  // In another repository, such as a worktree, Claude Code may search up to the top of that repository only, or up to the project
  // as before.
  const isSame = isInside(cwd, project) && above === repositoryTop(project);
  if (!PLAIN_NAME.test(name) || (!isSame && above === null)) return false;
  const tops = isSame || above === null ? [project] : [project, above];
  if (tops.some((top) => saysAny(top, MAY_KEEP_OUT)) || saysAny(home, USER_MAY_KEEP_OUT)) return false;
  const isHeldBy = (root: string) =>
    found.some(({ file, plugin }) => plugin === null && isReadAsWritten(name, file, root) && isReachedOnce(file, places));
  const isPlugins = found.some(({ file, plugin }) => plugin !== null && isOfPlugin(name, file, plugin, home));
  return isPlugins || isHeldBy(home) || tops.every(isHeldBy);
}

/** Whether no other skill folder leads to this file: Claude Code loads a file once, under the name of the first folder that leads to it. */
function isReachedOnce(file: string, places: SkillPlaces): boolean {
  const real = realPath(file);
  return [...rootsOf(places)].every((root) => {
    const skills = join(root, '.claude', 'skills');
    const files = (folderEntries(skills) ?? []).map((entry) => join(skills, entry.name, 'SKILL.md'));
    return files.every((other) => other === file || realPath(other) !== real);
  });
}

function saysAny(folder: string, words: RegExp): boolean {
  return ['settings.json', 'settings.local.json'].some((name) => {
    const read = readText(join(folder, '.claude', name));
    return read.ok ? words.test(read.text) : read.code !== 'missing';
  });
}

function isReadAsWritten(name: string, file: string, root: string): boolean {
  const real = realPath(root);
  if (real === null || !isInside(file, root) || realPath(file) !== join(real, file.slice(root.length))) return false;
  const isCommand = file === `${join(root, '.claude', 'commands', ...name.split(':'))}.md`;
  if (!isCommand && file !== join(root, '.claude', 'skills', name, 'SKILL.md')) return false;
  // Claude Code reserves this folder for its own skills.
  if (!isCommand && name.toLowerCase() === 'synced') return false;
  const read = readText(file, { limit: SKILL_LIMIT });
  const isPlugin = !isCommand && holds(dirname(file), '.claude-plugin');
  return read.ok && isOrdinary(read.text) && !isPlugin;
}

function holds(folder: string, name: string): boolean {
  return folderEntries(folder)?.some((entry) => entry.name.toLowerCase() === name) ?? true;
}

/** Whether this file is the skill or command of that name in a plugin that the user installed. */
function isOfPlugin(name: string, file: string, plugin: Plugin, home: string): boolean {
  if (!isInside(plugin.root, join(home, '.claude', 'plugins')) || !name.startsWith(`${plugin.name}:`)) return false;
  const own = name.slice(plugin.name.length + 1);
  const places = [
    ...(plugin.skills ?? []).map((folder) => join(folder, own, 'SKILL.md')),
    ...(plugin.commands ?? []).map((folder) => `${join(folder, ...own.split(':'))}.md`),
  ];
  return places.includes(file) && readText(file, { limit: SKILL_LIMIT }).ok;
}
