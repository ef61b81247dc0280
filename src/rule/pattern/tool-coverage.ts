/** Which tools a rule is about: turns the tool text of a rule into a test on canonical names. */
import { flattenMcpName, isMcpName } from '../../call/mcp-name.js';
import { RUNNERS } from '../../call/tool-call.js';
import { canonicalTool, canonicalTools, identifyTool, runnerTools, toolEffects } from '../../call/tool-table.js';
import type { Effect } from './permission-rule.js';

/** Whether a rule reaches a canonical tool name. */
export type Coverage = (canonical: string) => boolean;

/** The tools that the tool text of a rule reaches. */
interface ToolMatch {
  readonly covers: Coverage;
  /** Those of them that are in the catalogue. */
  readonly known: () => ReadonlySet<string>;
}

const cache: Readonly<Record<'allow' | 'restrict', Map<string, ToolMatch>>> = { allow: new Map(), restrict: new Map() };
/** Rule texts come from files; a long-lived server must not keep every one it has seen. */
const CACHE_LIMIT = 10_000;

/**
 * The tools that a rule with this tool text reaches.
 * - `*` reaches every tool; a name reaches its tool under every name that the tool has (`FileRead` is `Read`); case does not
 *   matter.
 * - `mcp__srv` and `mcp__srv__*` reach all tools of a server. An allow compares MCP names exactly, with case, and its `*` never
 *   crosses `__` and is about tools only; ask and deny ignore case and treat `_`, `__` and `-` as equal, since runners do.
 * - A rule for Edit reaches every writing tool, as Claude Code's `Edit(path)` does. Bash reaches Monitor, which runs its command
 *   in the same shell. For ask and deny only: Read reaches the other readers, Write reaches patches, Bash reaches the other
 *   shells: a restriction must not be avoidable with another tool, and an allow must not open a tool that nobody named.
 * - Other text with `*` is a glob over canonical names (for ask and deny also over the other names of a tool).
 */
export function toolsCovered(ruleTool: string, effect: Effect): Coverage {
  return matchOf(ruleTool, effect).covers;
}

/** The canonical tools of the catalogue for which `toolsCovered` is true. */
export function knownToolsCovered(ruleTool: string, effect: Effect): ReadonlySet<string> {
  return matchOf(ruleTool, effect).known();
}

function matchOf(ruleTool: string, effect: Effect): ToolMatch {
  const kind = effect === 'allow' ? 'allow' : 'restrict';
  const known = cache[kind].get(ruleTool);
  if (known !== undefined) return known;
  const reach = ruleTool === '*' || ruleTool === '**' ? EVERYTHING : matchOfText(ruleTool, kind);
  if (cache[kind].size >= CACHE_LIMIT) cache[kind].clear();
  cache[kind].set(ruleTool, reach);
  return reach;
}

const EVERYTHING: ToolMatch = { covers: () => true, known: () => toolEffects().names };

/** For the tools of the catalogue the result is determined once; for all others the text is tested each time. */
function matchOfText(ruleTool: string, kind: 'allow' | 'restrict'): ToolMatch {
  let reached: ReadonlySet<string> | null = null;
  let text: Coverage | null = null;
  const ask = (canonical: string) => {
    text ??= kind === 'allow' ? allowed(ruleTool) : restricted(ruleTool);
    return text(canonical);
  };
  const known = () => {
    reached ??= new Set(ruleTool.includes('*') ? [...toolEffects().names].filter(ask) : matchedByName(ruleTool, kind, ask));
    return reached;
  };
  return { known, covers: (canonical) => (toolEffects().names.has(canonical) ? known().has(canonical) : ask(canonical)) };
}

/** The tools of the catalogue that a text without `*` reaches; `ask` tests one tool. Only names of MCP tools have several spellings. */
function matchedByName(ruleTool: string, kind: 'allow' | 'restrict', ask: Coverage): string[] {
  const { served, any, restrict } = toolEffects();
  if (kind === 'allow' && isMcpName(ruleTool)) return [...served.keys()].filter(ask);
  const { canonical, known, mcp } = identifyTool(ruleTool);
  const named = known ? [canonical, ...(any.get(canonical) ?? [])] : [];
  if (kind === 'allow') return named;
  const spelled = mcp !== null || isMcpName(ruleTool.toLowerCase()) ? [...served.keys()].filter(ask) : [];
  return [...named, ...((known && restrict.get(canonical)) || []), ...spelled];
}

