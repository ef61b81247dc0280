/**
 * What plugins of Claude Code provide: agents, which payloads name `plugin:agent`, so they are found only by that name; skills and
 * commands. Installed plugins are listed in `~/.claude/plugins/installed_plugins.json` (`plugins: { "NAME@MARKET": [{ installPath }] }`, as
 * written by clients in 2026). If that file is missing or has another form, plugin agents stay unknown, and unknown agents are asked about.
 */

import { basename, isAbsolute, join, relative } from 'node:path';
import { isFields } from '../call/fields.js';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';

export interface Plugin {
  /** The prefix of the names of its agents and skills. */
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  /** Folders of skills, or of a single skill; absolute. Null: unknown. */
  readonly skills: readonly string[] | null;
  /** Folders of commands, and files (`.md`) of a single command; absolute. Null: unknown. */
  readonly commands: readonly string[] | null;
  /** The folder of its agents, or the files that its manifest lists instead; all absolute and inside the plugin. */
  readonly folder: string | null;
  readonly files: readonly string[];
}

export interface FoundPlugins {
  readonly plugins: readonly Plugin[];
  /** Absolute paths of all files that were searched for. */
  readonly sources: readonly string[];
}

const MOST_PLUGINS = 256;
const MOST_FILES = 256;

/** Returns the plugins installed for the user of `home`; never throws. */
export function installedPlugins(home: string): FoundPlugins {
  const list = join(home, '.claude', 'plugins', 'installed_plugins.json');
  const sources = [list];
  const plugins: Plugin[] = [];
  for (const [key, entries] of Object.entries(fieldsOf(fieldsOf(readJson(list)).plugins))) {
    const at = key.indexOf('@');
    const name = at < 0 ? key : key.slice(0, at);
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
      const { installPath } = fieldsOf(entry);
      if (typeof installPath !== 'string' || !isAbsolute(installPath) || name === '' || plugins.length >= MOST_PLUGINS) continue;
      const manifest = manifestIn(installPath);
      sources.push(manifest);
      plugins.push(pluginOf(name, installPath, fieldsOf(readJson(manifest))));
    }
  }
  return { plugins, sources };
}

/** The plugin that Claude Code makes of a folder in `.claude/skills` with a manifest; null if it has none. */
export function pluginIn(root: string): Plugin | null {
  const manifest = readJson(manifestIn(root));
  if (manifest === null) return null;
  const fields = fieldsOf(manifest);
  return pluginOf(typeof fields.name === 'string' && fields.name !== '' ? fields.name : basename(root), root, fields);
}

function manifestIn(root: string): string {
  return join(root, '.claude-plugin', 'plugin.json');
}

function pluginOf(name: string, root: string, { agents, skills, commands }: Readonly<Record<string, unknown>>): Plugin {
  return {
    ...{ name, root, ...agentsOf(root, agents) },
    ...{ skills: pluginComponentPaths(root, 'skills', skills), commands: pluginComponentPaths(root, 'commands', commands) },
  };
}

/** The manifest's list of files replaces the folder `agents` (plugins reference). */
function agentsOf(root: string, listed: unknown): Pick<Plugin, 'folder' | 'files'> {
  if (listed === undefined) return { folder: join(root, 'agents'), files: [] };
  const files = (Array.isArray(listed) ? listed : [listed]).slice(0, MOST_FILES).flatMap((file: unknown) => {
    const path = typeof file === 'string' ? join(root, file) : root;
    return isInside(path, root) && relative(root, path) !== '' ? [path] : [];
  });
  return { folder: null, files };
}

/**
 * Where a plugin keeps its skills (or commands): the usual folder, and the paths that its plugin.json lists; null if that list is
 * invalid or too long.
 */
function pluginComponentPaths(root: string, folder: string, listed: unknown): readonly string[] | null {
  const paths = listed === undefined ? [] : Array.isArray(listed) ? listed : [listed];
  if (paths.length > MOST_FILES) return null;
  const places = [join(root, folder)];
  for (const path of paths) {
    if (typeof path !== 'string') return null;
    const place = join(root, path);
    if (!isInside(place, root)) return null;
    places.push(place);
  }
  return places;
}

function readJson(file: string): unknown {
  const read = readText(file);
  if (!read.ok) return null;
  try {
    return JSON.parse(read.text);
  } catch {
    // Not the expected format: nothing is known from it.
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? Object.fromEntries(Object.entries(value)) : {};
}
