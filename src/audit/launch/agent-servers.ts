/**
 * MCP servers named in a project's agent definitions: a client starts the servers of an agent when it starts the agent, also as a
 * subagent (Claude Code 2.1.197, Copilot CLI 1.0.102, Qwen Code 0.24.4).
 */

import { join } from 'node:path';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { isFields } from '../../call/fields.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { isDirectory } from '../../disk/git/directory.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { parseLocated } from '../../policy/read/located.js';
import type { ProjectServer } from '../../runner/launch/launcher.js';
import { isRemoteServer, serverStart } from './server-start.js';

const MOST_ENTRIES = 2_000;
const MOST_DEPTH = 8;
/** The maximum number of UTF-16 units of all definitions together. */
const MOST_TEXT = 32 * 1024 * 1024;
/** The maximum number of UTF-16 units of front matter that has to be parsed. */
const MOST_YAML = 1024 * 1024;

export interface AgentServers {
  readonly file: string;
  /** The servers that it names, or the reason why they cannot be determined. */
  readonly found: readonly ProjectServer[] | string;
}

/**
 * Returns the definitions that name servers, and those for which that is unknown.
 * @param folders below which definitions are, at any depth that a client searches
 * @param own real paths of the person's own folders
 * @param launched one more definition; null: none
 */
export function serversOfAgents(
  folders: readonly string[],
  own: ReadonlySet<string>,
  launched: string | null,
): readonly AgentServers[] {
  const unread: AgentServers[] = [];
  const search = { entered: new Set(own), left: MOST_ENTRIES, unread };
  const files = new Set(folders.flatMap((folder) => definitionsBelow(folder, MOST_DEPTH, search)));
  if (launched !== null) files.add(launched);
  const budget = { text: MOST_TEXT, yaml: MOST_YAML };
  const named = [...files].flatMap((file) => {
    const found = serversOfAgent(file, budget);
    return typeof found === 'string' || found.length > 0 ? [{ file, found }] : [];
  });
  return [...unread, ...named];
}

interface Search {
  /** Real paths, since a symlink may lead in a circle. */
  readonly entered: Set<string>;
  readonly unread: AgentServers[];
  left: number;
}

/** Follows symlinks, as the clients do. */
function definitionsBelow(folder: string, depth: number, search: Search): readonly string[] {
  const real = realPath(folder) ?? folder;
  if (search.entered.has(real)) return [];
  search.entered.add(real);
  const entries = folderEntries(folder);
  const why = entries === null ? 'cannot be listed' : depth === 0 ? 'lies too deep' : null;
  if (why !== null) search.unread.push({ file: folder, found: `the folder ${why}` });
  if (entries === null || depth === 0) return [];
  const files: string[] = [];
  for (const entry of entries) {
    search.left -= 1;
    if (search.left < 0) {
      if (search.left === -1) search.unread.push({ file: folder, found: `more than ${MOST_ENTRIES} files` });
      break;
    }
    const path = join(folder, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path)))
      files.push(...definitionsBelow(path, depth - 1, search));
    else if (/\.md$/i.test(entry.name)) files.push(path);
  }
  return files.sort();
}

const NAMES_SERVERS = /mcp[-_]?servers/i;
/** Escapes that may replace a letter of that name between double quotes. */
const ESCAPED = /\\(?:[xuU]|\r?\n)/;

function serversOfAgent(file: string, budget: { text: number; yaml: number }): readonly ProjectServer[] | string {
  if (budget.text <= 0) return 'the earlier definitions are too large';
  const read = readText(file);
  if (!read.ok) return read.message;
  budget.text -= read.text.length;
  const split = splitFrontMatter(read.text);
  if (!split.ok) return mayHoldServers(read.text) && mayHaveFrontMatter(read.text) ? UNREAD : [];
  if (!mayHoldServers(split.yaml)) return [];
  budget.yaml -= split.yaml.length;
  if (budget.yaml < 0) return 'its front matter, or an earlier one, is too long';
  const yaml = parseLocated(split.yaml, 'yaml', true);
  if (!yaml.ok) return UNREAD;
  return [...namedIn(yaml.data)].map(([name, entries]) => ({
    ...{ name, file, isRemote: entries.every(isRemoteServer) },
    starts: entries.filter((entry) => !isRemoteServer(entry)).map(serverStart),
  }));
}

const UNREAD = 'its front matter cannot be read';

function mayHoldServers(text: string): boolean {
  return NAMES_SERVERS.test(text) || ESCAPED.test(text);
}

/** Some clients skip blank space and a byte order mark. */
function mayHaveFrontMatter(text: string): boolean {
  return /^\s*---/.test(text);
}

/**
 * Returns the servers by their names, from a map or from a list of such maps, in which a plain string names a server of other
 * settings. At any depth: a key may be merged into the top level from elsewhere (`<<`).
 */
function namedIn(data: unknown): ReadonlyMap<string, readonly unknown[]> {
  const named = new Map<string, unknown[]>();
  const seen = new Set<unknown>();
  const open: unknown[] = [data];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, inner] of Object.entries(value)) {
      open.push(inner);
      if (!NAMES_SERVERS.test(key)) continue;
      for (const map of [inner].flat().filter(isFields))
        for (const [name, entry] of Object.entries(map)) named.set(name, [...(named.get(name) ?? []), entry]);
    }
  }
  return named;
}
