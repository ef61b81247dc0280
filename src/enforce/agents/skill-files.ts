/**
 * Where Claude Code finds a skill or slash command: below `.claude` of the project, of the home directory and of folders of the
 * project, and in plugins.
 */
import { basename, dirname, join } from 'node:path';
import { mayBeNamed } from '../../agent/skill-text.js';
import { installedPlugins, type Plugin, pluginIn } from '../../definitions/plugin-agents.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { isDirectory, realOrSelf } from '../../disk/git/directory.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { isCertain, nestedNames, nestedSkillFolders } from './nested-skills.js';
import { rootsOf, SKILL_LIMIT, type SkillFile, type SkillPlaces } from './skill-places.js';

const MOST_FILES = 2_000;
/** At most this many skill files are read to find out their names. */
const MOST_READ = 2_000;
const MOST_DEPTH = 6;

/** The remaining work that one call may cause. */
interface Budget {
  files: number;
  read: number;
}

interface Search {
  /** Names of the skill, in lower case; any of them matches. */
  readonly names: readonly string[];
  readonly found: SkillFile[];
  readonly budget: Budget;
}

interface Asked {
  readonly name: string;
  readonly places: SkillPlaces;
  readonly found: SkillFile[];
  readonly budget: Budget;
}

/**
 * Returns every file that Claude Code may take for the skill, or a sentence that states why they are not all known.
 * @param mostEntries maximum number of entries of the project that are examined for nested skills
 */
