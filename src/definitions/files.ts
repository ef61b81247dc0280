/** Finds and reads agent definitions of the project and of the user, within limits; an unreadable file is reported as such. */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type AgentDefinition, COMMON_DIALECT, type Dialect } from '../agent/agent.js';
import { type AgentOrigin, parseAgent } from '../agent/dialects/parse.js';
import { explainsAgents } from '../agent/explaining-file.js';
import { type AgentFolder, allAgentFolders } from '../agent/folders.js';
import type { RunnerId } from '../call/tool-call.js';
import { isDirectory, realOrSelf } from '../disk/git/directory.js';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';
import type { PolicyNote } from '../policy/policy.js';
import { isReadBy } from './known-agents.js';
import { type FoundPlugins, installedPlugins } from './plugin-agents.js';

/** A folder of definitions, and the only runner that reads it if it is in that runner's own format. */
interface AgentRoot extends Omit<AgentFolder, 'dialect'> {
  readonly dialect: Dialect;
  readonly runner?: RunnerId;
}

/** Formats that several runners read come first: if a name occurs twice in one folder, the first definition applies. */
const ROOTS: readonly AgentRoot[] = [
  ...allAgentFolders().flatMap(({ runner: _, dialect, ...folder }) => (dialect === null ? [] : [{ ...folder, dialect }])),
  // It is unknown whether a runner reads subfolders for its own format; a definition found unnecessarily only restricts.
  ...allAgentFolders().flatMap((folder) => (folder.dialect === null ? [{ ...folder, dialect: COMMON_DIALECT }] : [])),
];

/** The format of plugin agents. */
const PLUGINS = { dialect: COMMON_DIALECT } as const;

const MAX_FILES = 2_000;
/**
 * The maximum cost of all definitions of the project, and of all of the user: their UTF-16 units, with those that a parser reads
 * weighted. A megabyte of YAML keys takes over a second; a definition contains a few hundred units of them.
 */
const MAX_COST = 32 * 1024 * 1024;
const COST = { yaml: 16, whole: 8 };

/** The definitions, and everything on disk that the result depends on. */
export interface FoundAgents {
  /** Those of the project come first; an unreadable file is an invalid definition named after the file. */
  readonly definitions: readonly AgentDefinition[];
  /** Absolute paths of all folders that were searched (including missing ones) and of all files that were read. */
  readonly sources: readonly string[];
  /** Folders that were not searched, one sentence each. */
  readonly notes: readonly PolicyNote[];
  /** Absolute paths of the folders that were searched for but do not exist. */
  readonly missing: readonly string[];
}

/**
 * Returns every agent definition of the project and of the user. Everything left out is reported; never throws.
 * @param runner searches only where this runner does; null: everywhere
 */
export function readAgents(project: string, home: string, runner: RunnerId | null): FoundAgents {
  const search = new Search();
  const isLookedInto = (root: Pick<AgentRoot, 'dialect' | 'runner'>) => runner === null || isReadBy(root, runner);
  const roots = ROOTS.filter(isLookedInto);
  const budgets = { project: { left: MAX_COST }, user: { left: MAX_COST } };
  for (const root of roots) if (root.below !== 'home') search.readRoot(project, root, 'project', budgets.project);
  for (const root of roots) if (root.below !== 'project') search.readRoot(home, root, 'user', budgets.user);
  if (isLookedInto(PLUGINS)) search.readPlugins(installedPlugins(home));
  const { definitions, sources, notes, missing } = search;
  return { definitions, sources: [...sources], notes: [...notes.values()], missing: [...missing] };
}

interface Budget {
  left: number;
}

function costOf(path: string, text: string): number {
  if (!/\.(?:md|markdown)$/i.test(path)) return text.length * COST.whole;
  const end = text.indexOf('\n---');
  return text.length + (end < 0 ? text.length : end) * COST.yaml;
}

class Search {
  readonly definitions: AgentDefinition[] = [];
  readonly sources = new Set<string>();
  readonly notes = new Map<string, PolicyNote>();
  readonly missing = new Set<string>();

