/**
 * The readers of definitions, by format. Reads the definitions of Gemini CLI, Qwen Code, Copilot CLI, OpenCode, Cursor and Codex in these
 * runners' own formats, as far as they limit what the agent may use. A `policy:` section in them applies as in all other definitions.
 */
import { isFields } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { Dialect } from '../agent.js';
import { complain, type Fields } from '../fields.js';
import { requiredDescription, requiredName } from '../required.js';
import { toolListOf } from '../tool-list.js';
import { agentCode } from './agent-code.js';
import { claudeCode } from './claude-code.js';
import { codexMarkdown } from './codex-markdown.js';
import { codexYaml } from './codex-yaml.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

const markdown = (read: DialectReader['read']): DialectReader => ({ form: 'markdown', repairs: false, read });

const DIALECTS: Readonly<Record<Dialect, DialectReader>> = {
  'claude-code': claudeCode,
  'codex-markdown': codexMarkdown,
  'codex-yaml': codexYaml,
  'agent-code': agentCode,
};

/** In each of them an agent without a list has every tool; the common dialect represents that here. */
const NATIVE: Readonly<Partial<Record<RunnerId, DialectReader>>> = {
  'gemini-cli': { ...markdown(gemini), lists: true },
  'copilot-cli': markdown((input) => ({
    ...byFile(input, /\.agent$/),
    tools: toolListOf(entriesAt(input.fields, 'tools')?.flatMap(copilotEntry) ?? null),
  })),
  opencode: { ...markdown((input) => ({ ...byFile(input, /^$/), ...switched(input.fields) })), lenient: true },
  // A person who writes `readonly: "yes"` means it, too.
  cursor: markdown((input) => ({ ...named(input), readsOnly: (input.fields.data.get('readonly') ?? false) !== false })),
  codex: {
    form: 'toml',
    repairs: false,
    read: (input) => ({ ...named(input), readsOnly: READ_ONLY.some(([key, value]) => input.fields.data.get(key) === value) }),
  },
};

/** The own format of every other runner (Qwen Code's): two lists, if their keys are present. */
const LISTS = markdown((input) => ({
  ...named(input),
  tools: toolListOf(entriesAt(input.fields, 'tools')),
  excludedTools: entriesAt(input.fields, 'disallowedTools') ?? [],
}));

/** Returns the reader of a definition; `runner`: for that runner's own format. */
export function readerOf({ dialect, runner }: { readonly dialect: Dialect; readonly runner?: RunnerId }): DialectReader {
  return runner === undefined || Object.hasOwn(DIALECTS, runner) ? DIALECTS[dialect] : (NATIVE[runner] ?? LISTS);
}

/** Codex's two settings for it. */
const READ_ONLY = [
  ['sandbox_mode', 'read-only'],
  ['default_permissions', ':read-only'],
] as const;

const UNBOUND: Pick<DialectReading, 'tools' | 'excludedTools' | 'capabilities' | 'own'> = {
  tools: { state: 'absent' },
  excludedTools: [],
  capabilities: null,
  own: null,
};

function named({ fields, stem }: DialectInput): DialectReading {
  return { ...UNBOUND, rawName: requiredName(fields) ?? stem, description: requiredDescription(fields) };
}

/** The name is that of the file, without `ending`. */
function byFile({ fields, stem }: DialectInput, ending: RegExp): DialectReading {
  const description = fields.data.get('description');
  return { ...UNBOUND, rawName: stem.replace(ending, ''), description: typeof description === 'string' ? description : null };
}

/** An agent on a server has no tools here, and needs no description (`baseRemoteAgentSchema` of 0.61.0). */
function gemini(input: DialectInput): DialectReading {
  const { data } = input.fields;
  const isRemote = data.get('kind') === 'remote' || data.has('agent_card_url') || data.has('agent_card_json');
  if (isRemote) return { ...byFile(input, /^$/), rawName: requiredName(input.fields) ?? input.stem, tools: { state: 'empty' } };
  return { ...named(input), tools: toolListOf(listAt(input.fields)?.map(geminiEntry) ?? null) };
}

