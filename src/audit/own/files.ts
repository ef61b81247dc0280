/**
 * A person's own files that apply in every project: lists of MCP servers, and agent definitions. Only reads files; the parts of
 * `~/.claude.json` that are not lists of servers (histories, accounts) are left alone.
 */

import { basename, dirname, isAbsolute, join } from 'node:path';
import { agentFoldersOf } from '../../agent/folders.js';
import { isFields } from '../../call/fields.js';
import { traitsOf } from '../../call/traits.js';
import { namesIn } from '../../disk/folder-entries.js';
import { gitDirectory, repositoryTop } from '../../disk/git/directory.js';
import { type JsonParts, jsonParts } from '../../disk/json-parts.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import type { InstallPlaces } from '../../install/target.js';
import { findFiles, type SourceFile } from '../../lint/files/read-files.js';
import { type FileKind, fileKind } from '../../lint/places/file-kind.js';
import { readLooseJson } from '../../policy/read/loose-json.js';
import type { Runner } from '../../runner/hook/runner.js';
import { CLIENT } from '../claude-code/settings.js';
import { whyUnread } from '../model/unread.js';

/** A file with its absolute path, or its relevant part. */
export interface OwnFile {
  readonly file: string;
  /** In the form for lint, with the same line numbers. */
  readonly source: SourceFile;
}

export interface OwnFiles {
  readonly files: readonly OwnFile[];
  /** Existing files that could not be read, each in a sentence. */
  readonly unread: readonly string[];
}

/** Returns the person's own files that each of the runners reads, whatever the project. */
export function ownFiles(runners: readonly Runner[], places: InstallPlaces): OwnFiles {
  const found = [...runners.map((runner) => filesOf(runner, places)), ...runners.flatMap((runner) => stateOf(runner, places))];
  return { files: found.flatMap(({ files }) => files), unread: found.flatMap(({ unread }) => unread) };
}

function filesOf(runner: Runner, places: InstallPlaces): OwnFiles {
  const { ownFiles: known } = traitsOf(runner.id);
  // If the home directory is the project, these are files of the project.
  if (known === undefined || places.project === places.home) return NONE;
  const { folder, files, manifests } = known;
  const root = movedFolder(runner, folder, places) ?? join(places.home, folder);
  const definitions = agentFoldersOf(runner.id)
    .filter((one) => one.below !== 'project' && one.folder.startsWith(`${folder}/`))
    .map((one) => one.folder.slice(folder.length + 1));
  const found = findFiles(root, {
    kindOf: (path) => (path === 'config.json' ? fileKind(`${folder}/opencode.json`) : fileKind(`${folder}/${path}`)),
    isNamed: () => false,
    starts: [...files, ...(manifests === undefined ? [] : manifestsIn(root, manifests)), ...new Set(definitions)],
    followsFolders: true,
  });
  const read = found.files.map((source) => ({ file: join(root, source.path), source: followed(root, source) }));
  const unread = [
    ...read.flatMap(({ file, source }) => {
      const why = whyUnread(source);
      return why === null ? [] : [`${file}: ${why}`];
    }),
    ...found.incomplete.map(({ path, message }) => `${join(root, path)}: ${message}`),
  ];
  return { files: read.filter(({ source }) => source.text !== null), unread };
}

function manifestsIn(root: string, [folder, file]: readonly [string, string]): readonly string[] {
  return namesIn(join(root, folder)).map((name) => `${folder}/${name}/${file}`);
}

const NONE: OwnFiles = { files: [], unread: [] };

/** People keep their own settings elsewhere and symlink them. */
function followed(root: string, source: SourceFile): SourceFile {
  if (source.problem?.code.startsWith('read/link') !== true) return source;
  const read = readText(join(root, source.path));
  return read.ok ? { ...source, text: read.text, problem: null } : source;
}

/** Returns the folder to which a variable moves a runner's folder; null if none does. */
function movedFolder({ places: { user } }: Runner, folder: string, { environment }: InstallPlaces): string | null {
  const moved = user?.folderVariable === undefined ? undefined : environment[user.folderVariable];
  return moved !== undefined && isAbsolute(moved) ? join(moved, ...folder.split('/').slice(1)) : null;
}