export function skillFiles(name: string, places: SkillPlaces, mostEntries?: number): readonly SkillFile[] | string {
  const asked: Asked = { name, places, found: [], budget: { files: MOST_FILES, read: MOST_READ } };
  const problem = usualFiles(asked) ?? pluginFiles(asked) ?? nestedFiles(asked, mostEntries);
  if (problem !== null) return problem;
  const byFile = new Map(asked.found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(({ file }) => isThere(file));
}

function isThere(file: string): boolean {
  const read = readText(file, { limit: SKILL_LIMIT });
  return read.ok || read.code !== 'missing';
}

/** Returns the usual paths of a skill of that name, relative to the project, for a message to a person. */
export function usualPlaces(name: string): readonly string[] {
  const nested = nestedNames(name).map(({ folder, skill }) => join(folder, '.claude', 'skills', skill, 'SKILL.md'));
  return nested.length > 0 || name.includes('/') ? nested : [join('.claude', 'skills', name, 'SKILL.md')];
}

/** Finds files in the usual places. This and the next two searches return null if they find all files, otherwise the problem. */
function usualFiles({ name, places, found, budget }: Asked): string | null {
  const search = { names: [name.toLowerCase()], found, budget };
  for (const within of rootsOf(places)) {
    const origin = { within, plugin: null };
    for (const [folder, look] of [
      [join(within, '.claude', 'skills'), skillsIn],
      [join(within, '.claude', 'commands'), commandsIn],
    ] as const)
      if (!look(folder, origin, search, MOST_DEPTH)) return tooMany(folder);
  }
  return null;
}

/** Finds skills and commands of plugins, which are called with or without the name of the plugin. */
function pluginFiles({ name, places, found, budget }: Asked): string | null {
  const last = name.slice(name.lastIndexOf(':') + 1);
  const installed = installedPlugins(places.home).plugins.map((plugin) => ({ plugin, within: plugin.root }));
  for (const origin of [...installed, ...skillFolderPlugins(places)]) {
    const { plugin } = origin;
    const isAsked = name.startsWith(`${plugin.name}:`);
    if (name.includes(':') && !isAsked) continue;
    if (plugin.skills === null || plugin.commands === null) {
      if (isAsked) return `the plugin ${plugin.name} lists its skills and commands in an unknown way`;
      continue;
    }
    const own = isAsked ? name.slice(plugin.name.length + 1) : name;
    const search = { names: [name, own, last].map((one) => one.toLowerCase()), found, budget };
    for (const folder of plugin.skills)
      if (!skillAt(folder, origin, search) || !skillsIn(folder, origin, search)) return tooMany(folder);
    for (const place of plugin.commands) {
      if (place.endsWith('.md')) found.push({ ...origin, file: place });
      else if (!commandsIn(place, origin, search, MOST_DEPTH)) return tooMany(place);
    }
  }
  return null;
}

/**
 * Finds the folders in `.claude/skills` that contain a plugin manifest: Claude Code treats each as a plugin, also in a trusted
 * project (`@skills-dir`).
 */
function skillFolderPlugins(places: SkillPlaces): readonly { readonly plugin: Plugin; readonly within: string }[] {
  return [...rootsOf(places)].flatMap((within) => {
    const skills = join(within, '.claude', 'skills');
    const found = (folderEntries(skills) ?? []).flatMap((entry) => pluginIn(join(skills, entry.name)) ?? []);
    return found.map((plugin) => ({ plugin, within }));
  });
}

/**
 * Finds nested skills: `folder:name` is in that folder. If no other file certainly has the name, any nested skill may have it, by
 * its folder or front matter.
 */
function nestedFiles({ name, places, found, budget }: Asked, mostEntries?: number): string | null {
  const look = (folder: string, within: string, skill: string): boolean =>
    skillsIn(folder, { within, plugin: null }, { names: [skill.toLowerCase()], found, budget });
  const isHeld = isCertain(name, found, places);
  const roots = rootsOf(places);
  for (const { folder, skill } of nestedNames(name))
    for (const within of roots) {
      const skills = join(within, folder, '.claude', 'skills');
      if (!look(skills, within, skill)) return tooMany(skills);
    }
  if (isHeld) return null;
  const { project, cwd } = places;
  for (const start of isInside(cwd, project) ? [project] : [project, cwd]) {
    const { folders, complete } = nestedSkillFolders(start, mostEntries);
    for (const folder of folders) if (!roots.has(dirname(dirname(folder))) && !look(folder, start, name)) return tooMany(folder);
    if (!complete) return `another skill of that name may be in ${start}, which cannot be listed completely, or is too large`;
  }
  return null;
}

function tooMany(folder: string): string {
  return `the folder ${folder} cannot be listed, or is too large`;
}

export interface AgentText {
  readonly file: string;
  readonly text: string;
}

/** Returns the agent definitions that may have this name, or a sentence that names the file because of which they are not all known. */
export function agentTexts(name: string, places: SkillPlaces): readonly AgentText[] | string {
  const last = name.slice(name.lastIndexOf(':') + 1);
  const plugins =
    name === last ? [] : installedPlugins(places.home).plugins.filter((plugin) => name.startsWith(`${plugin.name}:`));
  const roots = [
    ...[...rootsOf(places)].map((within) => ({ within, folder: join(within, '.claude', 'agents') })),
    ...plugins.flatMap(({ folder, root }) => (folder === null ? [] : [{ within: root, folder }])),
  ];
  const files = plugins.flatMap((plugin) => [...plugin.files]);
  const budget = { left: MOST_FILES };
  for (const { within, folder } of roots) {
    const search = { within: realOrSelf(within), entered: new Set([realOrSelf(folder)]), budget, found: files };
    const problem = markdownIn(folder, MOST_DEPTH, search);
    if (problem !== null) return problem;
  }
  const texts: AgentText[] = [];
  for (const file of new Set(files)) {
    const read = readText(file, { limit: SKILL_LIMIT });
    if (!read.ok && MAY_BE_READ.has(read.code)) return `${file} ${read.message}; shorten or correct it, or move it elsewhere`;
    if (read.ok && mayBeNamed(read.text, last)) texts.push({ file, text: read.text });
  }
  return texts;
}

/** Errors of reading here that do not mean that Claude Code cannot read the file. */
const MAY_BE_READ: ReadonlySet<string> = new Set(['too-large', 'not-utf8']);

interface DefinitionSearch {
  /** Real path of the project, home directory or plugin that the folder of agents belongs to. */
  readonly within: string;
  /** Real paths of the folders entered so far: a folder that is reached twice is entered once. */
  readonly entered: Set<string>;
  readonly budget: { left: number };
  readonly found: string[];
}

/** Returns why not all files are known; null if they are. Enters links to folders inside `within`, as Claude Code does. */
function markdownIn(folder: string, depth: number, search: DefinitionSearch): string | null {
  const entries = folderEntries(folder);
  if (entries === null) return `the folder ${folder} cannot be listed; make it readable, or remove it`;
  for (const entry of entries) {
    search.budget.left -= 1;
    if (search.budget.left < 0) return `the folder ${folder} contains too many files; keep only agent definitions in it`;
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    if (!entry.isDirectory() && !(isLink && isDirectory(path))) {
      if (entry.name.toLowerCase().endsWith('.md')) search.found.push(path);
      continue;
    }
    const real = realOrSelf(path);
    if (isLink && !isInside(real, search.within))
      return `${path} is a link to a folder elsewhere; replace it with a folder of agent definitions`;
    if (search.entered.has(real)) continue;
    search.entered.add(real);
    const problem = depth === 0 ? `${path} is nested too deeply; move it up` : markdownIn(path, depth - 1, search);
    if (problem !== null) return problem;
  }
  return null;
}

type Origin = Pick<SkillFile, 'within' | 'plugin'>;

/** Finds skills in a folder of skills; false if not all of them could be listed or read. */
function skillsIn(folder: string, origin: Origin, search: Search): boolean {
  const entries = folderEntries(folder);
  if (entries === null) return false;
  for (const entry of entries) {
    search.budget.files -= 1;
    if (search.budget.files < 0) return false;
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    if (!skillAt(join(folder, entry.name), origin, search)) return false;
  }
  return true;
}

function skillAt(folder: string, origin: Origin, { names, found, budget }: Search): boolean {
  const file = join(folder, 'SKILL.md');
  if (names.includes(basename(folder).toLowerCase())) {
    found.push({ ...origin, file });
    return true;
  }
  budget.read -= 1;
  if (budget.read < 0) return false;
  const read = readText(file, { limit: SKILL_LIMIT });
  const isIt = read.ok ? names.some((name) => mayBeNamed(read.text, name)) : read.code !== 'missing';
  if (isIt) found.push({ ...origin, file });
  return true;
}

/**
 * Finds commands of this name below a folder; false if not all of it could be listed. `a:b` is in the folder `a`, a bare name in
 * any folder: versions of Claude Code from early 2026 omit the folders.
 */
function commandsIn(folder: string, origin: Origin, search: Search, depth: number, above: readonly string[] = []): boolean {
  const entries = folderEntries(folder);
  if (entries === null) return false;
  const isNamed = (path: readonly string[]): boolean =>
    search.names.some((name) => name === path.join(':') || name === path.at(-1)?.toLowerCase());
  for (const entry of entries) {
    search.budget.files -= 1;
    if (search.budget.files < 0) return false;
    const file = join(folder, entry.name);
    const name = entry.name.toLowerCase();
    if ((name.endsWith('.md') && isNamed([...above, name.slice(0, -3)])) || (name === 'skill.md' && isNamed(above)))
      search.found.push({ ...origin, file });
    else if (entry.isSymbolicLink()) return false;
    else if (entry.isDirectory() && (depth === 0 || !commandsIn(file, origin, search, depth - 1, [...above, name]))) return false;
  }
  return true;
}