/** Returns the strings in `tools`; null if the key is absent. Gemini CLI refuses an agent whose `tools` is not a list. */
function listAt(fields: Fields): string[] | null {
  const value = fields.data.get('tools');
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  complain(fields, 'tools', 'agent/not-a-list', '`tools` has to be a list; the runner does not load this file.');
  return [];
}

/**
 * Returns the entries of a list, or of a string split at commas; Copilot CLI and Qwen Code accept both, and treat any other value
 * as no limit at all.
 */
function entriesAt(fields: Fields, key: string): string[] | null {
  const value = fields.data.get(key);
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  if (typeof value === 'string') return value.split(',').map((one) => one.trim());
  complain(fields, key, 'agent/not-a-list', `\`${key}\` has to be a list; the runner ignores it as it stands.`);
  return [];
}

/** Translates `mcp_SERVER_*` and `mcp_*`: all tools of a server, and of every server. */
function geminiEntry(entry: string): string {
  if (entry === 'mcp_*') return 'mcp__*';
  const server = /^mcp_(.+)_\*$/.exec(entry)?.[1];
  return server === undefined ? entry : `mcp__${server}`;
}

/** An agent with the shell also has the tools that read and stop its background commands (seen: 1.0). */
const SHELL = ['bash', 'powershell', 'read_bash', 'list_bash', 'stop_bash'];
const EDIT = ['edit', 'create', 'str_replace_editor'];
const SEARCH = ['grep', 'glob'];
const WEB = ['web_fetch', 'web_search'];

/** Copilot's aliases for groups of tools, case-insensitive (docs.github.com, "Custom agents configuration", Tool aliases). */
const COPILOT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['execute', 'shell', 'bash', 'powershell'].map((word) => [word, SHELL] as const),
  ...['read', 'notebookread'].map((word) => [word, ['view']] as const),
  ...['edit', 'multiedit', 'write', 'notebookedit'].map((word) => [word, EDIT] as const),
  ...['search', 'grep', 'glob'].map((word) => [word, SEARCH] as const),
  ...['agent', 'custom-agent', 'task'].map((word) => [word, ['task']] as const),
  ...['web', 'websearch', 'webfetch'].map((word) => [word, WEB] as const),
  ...['todo', 'todowrite'].map((word) => [word, ['update_todo']] as const),
]);

/** Returns the tools of an entry: an alias, `SERVER/TOOL` and `SERVER/*`, or a tool by its own name. */
function copilotEntry(entry: string): readonly string[] {
  const word = entry.trim();
  const [, server, tool] = /^([^/]+)\/([^/]+)$/.exec(word) ?? [];
  if (server !== undefined && tool !== undefined) return [tool === '*' ? `mcp__${server}` : `mcp__${server}__${tool}`];
  return COPILOT.get(word.toLowerCase()) ?? [word];
}

/** OpenCode has one permission for all tools that change files. */
const CHANGING = ['write', 'edit', 'patch', 'multiedit', 'apply_patch'];

/**
 * Reads switches such as `tools: { bash: false }`; after `"*": false`, only tools that are switched on later remain. OpenCode
 * itself enforces `permission`.
 */
function switched(fields: Fields): Pick<DialectReading, 'tools' | 'excludedTools'> {
  const value = fields.data.get('tools');
  if (value === undefined || value === null) return { tools: UNBOUND.tools, excludedTools: [] };
  if (!isFields(value)) {
    complain(
      fields,
      'tools',
      'agent/not-a-map',
      '`tools` has to be a map of switches, { bash: false }; OpenCode does not start with anything else.',
    );
    return { tools: { state: 'empty' }, excludedTools: [] };
  }
  const switches = Object.entries(value);
  const all = switches.findLastIndex(([name, on]) => name === '*' && on !== true);
  const off = switches.flatMap(([name, on]) => (on === true || name === '*' ? [] : [name]));
  const behind = switches.slice(all + 1).flatMap(([name, on]) => (on === true ? [name] : []));
  return {
    tools: all < 0 ? UNBOUND.tools : toolListOf(behind),
    excludedTools: off.some((name) => CHANGING.includes(name)) ? [...new Set([...off, ...CHANGING])] : off,
  };
}
