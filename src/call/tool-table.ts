/** Looks up a tool's description by the name in a call. The data is in rules/tools. */
import { data, member } from '../generated/data.js';
import { type McpName, parseMcpName, writtenMcpName } from './mcp-name.js';
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

/** Descriptions already created. Everything is read on first use: a hook asks for one tool of one runner. */
const described = new Map<RunnerTool, ToolDescription>();
/** Descriptions that combine the fields of all runners. */
const unitedTools = new Map<CanonicalTool, ToolDescription>();
/** Like `unitedTools`, for calls of a runner that does not provide the tool: never harmless. */
const borrowedTools = new Map<CanonicalTool, ToolDescription>();

const FOLDER = 'tools/';
const CANONICAL = `${FOLDER}canonical`;

/** The tool with that name or alias in a file of rules/tools; case is ignored. No two names differ only in case. */
function toolOf<Tool>(file: string, name: string): Tool | undefined {
  const found = member(`#${file}`, name.toLowerCase()) as Tool | { readonly alias: string } | undefined;
  const isAlias = typeof found === 'object' && found !== null && 'alias' in found;
  return isAlias ? (member(`#${file}`, found.alias) as Tool | undefined) : (found as Tool | undefined);
}

const canonicalNamed = (name: string) => toolOf<CanonicalTool>(CANONICAL, name);

/**
 * Describes the tool `name`. Names are compared without case. With a runner, its own names come first, and a name that the runner
 * does not provide is never treated as harmless (an MCP server or a plugin may have chosen it). Unknown tools have `known:
 * false`, tier `dangerous`, and no subjects.
 * @param name as written by the runner or a person
 */
export function describeTool(name: string, runner?: RunnerId): ToolDescription {
  const file = runner === undefined ? undefined : (data(`#${FOLDER}${runner}`) as RunnerHead | undefined);
  if (file === undefined) {
    const tool = canonicalNamed(name);
    const stranger = tool === undefined ? foreignTool(name) : undefined;
    return (tool && united(tool)) ?? (stranger && borrowed(stranger)) ?? mcpTool(parseMcpName(name)) ?? unknownTool(name);
  }
  const own = toolOf<RunnerTool>(`${FOLDER}${runner}`, name);
  const base = own && canonicalNamed(own.canonical ?? own.name);
  if (own && base) return rememberedOr(described, own, () => describe(base, own));
  const tool = canonicalNamed(name);
  return (tool && borrowed(tool)) ?? mcpTool(parseMcpName(name, file.mcp)) ?? unknownTool(name);
}

/** A file of rules/tools without its lists. */
type RunnerHead = Pick<RunnerTools, 'mcp'>;

/** The tool that a rule's tool name stands for, without its inputs; an unknown tool's own name is its canonical name. */
export function identifyTool(name: string): Pick<ToolDescription, 'canonical' | 'known' | 'mcp'> {
  if (reach?.names.has(name)) {
    const server = reach.served.get(name);
    return { canonical: name, known: true, mcp: server === undefined ? null : { server, tool: name } };
  }
  const tool = canonicalNamed(name) ?? foreignTool(name);
  if (tool) return { canonical: tool.name, known: true, mcp: serverOf(tool) };
  return mcpTool(parseMcpName(name)) ?? unknownTool(name);
}

/** The canonical tool for a name that only some runner uses. */
function foreignTool(name: string): CanonicalTool | undefined {
  // Names of MCP tools are never among them.
  if (name.startsWith('mcp__')) return undefined;
  const found = member('#foreign', name.toLowerCase()) as { readonly tool: string } | undefined;
  return found && canonicalNamed(found.tool);
}

/** The value of a key, created on first use. */
function rememberedOr<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** A tool of an MCP server; the tools of the few known servers (`codex`) are described. */
function mcpTool(mcp: McpName | null): ToolDescription | null {
  if (mcp === null) return null;
  const known = canonicalNamed(mcp.tool);
  if (known?.server !== undefined && known.server === mcp.server && isNamed(known, mcp.tool)) return united(known);
  return { ...UNKNOWN, canonical: mcp.canonical, mcp: { server: mcp.server, tool: mcp.tool } };
}

/** MCP servers distinguish their tools by case; a description applies to the name as written, and to its lower-case form. */
function isNamed({ name, aliases = [] }: CanonicalTool, written: string): boolean {
  return [name, ...aliases].some((one) => one === written || one.toLowerCase() === written);
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
  // A test validates every file with schemas/tool-catalogue.schema.json, which guarantees the types.
  return (data(CANONICAL) as { tools: readonly CanonicalTool[] }).tools;
}

/** Which tools are covered by rules about other tools, according to the catalogue. */
export interface ToolEffects {
  readonly names: ReadonlySet<string>;
  /**
   * By the tool that a rule names: the tools that it covers whatever its effect, and those that it covers in addition when it
   * asks or denies.
   */
  readonly any: ReadonlyMap<string, readonly string[]>;
  readonly restrict: ReadonlyMap<string, readonly string[]>;
  /** Tools of known MCP servers, with their server. */
  readonly served: ReadonlyMap<string, string>;
  /** Tools that run a command line. */
  readonly shells: readonly string[];
}

let reach: ToolEffects | null = null;

/** The inverted catalogue, created by the build (`.ci/rules-data.mjs`): one short entry instead of those of all tools. */
export function toolEffects(): ToolEffects {
  if (reach !== null) return reach;
  const { names, any, restrict, served, shells } = data('#reach') as {
    readonly [List in 'names' | 'shells']: readonly string[];
  } & { readonly [Lists in 'any' | 'restrict']: Readonly<Record<string, readonly string[]>> } & {
    readonly served: Readonly<Record<string, string>>;
  };
  reach = { names: new Set(names), any: byName(any), restrict: byName(restrict), served: byName(served), shells };
  return reach;
}

function byName<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}

export function canonicalTool(name: string): CanonicalTool | undefined {
  const tool = canonicalNamed(name);
  return tool?.name === name ? tool : undefined;
}

/** A runner's names for its tools, as listed in its file of rules/tools; empty for a runner without a file. */
export function runnerTools(runner: RunnerId): readonly RunnerTool[] {
  return fileOf(runner)?.tools ?? [];
}

/** The form in which a runner writes the name of an MCP server's tool in a call. */
export function mcpToolName(runner: RunnerId, server: string, tool: string): string {
  return writtenMcpName({ server, tool }, fileOf(runner)?.mcp);
}

/** The agents that a runner provides, as listed in its file of rules/tools. */
export function runnerAgents(runner: RunnerId): readonly RunnerAgent[] {
  return fileOf(runner)?.agents ?? [];
}

function fileOf(runner: RunnerId): RunnerTools | undefined {
  return data(FOLDER + runner) as RunnerTools | undefined;
}

function united(tool: CanonicalTool): ToolDescription {
  return rememberedOr(unitedTools, tool, () => {
    const entries = member('#entries', tool.name) as readonly RunnerTool[] | undefined;
    return describe(tool, unite(tool, entries ?? []));
  });
}

/** A name that the calling runner does not provide is never treated as harmless. */
function borrowed(tool: CanonicalTool): ToolDescription {
  return rememberedOr(borrowedTools, tool, () => {
    const description = united(tool);
    return description.harmless ? { ...description, harmless: false } : description;
  });
}

function serverOf(tool: CanonicalTool): ToolDescription['mcp'] {
  return tool.server === undefined ? null : { server: tool.server, tool: tool.name };
}

/** The inputs of a tool, from a runner's entry or from the union of all entries. */
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

/** The inputs of a tool if the calling runner is unknown: the fields of all runners are alternatives. */
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
