/**
 * A person's own files that count in every project: lists of MCP servers, and definitions of agents. Reads files only; what is no list of
 * servers in `~/.claude.json` (histories, accounts) is left where it is.
 */
import { isAbsolute, join } from 'node:path';
import type { RunnerId } from '../../call/tool-call.js';
import { realPath } from '../../enforce/facts/real-path.js';
import { readText } from '../../enforce/files/read.js';
import { jsonParts } from '../../enforce/install/json-parts.js';
import type { InstallPlaces } from '../../enforce/install/target.js';
import { fileKind } from '../../lint/file-kind.js';
import { findFiles, type SourceFile } from '../../lint/read-files.js';
import type { Runner } from '../../runner/runner.js';

/** A file by its absolute path, or what matters of it. */
export interface OwnFile {
  readonly file: string;
  /** As lint takes it, at the same lines. */
  readonly source: SourceFile;
}

export interface OwnFiles {
  readonly files: readonly OwnFile[];
  /** Files that are there and say nothing, each in a sentence. */
  readonly unread: readonly string[];
}

/** The folder of each runner in the home folder, and the files in it that name MCP servers. */
const FOLDERS: Readonly<Partial<Record<RunnerId, { readonly folder: string; readonly files: readonly string[] }>>> = {
  'claude-code': { folder: '.claude', files: [] },
  codex: { folder: '.codex', files: ['config.toml'] },
  'gemini-cli': { folder: '.gemini', files: ['settings.json'] },
  'qwen-code': { folder: '.qwen', files: ['settings.json'] },
  'copilot-cli': { folder: '.copilot', files: ['mcp-config.json'] },
  cursor: { folder: '.cursor', files: ['mcp.json'] },
  opencode: { folder: '.config/opencode', files: ['opencode.json', 'opencode.jsonc'] },
};

/** What each of the runners reads of the person's own, whatever the project. */
export function ownFiles(runners: readonly Runner[], places: InstallPlaces): OwnFiles {
  const found = [...runners.map((runner) => filesOf(runner, places)), ...runners.flatMap((runner) => stateOf(runner, places))];
  return { files: found.flatMap(({ files }) => files), unread: found.flatMap(({ unread }) => unread) };
}

function filesOf(runner: Runner, places: InstallPlaces): OwnFiles {
  const known = FOLDERS[runner.id];
  // In the home folder itself these are files of the project.
  if (known === undefined || places.project === places.home) return NONE;
  const { folder, files } = known;
  const root = movedFolder(runner, folder, places) ?? join(places.home, folder);
  const definitions = runner.agentFolders
    .filter((one) => one.below !== 'project' && one.folder.startsWith(`${folder}/`))
    .map((one) => one.folder.slice(folder.length + 1));
  const found = findFiles(root, {
    kindOf: (path) => fileKind(`${folder}/${path}`),
    isNamed: () => false,
    starts: [...files, ...new Set(definitions)],
  });
  const read = found.files.map((source) => ({ file: join(root, source.path), source: followed(root, source) }));
  const unread = read.flatMap(({ file, source: { text, problem } }) =>
    text === null && problem !== null ? [`${file}: ${problem.message}`] : [],
  );
  return { files: read.filter(({ source }) => source.text !== null), unread };
}

const NONE: OwnFiles = { files: [], unread: [] };

/** People keep their own settings elsewhere and link to them. */
function followed(root: string, source: SourceFile): SourceFile {
  if (source.problem?.code !== 'read/link') return source;
  const read = readText(join(root, source.path));
  return read.ok ? { ...source, text: read.text, problem: null } : source;
}

/** Where a variable moves a runner's folder; null where none does. */
function movedFolder({ places: { user } }: Runner, folder: string, { environment }: InstallPlaces): string | null {
  const moved = user?.folderVariable === undefined ? undefined : environment[user.folderVariable];
  return moved !== undefined && isAbsolute(moved) ? join(moved, ...folder.split('/').slice(1)) : null;
}

/** It holds histories, too, and grows. */
const LARGEST_STATE = 32 * 1024 * 1024;
const SERVERS = 'mcpServers';
const MCP = fileKind('.mcp.json');

/** The servers of Claude Code for every project, and those that it keeps for this one. */
function stateOf(runner: Runner, places: InstallPlaces): readonly OwnFiles[] {
  if (runner.id !== 'claude-code' || MCP === null) return [];
  const file = join(movedFolder(runner, '.claude', places) ?? places.home, '.claude.json');
  const read = readText(file, { limit: LARGEST_STATE });
  if (!read.ok) return read.code === 'missing' ? [] : [{ files: [], unread: [`${file} ${read.message}.`] }];
  const parts = jsonParts(read.text);
  if (parts === null) return [{ files: [], unread: [`${file} is not valid JSON.`] }];
  const names = parts.namesAt(['projects']).filter((name) => isProject(name, places.project));
  const lists = [[SERVERS], ...names.map((name) => ['projects', name, SERVERS])];
  const files = lists.flatMap((path): OwnFile[] => {
    const part = parts.objectAt(path);
    if (part === null) return [];
    const text = `{"${SERVERS}":${'\n'.repeat(part.line - 1)}${part.text}}`;
    return [{ file, source: { path: `${path.length}.json`, kind: MCP, text, problem: null } }];
  });
  return [{ files, unread: [] }];
}

/** It knows projects by their paths as they were entered. */
function isProject(name: string, project: string): boolean {
  return isAbsolute(name) && (name === project || realPath(name) === project);
}
