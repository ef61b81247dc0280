/** Before `policy run` starts a runner: which files of the project name MCP servers that it would start, and which ones? */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../disk/json-text.js';
import { realPath } from '../../disk/real-path.js';
import { CLIENTS } from '../../install/mcp/clients.js';
import { gatewayMachine, type KnownMachine, whyUngoverned } from '../../install/mcp/own-gateway.js';
import { isRecorded } from '../../install/mcp/servers.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Launcher, ProjectServer, ProjectServers, ServerPlaces } from '../../runner/launch/launcher.js';
import { runnerNamed } from '../../runner/runners.js';
import { readSettingsFile } from '../surroundings/risky-settings.js';
import { type AgentServers, serversOfAgents } from './agent-servers.js';
import { isRemoteServer, serverStarts } from './server-start.js';

/**
 * Null if there is no such file, and no agent definition that names servers.
 * @param cwd the runner's working directory
 * @param definition the project's file of the agent as which the runner is started; null: no agent
 * @param machine proves which servers are behind our gateway; null: none is
 */
export function projectServers(
  launcher: Launcher,
  places: InstallPlaces,
  cwd: string,
  definition: string | null = null,
  machine: KnownMachine | null = null,
): ProjectServers | null {
  const where = launcher.serverPlaces;
  if (where === undefined) return null;
  const { key, format } = where;
  const own = ownPaths(launcher, where.own, places);
  const folders = foldersAbove(cwd, where.up);
  const files = folders
    .flatMap((folder) => where.files.map((file) => join(folder, file)))
    .filter((file) => existsSync(file) && !own.has(realPath(file) ?? file));
  const read: AgentServers[] = files.map((file) => ({
    file,
    found: serversIn(file, key, format, machine && ((at, entry) => isGoverned(launcher.id, machine, file, at, entry))),
  }));
  const { agents = [] } = where;
  if (agents.length > 0) {
    const below = folders.flatMap((folder) => agents.map((name) => join(folder, name)));
    read.push(...serversOfAgents(below, ownPaths(launcher, agents, places), definition));
  }
  const [first, ...more] = read;
  if (first === undefined) return null;
  const servers: ProjectServer[] = [];
  for (const { file, found } of read) {
    // A message names the first file.
    if (typeof found === 'string') return { files: [file], servers: [], own: [], unread: found };
    servers.push(...found);
  }
  const all = [first.file, ...more.map(({ file }) => file)] as const;
  return { files: all, servers, own: ownServers(own, key, format), unread: null };
}

/** Returns the folder itself, then those above it; outside of a repository all of them. */
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

/** Returns real paths. If a variable names another folder, no file below the home directory is regarded as the person's own. */
function ownPaths({ id }: Launcher, own: readonly string[], { home, environment }: InstallPlaces): ReadonlySet<string> {
  const variable = runnerNamed(id)?.places.user?.folderVariable;
  if (variable !== undefined && environment[variable]) return new Set();
  return new Set(own.map((path) => realPath(join(home, path)) ?? join(home, path)));
}

function ownServers(files: ReadonlySet<string>, key: string, format: ServerPlaces['format']): readonly string[] {
  return [...files].flatMap((file) => {
    const found = serversIn(file, key, format);
    return typeof found === 'string' ? [] : found.map(({ name }) => name);
  });
}

/** Whether the file contains nothing but servers. */
function isWhole(file: string): boolean {
  return basename(file) === '.mcp.json';
}

function wholeOf(all: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, JsonValue> {
  return new Map([...all].filter(([, one]) => one instanceof Map && (one.has('command') || one.has('url'))));
}

/** Returns the servers that a file names, or the reason why they cannot be determined. */
function serversIn(
  file: string,
  key: string,
  format: ServerPlaces['format'],
  proves: ((at: readonly string[], entry: JsonValue) => boolean) | null = null,
): readonly ProjectServer[] | string {
  const read = readSettingsFile(file, format);
  if (typeof read === 'string') return read;
  const all = read?.value;
  if (!(all instanceof Map)) return [];
  // Copilot CLI treats a file without the key as the map itself.
  const servers = all.has(key) ? all.get(key) : isWhole(file) ? wholeOf(all) : null;
  if (servers === undefined || servers === null) return [];
  if (!(servers instanceof Map)) return `has something other than a map as ${key}`;
  return [...(servers as ReadonlyMap<string, JsonValue>)].map(([name, server]) => {
    const at = [...(all.has(key) ? [key] : []), name];
    const isProven = proves?.(at, server) === true;
    const starts = serverStarts(server, isProven);
    return {
      ...{ name, file, line: read?.lineOf(at) ?? 1, starts },
      isRemote: isRemoteServer(server) || starts.length === 0,
      ...(isProven && { isGoverned: true }),
    };
  });
}

/** Whether a server is behind our gateway, and a person of this machine put it there. */
function isGoverned(id: Launcher['id'], machine: KnownMachine, file: string, at: readonly string[], entry: JsonValue): boolean {
  const client = CLIENTS.find(({ runner }) => runner === id);
  return (
    client !== undefined &&
    whyUngoverned(entry, client, gatewayMachine(machine)) === null &&
    isRecorded(machine.stateDirectory, realPath(file) ?? file, at, entry)
  );
}
