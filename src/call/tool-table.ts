/** From the name in a call to what the tool is. The data stands in rules/tools. */
import { data, dataNames } from '../generated/data.js';
import { type McpName, parseMcpName } from './mcp-name.js';
import type { RunnerId } from './tool-call.js';
import type {
  CanonicalTool,
  McpNaming,
  RunnerAgent,
  RunnerTool,
  RunnerTools,
  SubjectField,
  ToolDescription,
  WideningInput,
} from './tool-data.js';

/** What a runner calls its tools. */
interface RunnerTable {
  readonly mcp: McpNaming;
  /** By the name as written and by its lower case. */
  readonly byName: ReadonlyMap<string, ToolDescription>;
  readonly tools: readonly RunnerTool[];
  readonly agents: readonly RunnerAgent[];
}

interface Catalogue {
  readonly canonical: readonly CanonicalTool[];
  /** Canonical names and their aliases; fields of all runners united. */
  readonly byName: ReadonlyMap<string, ToolDescription>;
  /** Names that only runners use, for calls that do not say which runner made them. */
  readonly foreign: ReadonlyMap<string, ToolDescription>;
  /** The tools of `byName`, for calls of a runner that ships no such tool. */
  readonly borrowed: ReadonlyMap<string, ToolDescription>;
  readonly runners: ReadonlyMap<string, RunnerTable>;
}

const CANONICAL = 'tools/canonical';
let loaded: Catalogue | null = null;

function catalogue(): Catalogue {
  loaded ??= load();
  return loaded;
}

/**
 * What is known of the tool `name` (claude-code.md §1.7, runners.md §4). Names compare without case; with a runner its own
 * names come first, and a name that the runner does not ship is never taken as harmless (an MCP server or a plugin may have
 * chosen it). Unknown: `known: false`, tier `dangerous`, no subjects.
 * @param name as the runner, or a person, wrote it
 */
export function describeTool(name: string, runner?: RunnerId): ToolDescription {
  const tools = catalogue();
  const table = runner === undefined ? undefined : tools.runners.get(runner);
  if (table === undefined)
    return find(tools.byName, name) ?? find(tools.foreign, name) ?? mcpTool(parseMcpName(name)) ?? unknownTool(name);
  return find(table.byName, name) ?? find(tools.borrowed, name) ?? mcpTool(parseMcpName(name, table.mcp)) ?? unknownTool(name);
}

function find(byName: ReadonlyMap<string, ToolDescription>, name: string): ToolDescription | undefined {
  return byName.get(name) ?? byName.get(name.toLowerCase());
}

/** A tool of an MCP server; the few servers that we know (`codex`) have their tools described. */
function mcpTool(mcp: McpName | null): ToolDescription | null {
  if (mcp === null) return null;
  const known = catalogue().byName.get(mcp.tool);
  if (known?.mcp?.server === mcp.server) return known;
  return { ...UNKNOWN, canonical: mcp.canonical, mcp: { server: mcp.server, tool: mcp.tool } };
}

const UNKNOWN: ToolDescription = {
  canonical: '',
  known: false,
  tier: 'dangerous',
  access: 'execute',
  harmless: false,
  subjects: [],
  widening: [],
  requires: null,
  mcp: null,
  directories: [],
  status: 'available',
};

function unknownTool(name: string): ToolDescription {
  return { ...UNKNOWN, canonical: name };
}

/** The canonical tools as rules/tools/canonical.yaml lists them. */
export function canonicalTools(): readonly CanonicalTool[] {
  return catalogue().canonical;
}

/** What a runner calls its tools, as its file of rules/tools lists them; empty for a runner without a file. */
export function runnerTools(runner: RunnerId): readonly RunnerTool[] {
  return catalogue().runners.get(runner)?.tools ?? [];
}

/** The agents that a runner ships, as its file of rules/tools lists them. */
export function runnerAgents(runner: RunnerId): readonly RunnerAgent[] {
  return catalogue().runners.get(runner)?.agents ?? [];
}