/** The file also contains histories, and grows. */
const LARGEST_STATE = 32 * 1024 * 1024;
const SERVERS = 'mcpServers';
const MCP = fileKind('.mcp.json');

/** Returns Claude Code's servers for every project, its servers for this one, and those of the person's plugins. */
function stateOf(runner: Runner, places: InstallPlaces): readonly OwnFiles[] {
  if (runner.id !== CLIENT || MCP === null) return [];
  const folder = movedFolder(runner, '.claude', places);
  const root = folder ?? join(places.home, '.claude');
  // The first is a legacy file, which Claude Code uses instead of the other one if it exists; both are read here.
  const states = [join(root, '.config.json'), join(folder ?? places.home, '.claude.json')];
  return [
    ...states.map((file) => serversIn(file, MCP, (parts) => pathsOfState(parts, places.project))),
    ...enabledPlugins(root).flatMap((plugin) => [
      pluginServers(join(plugin, '.mcp.json'), MCP),
      serversIn(join(plugin, '.claude-plugin', 'plugin.json'), MCP, () => [[SERVERS]]),
    ]),
  ];
}

function pathsOfState(parts: JsonParts, project: string): readonly (readonly string[])[] {
  const checkouts = [project, ...mainCheckout(project)];
  const names = parts.namesAt(['projects']).filter((name) => checkouts.some((one) => isProject(name, one)));
  return [[SERVERS], ...names.map((name) => ['projects', name, SERVERS])];
}

/** Returns the servers below some keys of a JSON file, each list as a file of its own with the same line numbers. */
function serversIn(file: string, kind: FileKind, pathsOf: (parts: JsonParts) => readonly (readonly string[])[]): OwnFiles {
  const read = readText(file, { limit: LARGEST_STATE });
  if (!read.ok) return read.code === 'missing' ? NONE : { files: [], unread: [`${file} ${read.message}.`] };
  const parts = jsonParts(read.text);
  if (parts === null) return { files: [], unread: [`${file} is not valid JSON.`] };
  const lists = pathsOf(parts).flatMap((path) => parts.objectsAt(path).map((part) => ({ part, depth: path.length })));
  const files = lists.map(({ part, depth }): OwnFile => {
    const text = `{"${SERVERS}":${'\n'.repeat(part.line - 1)}${part.text}}`;
    return { file, source: { path: `${depth}.json`, kind, text, problem: null } };
  });
  return { files, unread: [] };
}

/** A plugin's list of servers may be below a key, or be the whole file. */
function pluginServers(file: string, kind: FileKind): OwnFiles {
  return serversIn(file, kind, (parts) => (parts.namesAt([]).includes(SERVERS) ? [[SERVERS]] : [[]]));
}

/** Returns the folders of plugins that the person's settings enable. */
function enabledPlugins(root: string): readonly string[] {
  const enabled = fieldsIn(join(root, 'settings.json'), 'enabledPlugins');
  return Object.entries(fieldsIn(join(root, 'plugins', 'installed_plugins.json'), 'plugins'))
    .filter(([name]) => enabled[name] === true)
    .flatMap(([, installed]) => (Array.isArray(installed) ? installed : [installed]))
    .flatMap((one: unknown) => {
      const path = isFields(one) ? one.installPath : null;
      return typeof path === 'string' && isAbsolute(path) ? [path] : [];
    });
}

/** Returns a map in a JSON file; empty if there is none. */
function fieldsIn(file: string, key: string): Readonly<Record<string, unknown>> {
  const read = readText(file);
  const { data } = read.ok ? readLooseJson(read.text.replace(/^\uFEFF/, '')) : { data: null };
  const value = isFields(data) ? data[key] : null;
  return isFields(value) ? value : {};
}

/** Returns the checkout that a linked worktree belongs to: Claude Code keeps servers for both under its path. */
function mainCheckout(project: string): readonly string[] {
  const top = repositoryTop(project);
  if (top === null) return [];
  const { folders, hazards } = gitDirectory(top);
  const common = folders[1];
  if (common === undefined || hazards.length > 0 || basename(common) !== '.git') return [];
  return [realPath(dirname(common)) ?? dirname(common)];
}

/** Claude Code knows projects by their paths as entered. */
function isProject(name: string, project: string): boolean {
  return isAbsolute(name) && (name === project || realPath(name) === project);
}