  /** Each root has its own limit: a project with very many files must not hide the user's definitions. */
  readRoot(base: string, root: AgentRoot, scope: 'project' | 'user', budget: Budget): void {
    const files = this.filesBelow(join(base, root.folder), root.depth, root.extensions);
    if (files.length > MAX_FILES)
      this.skip(join(base, root.folder), `holds more than ${MAX_FILES} agent definitions; the others are not known`);
    for (const path of files.slice(0, MAX_FILES)) {
      if (this.isSpent(budget, join(base, root.folder))) break;
      const file = scope === 'project' ? relative(base, path) : path;
      const { dialect, runner } = root;
      const definition = this.read(path, { file, dialect, scope, ...(runner !== undefined && { runner }) }, budget);
      if (definition === null) continue;
      this.definitions.push(scope === 'project' && leadsOutside(path, base) ? withError(definition, OUTSIDE) : definition);
    }
  }

  /** Plugin agents are treated as the user's, under the names that payloads use for them. */
  readPlugins({ plugins, sources }: FoundPlugins): void {
    for (const source of sources) this.sources.add(source);
    const budget = { left: MAX_COST };
    for (const { name, root, folder, files } of plugins) {
      for (const path of folder === null ? files : this.filesBelow(folder, 8, ['.md']).slice(0, MAX_FILES)) {
        if (this.isSpent(budget, root)) break;
        const definition = this.read(path, { file: path, ...PLUGINS, scope: 'user' }, budget);
        if (definition === null) continue;
        this.definitions.push({
          ...definition,
          name: `${name}:${definition.name}`,
          rawName: `${name}:${definition.rawName}`,
        });
      }
    }
  }

  private isSpent({ left }: Budget, folder: string): boolean {
    if (left > 0) return false;
    this.skip(folder, 'or the folders before it hold larger agent definitions than are read; the others are not known');
    return true;
  }

  /**
   * Reads a definition; an unreadable file is a definition that blocks the calls of the agent that it is named after. Null: the
   * file only explains others.
   */
  private read(path: string, origin: AgentOrigin, budget: Budget): AgentDefinition | null {
    this.sources.add(path);
    const text = readText(path);
    budget.left -= text.ok ? costOf(path, text.text) : 0;
    if (text.ok) return explainsAgents(origin.file, text.text) ? null : parseAgent(text.text, origin);
    return withError(parseAgent('', origin), { ...text, code: UNREAD });
  }

  /** Returns files with one of the extensions, including those behind symlinks; a folder that is reached twice is entered once. */
  private filesBelow(folder: string, depth: number, extensions: readonly string[], entered = new Set<string>()): string[] {
    this.sources.add(folder);
    const real = realOrSelf(folder);
    if (entered.has(real)) return [];
    entered.add(real);
    const files: string[] = [];
    for (const entry of this.entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) this.sources.add(path);
      if (entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path))) {
        if (depth > 1) files.push(...this.filesBelow(path, depth - 1, extensions, entered));
      } else if (extensions.some((extension) => entry.name.toLowerCase().endsWith(extension))) files.push(path);
      if (files.length > MAX_FILES) break;
    }
    return files.sort();
  }

  private entriesOf(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      if (code === 'ENOTDIR' && existsSync(folder)) this.skip(folder, 'is a file, not a folder of agent definitions');
      else if (code === 'ENOENT' || code === 'ENOTDIR') this.missing.add(folder);
      else this.skip(folder, `cannot be listed (${code}); agent definitions in it are not known`);
      return [];
    }
  }

  private skip(folder: string, why: string): void {
    this.notes.set(folder, { code: 'agent/not-looked-into', message: `${folder} ${why}: their calls are asked about.` });
  }
}

const OUTSIDE = { code: 'leads-outside', message: 'is a link that leads out of the project; put a copy in its place' };

function leadsOutside(path: string, project: string): boolean {
  return !isInside(realOrSelf(path), project);
}

const UNREAD = 'unread';

/** Whether only the file name of a definition is known. */
export function isUnread({ errors }: AgentDefinition): boolean {
  return errors.some(({ code }) => code === `agent/${UNREAD}`);
}

/** Marks a definition as invalid, with this as the only reason. */
function withError(
  definition: AgentDefinition,
  { code, message }: { readonly code: string; readonly message: string },
): AgentDefinition {
  const { file } = definition.source;
  const error = { code: `agent/${code}`, message: `${file} ${message}.`, source: { file, line: 1, column: 1 } };
  return { ...definition, status: 'invalid', errors: [error] };
}