function load(): Catalogue {
  // The shapes are held by schemas/tool-catalogue.schema.json, which a test applies to every file.
  const { tools } = data(CANONICAL) as { tools: readonly CanonicalTool[] };
  const files = dataNames
    .filter((name) => name.startsWith('tools/') && name !== CANONICAL)
    .map((name) => data(name) as RunnerTools);
  const bases = new Map(tools.map((tool) => [tool.name, tool]));
  const entries = entriesByTool(files);
  const byName = new Map<string, ToolDescription>();
  const borrowed = new Map<string, ToolDescription>();
  for (const tool of tools) {
    const united = describe(tool, unite(tool, entries.get(tool.name) ?? []));
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      enter(byName, name, united);
      enter(borrowed, name, united.harmless ? { ...united, harmless: false } : united);
    }
  }
  const foreign = new Map<string, ToolDescription>();
  const runners = new Map<string, RunnerTable>();
  for (const file of files) {
    const own = new Map<string, ToolDescription>();
    for (const entry of file.tools) {
      const base = bases.get(entry.canonical ?? entry.name);
      if (base === undefined) continue;
      enter(own, entry.name, describe(base, entry));
      const united = find(borrowed, base.name);
      if (united && !find(byName, entry.name)) enter(foreign, entry.name, united);
    }
    runners.set(file.runner, { mcp: file.mcp, byName: own, tools: file.tools, agents: file.agents });
  }
  return { canonical: tools, byName, foreign, borrowed, runners };
}

function enter(map: Map<string, ToolDescription>, name: string, description: ToolDescription): void {
  map.set(name, description);
  map.set(name.toLowerCase(), description);
}

/** What a runner's entry, or the union of all entries, says about a tool. */
interface Inputs {
  readonly subjects?: readonly SubjectField[];
  readonly widening?: readonly WideningInput[];
  readonly directory?: string;
  readonly directories?: readonly string[];
}

function describe(tool: CanonicalTool, own: Inputs): ToolDescription {
  const directories = own.directories ?? [own.directory ?? tool.directory].filter((name) => name !== undefined);
  return {
    canonical: tool.name,
    known: true,
    tier: tool.tier,
    access: tool.access,
    harmless: tool.harmless ?? false,
    subjects: own.subjects ?? tool.subjects ?? [],
    widening: [...(tool.widening ?? []), ...(own.widening ?? [])],
    requires: tool.requires ?? null,
    mcp: tool.server === undefined ? null : { server: tool.server, tool: tool.name },
    directories,
    status: tool.status ?? 'available',
  };
}

/** What the runners' files say about each canonical tool. */
function entriesByTool(files: readonly RunnerTools[]): ReadonlyMap<string, readonly RunnerTool[]> {
  const found = new Map<string, RunnerTool[]>();
  for (const file of files) {
    for (const entry of file.tools) {
      const name = entry.canonical ?? entry.name;
      const known = found.get(name);
      if (known === undefined) found.set(name, [entry]);
      else known.push(entry);
    }
  }
  return found;
}

/** The inputs of a tool when nobody says which runner made the call: the fields of all runners are alternatives. */
function unite(tool: CanonicalTool, entries: readonly RunnerTool[]): Inputs {
  const fields = entries.flatMap((entry) => entry.subjects ?? []);
  const subjects = (tool.subjects ?? []).map((subject) => {
    const alike = fields.filter((other) => other.kind === subject.kind && other.access === subject.access);
    return { ...subject, fields: [...new Set([...subject.fields, ...alike.flatMap((other) => other.fields)])] };
  });
  const directories = [...entries.map((entry) => entry.directory), tool.directory].filter((name) => name !== undefined);
  return {
    subjects,
    widening: entries.flatMap((entry) => entry.widening ?? []),
    directories: [...new Set(directories)],
  };
}
