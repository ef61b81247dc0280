/**
 * The agents that Claude Code's plugins bring: named `plugin:agent` in payloads, so found by that name and by no other. What is
 * installed stands in `~/.claude/plugins/installed_plugins.json` (`plugins: { "NAME@MARKET": [{ installPath }] }`, as clients of
 * 2026 write it); where that file is missing or looks different, plugin agents stay unknown, and unknown agents are asked about.
 */
import { isAbsolute, join, relative } from 'node:path';
import { isInside } from './inside.js';
import { readText } from './read-file.js';

/** A plugin as far as its agents go. */
export interface Plugin {
  /** What its agents' names begin with. */
  readonly name: string;
  /** Folder of its agents, and files named by its manifest instead; all absolute and inside the plugin. */
  readonly folder: string | null;
  readonly files: readonly string[];
}

export interface FoundPlugins {
  readonly plugins: readonly Plugin[];
  /** Absolute paths of all files that were looked for. */
  readonly sources: readonly string[];
}

const MOST_PLUGINS = 256;
const MOST_FILES = 256;

/** The plugins installed for the user of `home`; nothing throws. */
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
      const manifest = join(installPath, '.claude-plugin', 'plugin.json');
      sources.push(manifest);
      plugins.push({ name, ...agentsOf(installPath, fieldsOf(readJson(manifest)).agents) });
    }
  }
  return { plugins, sources };
}

/** The manifest's list of files takes the place of the folder `agents` (plugins reference). */
function agentsOf(root: string, listed: unknown): Pick<Plugin, 'folder' | 'files'> {
  if (listed === undefined) return { folder: join(root, 'agents'), files: [] };
  const files = (Array.isArray(listed) ? listed : [listed]).slice(0, MOST_FILES).flatMap((file: unknown) => {
    const path = typeof file === 'string' ? join(root, file) : root;
    return isInside(path, root) && relative(root, path) !== '' ? [path] : [];
  });
  return { folder: null, files };
}

function readJson(file: string): unknown {
  const read = readText(file);
  if (!read.ok) return null;
  try {
    return JSON.parse(read.text);
  } catch {
    // Not the file that it should be: nothing is known from it.
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
}
