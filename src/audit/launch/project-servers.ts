/** Before `policy run` starts a runner: which files of the project name MCP servers that it would start, and which ones? */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { realPath } from '../../enforce/facts/real-path.js';
import { readText } from '../../enforce/files/read.js';
import type { JsonValue } from '../../enforce/install/json-text.js';
import type { InstallPlaces } from '../../enforce/install/target.js';
import { parseLocated } from '../../policy/read/located.js';
import type { Launcher, ProjectServer, ProjectServers, ServerPlaces } from '../../runner/launch/launcher.js';
import { isFields } from '../../runner/payload.js';
import { runnerNamed } from '../../runner/registry.js';
import { readSettingsFile } from '../risky-settings.js';

/**
 * Null: no such file is there.
 * @param cwd where the runner works
 * @param definition the project's file of the agent that the runner is started as; null: it is started as none
 */
export function projectServers(
  launcher: Launcher,
  places: InstallPlaces,
  cwd: string,
  definition: string | null = null,
): ProjectServers | null {
  const where = launcher.serverPlaces;
  if (where === undefined) return null;
  const { key, format } = where;
  const own = ownFiles(launcher, where, places);
  const files = foldersAbove(cwd, where.up)
    .flatMap((folder) => where.files.map((file) => join(folder, file)))
    .filter((file) => existsSync(file) && !own.has(realPath(file) ?? file));
  const read = files.map((file) => ({ file, found: key === null ? [] : serversIn(file, key, format) }));
  if (where.inAgents && definition !== null) {
    const found = serversOfAgent(definition);
    if (typeof found === 'string' || found.length > 0) read.push({ file: definition, found });
  }
  const [first, ...more] = read;
  if (first === undefined) return null;
  const servers: ProjectServer[] = [];
  for (const { file, found } of read) {
    // The first file is the one that a message names.
    if (typeof found === 'string') return { files: [file], servers: [], own: [], unread: found };
    servers.push(...found);
  }
  const all = [first.file, ...more.map(({ file }) => file)] as const;
  return { files: all, servers, own: key === null ? [] : ownServers(own, key, format), unread: null };
}

/** The folder itself, then those above it; outside of a repository all of them. */
function foldersAbove(cwd: string, up: ServerPlaces['up']): readonly string[] {
  const folders = [cwd];
  if (up === 'nowhere') return folders;
  for (let at = cwd; at !== dirname(at); ) {
    if (up === 'repository' && existsSync(join(at, '.git'))) break;
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

/** Real paths. With a variable that names another folder, what lies below the home folder is nobody's own. */
function ownFiles({ id }: Launcher, { own }: ServerPlaces, { home, environment }: InstallPlaces): ReadonlySet<string> {
  const variable = runnerNamed(id)?.places.user?.folderVariable;
  if (variable !== undefined && environment[variable]) return new Set();
  return new Set(own.map((file) => realPath(join(home, file)) ?? join(home, file)));
}

function ownServers(files: ReadonlySet<string>, key: string, format: ServerPlaces['format']): readonly string[] {
  return [...files].flatMap((file) => {
    const found = serversIn(file, key, format);
    return typeof found === 'string' ? [] : found.map(({ name }) => name);
  });
}

/** A file of nothing but servers. */
function isWhole(file: string): boolean {
  return basename(file) === '.mcp.json';
}

function wholeOf(all: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, JsonValue> {
  return new Map([...all].filter(([, one]) => one instanceof Map && (one.has('command') || one.has('url'))));
}

/** What a file names, or why that cannot be told. */
function serversIn(file: string, key: string, format: ServerPlaces['format']): readonly ProjectServer[] | string {
  const read = readSettingsFile(file, format);
  if (typeof read === 'string') return read;
  const all = read?.value;
  if (!(all instanceof Map)) return [];
  // Copilot CLI takes a file without the key for the map itself.
  const servers = all.has(key) ? all.get(key) : isWhole(file) ? wholeOf(all) : null;
  if (servers === undefined || servers === null) return [];
  if (!(servers instanceof Map)) return `has something else than a map as ${key}`;
  return [...(servers as ReadonlyMap<string, JsonValue>)].map(([name, server]) => ({
    ...{ name, file },
    isRemote: server instanceof Map && server.has('url') && !server.has('command'),
  }));
}

/** What the front matter of an agent names: a map, or a list in which a plain name is a server of somebody else's settings. */
function serversOfAgent(file: string): readonly ProjectServer[] | string {
  const read = readText(file);
  if (!read.ok) return read.message;
  const split = splitFrontMatter(read.text);
  // A key in quotes may spell a letter by its number.
  const isSpelt = (split.ok ? split.yaml : read.text).includes('\\');
  if (!isSpelt && !NAMES_SERVERS.test(read.text)) return [];
  const yaml = split.ok ? parseLocated(split.yaml, 'yaml', true) : null;
  if (yaml === null || !yaml.ok) return 'its front matter cannot be read';
  const { data } = yaml;
  if (!isFields(data)) return [];
  const named = Object.keys(data).filter((key) => NAMES_SERVERS.test(key));
  const maps = named.flatMap((key) => data[key]).filter(isFields);
  return maps.flatMap(Object.keys).map((name) => ({ name, file, isRemote: false }));
}

const NAMES_SERVERS = /mcp[-_]?servers/i;
