/** Where Claude Code finds a skill or slash command: below `.claude` of the project and of the home folder, and in installed plugins. */
import { basename, dirname, join } from 'node:path';
import { mayBeNamed } from '../../agent/skill-text.js';
import { folderEntries } from '../facts/folder-entries.js';
import { isDirectory, realOrSelf } from '../facts/git/directory.js';
import { isInside } from '../facts/inside.js';
import { readText } from '../files/read.js';
import { installedPlugins, type Plugin } from './plugin-agents.js';

/** Where the client looks for a skill. All absolute; `project` a real path. */
export interface SkillPlaces {
  readonly project: string;
  readonly home: string;
  /** Of the call. The client looks into the folders above it, too. */
  readonly cwd: string;
}

/** A file that may be the skill. */
export interface SkillFile {
  readonly file: string;
  /** The folder that the file has to lie in. */
  readonly within: string;
  /** The plugin that brings it. */
  readonly plugin: Plugin | null;
}

const MOST_FILES = 2_000;
/** Skills whose names have to be read from their files. */
const MOST_READ = 500;
const MOST_DEPTH = 6;
const MOST_ABOVE = 32;
/** Bytes of a skill or command; a larger one cannot be judged. */
export const SKILL_LIMIT = 256 * 1024;
/** What a folder of a skill is called; the client knows other names only from the file itself. */
const FOLDER_NAME = /^(?:[\w.-]+:)*[\w.-]+$/;

interface Search {
  readonly name: string;
  /** The name without the folders or the plugin in front of it. */
  readonly last: string;
  readonly found: SkillFile[];
  files: number;
  read: number;
}

/** Every file that the client may take for the skill, or why that is not known. */
export function skillFiles(name: string, places: SkillPlaces): readonly SkillFile[] | string {
  const isFolder = FOLDER_NAME.test(name) && !/(?:^|:)\.+(?::|$)/.test(name);
  const last = isFolder ? name.slice(name.lastIndexOf(':') + 1) : '';
  const search: Search = { name, last, found: [], files: MOST_FILES, read: MOST_READ };
  const tooMany = (folder: string) => `the folder ${folder} cannot be listed, or is too large`;
  for (const within of rootsOf(places)) {
    const origin = { within, plugin: null };
    for (const [folder, look] of [
      [join(within, '.claude', 'skills'), skillsIn],
      [join(within, '.claude', 'commands'), commandsIn],
    ] as const)
      if (!look(folder, origin, search, MOST_DEPTH)) return tooMany(folder);
  }
  for (const plugin of installedPlugins(places.home).plugins) {
    const isAsked = name.startsWith(`${plugin.name}:`);
    if (name.includes(':') && !isAsked) continue;
    const origin = { within: plugin.root, plugin };
    if (plugin.skills === null || plugin.commands === null) {
      if (isAsked) return `the plugin ${plugin.name} lists its skills and commands in a way that is not known`;
      continue;
    }
    for (const folder of plugin.skills)
      if (!skillAt(folder, origin, search) || !skillsIn(folder, origin, search)) return tooMany(folder);
    for (const place of plugin.commands) {
      if (place.endsWith('.md')) search.found.push({ ...origin, file: place });
      else if (!commandsIn(place, origin, search, MOST_DEPTH)) return tooMany(place);
    }
  }
  const byFile = new Map(search.found.map((one) => [one.file, one]));
  return [...byFile.values()].filter(({ file }) => {
    const read = readText(file, { limit: SKILL_LIMIT });
    return read.ok || read.code !== 'missing';
  });
}

/** A definition of an agent. */
export interface AgentText {
  readonly file: string;
  readonly text: string;
}

/** Files of agents that may have this name. Why not all of them are known, as a sentence that names the file, where that is so. */
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

/** What the client may read although it is not read here. */
const MAY_BE_READ: ReadonlySet<string> = new Set(['too-large', 'not-utf8']);

interface DefinitionSearch {
  /** Real path of what the folder of agents belongs to. */
  readonly within: string;
  /** Real paths: a folder that is reached twice is entered once. */
  readonly entered: Set<string>;
  readonly budget: { left: number };
  readonly found: string[];
}

/** Why not all of them are known; null when they are. The client enters links, too, so those that stay inside are. */
function markdownIn(folder: string, depth: number, search: DefinitionSearch): string | null {
  const entries = folderEntries(folder);
  if (entries === null) return `the folder ${folder} cannot be listed; make it readable, or remove it`;
  for (const entry of entries) {
    search.budget.left -= 1;
    if (search.budget.left < 0) return `the folder ${folder} holds too many files; keep the definitions of agents alone in it`;
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    if (!entry.isDirectory() && !(isLink && isDirectory(path))) {
      if (entry.name.toLowerCase().endsWith('.md')) search.found.push(path);
      continue;
    }
    const real = realOrSelf(path);
    if (isLink && !isInside(real, search.within))
      return `${path} is a link to a folder elsewhere; put the definitions of its agents there in its place`;
    if (search.entered.has(real)) continue;
    search.entered.add(real);
    const problem = depth === 0 ? `${path} is nested too deep; move it further up` : markdownIn(path, depth - 1, search);
    if (problem !== null) return problem;
  }
  return null;
}

/** The project, the home folder, and whatever lies above the working directory: a client may have been started in any of them. */
function rootsOf({ project, home, cwd }: SkillPlaces): ReadonlySet<string> {
  const roots = new Set([project, home]);
  for (let folder = cwd, left = MOST_ABOVE; left > 0; left -= 1) {
    roots.add(folder);
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return roots;
}

type Origin = Pick<SkillFile, 'within' | 'plugin'>;

/** Skills below a folder of skills; false when not all of it could be listed or read. */
function skillsIn(folder: string, origin: Origin, search: Search): boolean {
  const entries = folderEntries(folder);
  if (entries === null) return false;
  for (const entry of entries) {
    search.files -= 1;
    if (search.files < 0) return false;
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    if (!skillAt(join(folder, entry.name), origin, search)) return false;
  }
  return true;
}

function skillAt(folder: string, origin: Origin, search: Search): boolean {
  const file = join(folder, 'SKILL.md');
  const called = basename(folder).toLowerCase();
  if (called === search.name.toLowerCase() || called === search.last.toLowerCase()) {
    search.found.push({ ...origin, file });
    return true;
  }
  search.read -= 1;
  if (search.read < 0) return false;
  const read = readText(file, { limit: SKILL_LIMIT });
  const isIt = read.ok
    ? [search.name, search.last].some((name) => name !== '' && mayBeNamed(read.text, name))
    : read.code !== 'missing';
  if (isIt) search.found.push({ ...origin, file });
  return true;
}

/** Commands of this name below a folder; false when not all of it could be listed. */
function commandsIn(folder: string, origin: Origin, search: Search, depth: number): boolean {
  const entries = folderEntries(folder);
  if (entries === null) return false;
  const inSkill = basename(folder).toLowerCase() === search.last.toLowerCase();
  for (const entry of entries) {
    search.files -= 1;
    if (search.files < 0) return false;
    const file = join(folder, entry.name);
    const name = entry.name.toLowerCase();
    if (name === `${search.last.toLowerCase()}.md` || (inSkill && name === 'skill.md')) search.found.push({ ...origin, file });
    else if (entry.isSymbolicLink()) return false;
    else if (entry.isDirectory() && (depth === 0 || !commandsIn(file, origin, search, depth - 1))) return false;
  }
  return true;
}
