/** Before `policy run` starts a runner: which files of the project name MCP servers that it would start, and which ones? */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPath } from '../../enforce/facts/real-path.js';
import type { JsonValue } from '../../enforce/install/json-text.js';
import type { InstallPlaces } from '../../enforce/install/target.js';
import type { Launcher, ProjectServer, ProjectServers, ServerPlaces } from '../../runner/launch/launcher.js';
import { runnerNamed } from '../../runner/registry.js';
import { readSettingsFile } from '../risky-settings.js';

/** Null: no such file is there. @param cwd where the runner works */
export function projectServers(launcher: Launcher, places: InstallPlaces, cwd: string): ProjectServers | null {
  const where = launcher.serverPlaces;
  if (where === undefined) return null;
  const own = ownFiles(launcher, where, places);
  const [first, ...more] = foldersAbove(cwd, where.up)
    .flatMap((folder) => where.files.map((file) => join(folder, file)))
    .filter((file) => existsSync(file) && !own.has(realPath(file) ?? file));
  if (first === undefined) return null;
  const files = [first, ...more] as const;
  if (where.key === null) return { files, servers: [], own: [], unread: null };
  const servers: ProjectServer[] = [];
  for (const file of files) {
    const found = serversIn(file, where.key, where.format);
    // The first file is the one that a message names.
    if (typeof found === 'string') return { files: [file], servers: [], own: [], unread: found };
    servers.push(...found);
  }
  return { files, servers, own: ownServers(own, where.key, where.format), unread: null };
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

/** What a file names, or why that cannot be told. */
function serversIn(file: string, key: string, format: ServerPlaces['format']): readonly ProjectServer[] | string {
  const read = readSettingsFile(file, format);
  if (typeof read === 'string') return read;
  const all = read?.value;
  if (!(all instanceof Map)) return [];
  // Copilot CLI takes a file without the key for the map itself.
  const servers = all.has(key) ? all.get(key) : isWhole(file) ? all : null;
  if (servers === undefined || servers === null) return [];
  if (!(servers instanceof Map)) return `has something else than a map as ${key}`;
  return [...(servers as ReadonlyMap<string, JsonValue>)].map(([name, server]) => ({
    ...{ name, file },
    isRemote: server instanceof Map && server.has('url') && !server.has('command'),
  }));
}
