/** From the name in a call to what the tool is. The data stands in rules/tools. */
import { data, dataNames } from '../generated/data.js';
import { type McpName, parseMcpName } from './mcp-name.js';
import type { RunnerId } from './tool-call.js';
import type {
  CanonicalTool,
  RunnerAgent,
  RunnerTool,
  RunnerTools,
  SubjectField,
  ToolDescription,
  WideningInput,
} from './tool-data.js';

/** What a runner calls its tools. */
interface RunnerTable {
  readonly file: RunnerTools;
  /** The runner's own names, as written and in lower case. */
  readonly byName: ReadonlyMap<string, RunnerTool>;
  readonly described: Map<RunnerTool, ToolDescription>;
}

/** Everything is read and described when it is first asked for: a hook asks for one tool of one runner. */
interface Catalogue {
  readonly canonical: readonly CanonicalTool[];
  /** Canonical names and their aliases, as written and in lower case. */
  readonly byName: ReadonlyMap<string, CanonicalTool>;
  /** Fields of all runners united. */
  readonly united: Map<CanonicalTool, ToolDescription>;
  /** The same, for calls of a runner that ships no such tool: never harmless. */
  readonly borrowed: Map<CanonicalTool, ToolDescription>;
  readonly runners: Map<string, RunnerTable | null>;
  /** Names that only runners use, for calls that do not say which runner made them. */
  foreign: ReadonlyMap<string, CanonicalTool> | null;
  /** What the runners' files say about each canonical tool. */
  entries: ReadonlyMap<string, readonly RunnerTool[]> | null;
}

const FOLDER = 'tools/';
const CANONICAL = `${FOLDER}canonical`;
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
  const table = runner === undefined ? null : tableOf(runner);
  if (table === null) {
    const tool = find(catalogue().byName, name);
    const foreign = tool === undefined ? foreignTool(name) : undefined;
    return (tool && united(tool)) ?? (foreign && borrowed(foreign)) ?? mcpTool(parseMcpName(name)) ?? unknownTool(name);
  }
  const own = find(table.byName, name);
  const base = own && find(catalogue().byName, own.canonical ?? own.name);
  if (own && base) return memo(table.described, own, () => describe(base, own));
  const tool = find(catalogue().byName, name);
  return (tool && borrowed(tool)) ?? mcpTool(parseMcpName(name, table.file.mcp)) ?? unknownTool(name);
}

/** What a rule's tool name stands for, without its inputs; a tool that is not known has the canonical name of its own. */
export function identifyTool(name: string): Pick<ToolDescription, 'canonical' | 'known' | 'mcp'> {
  const tool = find(catalogue().byName, name) ?? foreignTool(name);
  if (tool) return { canonical: tool.name, known: true, mcp: serverOf(tool) };
  return mcpTool(parseMcpName(name)) ?? unknownTool(name);
}

/** The canonical tool of a name that only some runner uses. */
function foreignTool(name: string): CanonicalTool | undefined {
  // Those of MCP servers' tools are never among them.
  if (name.startsWith('mcp__')) return undefined;
  const tools = catalogue();
  tools.foreign ??= foreignNames(tools);
  return find(tools.foreign, name);
}

function find<Value>(byName: ReadonlyMap<string, Value>, name: string): Value | undefined {
  return byName.get(name) ?? byName.get(name.toLowerCase());
}

function memo<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** A tool of an MCP server; the few servers that we know (`codex`) have their tools described. */
function mcpTool(mcp: McpName | null): ToolDescription | null {
  if (mcp === null) return null;
  const known = catalogue().byName.get(mcp.tool);
  if (known?.server !== undefined && known.server === mcp.server) return united(known);
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

/** The canonical tool of exactly that name. */
export function canonicalTool(name: string): CanonicalTool | undefined {
  const tool = catalogue().byName.get(name);
  return tool?.name === name ? tool : undefined;
}

/** What a runner calls its tools, as its file of rules/tools lists them; empty for a runner without a file. */
export function runnerTools(runner: RunnerId): readonly RunnerTool[] {
  return tableOf(runner)?.file.tools ?? [];
}

/** The agents that a runner ships, as its file of rules/tools lists them. */
export function runnerAgents(runner: RunnerId): readonly RunnerAgent[] {
  return tableOf(runner)?.file.agents ?? [];
}

function load(): Catalogue {
  // The shapes are held by schemas/tool-catalogue.schema.json, which a test applies to every file.
  const { tools } = data(CANONICAL) as { tools: readonly CanonicalTool[] };
  const byName = new Map<string, CanonicalTool>();
  for (const tool of tools) for (const name of [tool.name, ...(tool.aliases ?? [])]) enter(byName, name, tool);
  return {
    canonical: tools,
    byName,
    united: new Map(),
    borrowed: new Map(),
    runners: new Map(),
    foreign: null,
    entries: null,
  };
}

function runnerFiles(): RunnerTools[] {
  const names = dataNames().filter((name) => name.startsWith(FOLDER) && name !== CANONICAL);
  return names.map((name) => data(name) as RunnerTools);
}

function tableOf(runner: RunnerId): RunnerTable | null {
  return memo(catalogue().runners, runner, () => {
    const file = data(FOLDER + runner) as RunnerTools | undefined;
    if (file === undefined) return null;
    const byName = new Map<string, RunnerTool>();
    for (const entry of file.tools) enter(byName, entry.name, entry);
    return { file, byName, described: new Map() };
  });
}

function foreignNames({ byName }: Catalogue): ReadonlyMap<string, CanonicalTool> {
  const foreign = new Map<string, CanonicalTool>();
  for (const file of runnerFiles()) {
    for (const entry of file.tools) {
      const base = find(byName, entry.canonical ?? entry.name);
      if (base && !find(byName, entry.name)) enter(foreign, entry.name, base);
    }
  }
  return foreign;
}

function enter<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value);
  map.set(name.toLowerCase(), value);
}

function united(tool: CanonicalTool): ToolDescription {
  const tools = catalogue();
  return memo(tools.united, tool, () => {
    tools.entries ??= entriesByTool(runnerFiles());
    return describe(tool, unite(tool, tools.entries.get(tool.name) ?? []));
  });
}

/** A name that the calling runner does not ship is never taken as harmless. */
function borrowed(tool: CanonicalTool): ToolDescription {
  return memo(catalogue().borrowed, tool, () => {
    const description = united(tool);
    return description.harmless ? { ...description, harmless: false } : description;
  });
}

function serverOf(tool: CanonicalTool): ToolDescription['mcp'] {
  return tool.server === undefined ? null : { server: tool.server, tool: tool.name };
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
    mcp: serverOf(tool),
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