/** An allow reaches the tool it names, and any tool that a rule for that one covers with every effect. */
function allowed(ruleTool: string): Coverage {
  if (isMcpName(ruleTool)) return coversMcpExactly(ruleTool);
  if (ruleTool.includes('*')) {
    const reached = new Set(
      canonicalTools()
        .filter((tool) => matches(ruleTool, tool.name))
        .map((tool) => tool.name),
    );
    // Only a rule that starts with `mcp` opens an MCP tool.
    return (canonical) =>
      reached.has(canonical) || (!isMcpName(canonical) && !identifyTool(canonical).known && matches(ruleTool, canonical));
  }
  const { canonical: named, known } = identifyTool(ruleTool);
  if (!known) return (canonical) => canonical === named || canonical.toLowerCase() === named.toLowerCase();
  return (canonical) => canonical === named || canonicalTool(canonical)?.coveredBy?.any?.includes(named) === true;
}

/** Allow for MCP tools: an exact name, `mcp__srv`, or a glob whose `*` stays inside one name; no `sampling:createMessage` is a tool. */
function coversMcpExactly(ruleTool: string): Coverage {
  const noTool = /^(?:resources|prompts|completion|sampling|elicitation|roots):/;
  const wholeServer = /^mcp__(?:(?!__).)+$/s.test(ruleTool) && !ruleTool.includes('*');
  const pattern = wholeServer ? `${ruleTool}__*` : ruleTool;
  if (!pattern.includes('*')) return (canonical) => qualified(canonical) === pattern;
  const wanted = pattern.split('__');
  return (canonical) => {
    const parts = qualified(canonical).split('__');
    if (parts[0] !== 'mcp' || (noTool.test(parts[2] ?? '') && wanted[2]?.includes(':') !== true)) return false;
    if (ruleTool === 'mcp__*') return parts.length === 3;
    return parts.length === wanted.length && parts.every((part, index) => matchesExactly(wanted[index] ?? '', part));
  };
}

/** Ask and deny reach everything that the text could mean. */
function restricted(ruleTool: string): Coverage {
  const described = identifyTool(ruleTool);
  const glob = ruleTool.includes('*');
  const named = glob ? globbed(ruleTool) : new Set<string>();
  if (described.known) named.add(described.canonical);
  const reached = (canonical: string) => {
    const tool = named.size === 0 ? undefined : canonicalTool(canonical);
    if (tool === undefined) return false;
    const { any = [], restrict = [] } = tool.coveredBy ?? {};
    return named.has(canonical) || any.some((other) => named.has(other)) || restrict.some((other) => named.has(other));
  };
  const lower = ruleTool.toLowerCase();
  const full = qualified(described.canonical);
  const mcp = isMcpName(full.toLowerCase()) || glob ? restrictedMcp(full) : nothing;
  return (canonical) => {
    if (reached(canonical) || mcp(canonical)) return true;
    const name = canonical.toLowerCase();
    return name === lower || (glob && matches(ruleTool, canonical));
  };
}

/** The canonical tools that have a name matching a glob. */
function globbed(glob: string): Set<string> {
  const named = new Set<string>();
  for (const [name, canonical] of allNames()) if (matches(glob, name)) named.add(canonical);
  return named;
}

const nothing: Coverage = () => false;

/** `mcp__codex__codex_shell` for a canonical tool whose server is known; any other name unchanged. */
function qualified(canonical: string): string {
  const { known, mcp } = identifyTool(canonical);
  return known && mcp !== null ? `mcp__${mcp.server}__${mcp.tool}` : canonical;
}

/** Ask and deny for MCP tools, in every spelling of the name. */
function restrictedMcp(ruleTool: string): Coverage {
  const flat = flattenMcpName(ruleTool);
  const server = flat.endsWith('_*') ? flat.slice(0, -1) : `${flat}_`;
  const tool = ruleTool.includes('__') ? (ruleTool.split('__').at(-1) ?? '') : '';
  return (canonical) => {
    const full = qualified(canonical);
    if (!isMcpName(full.toLowerCase())) return false;
    const name = flattenMcpName(full);
    if (name === flat || name.startsWith(server) || matches(flat, name)) return true;
    // A runner that hides the server: only the tool's name decides.
    return full.startsWith('mcp__?__') && (tool === '' || ruleTool.split('__').length < 3 || matches(tool, full.slice(8)));
  };
}

/** Every name of every tool, with its canonical name. */
function allNames(): [string, string][] {
  const names: [string, string][] = [];
  for (const tool of canonicalTools()) for (const name of [tool.name, ...(tool.aliases ?? [])]) names.push([name, tool.name]);
  for (const runner of RUNNERS) for (const tool of runnerTools(runner)) names.push([tool.name, tool.canonical ?? tool.name]);
  return names;
}

/** Matches a glob without regard to case: `*` is any run of characters. */
function matches(glob: string, name: string): boolean {
  return matchesExactly(glob.toLowerCase(), name.toLowerCase());
}

/** Matches a glob with regard to case, in time linear in the product of both lengths (one backtracking point). */
function matchesExactly(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let mark = 0;
  let index = 0;
  while (index < name.length) {
    if (at < glob.length && glob[at] === '*') {
      star = at++;
      mark = index;
    } else if (at < glob.length && glob[at] === name[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++mark;
    } else return false;
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
