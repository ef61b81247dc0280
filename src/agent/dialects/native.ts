/**
 * The definitions of Gemini CLI, Qwen Code, Copilot CLI, OpenCode, Cursor and Codex in these runners' own formats, as far as they
 * bound what the agent may use (spec: runners, §3). A policy of ours in them (`policy:`) holds as everywhere.
 */
import type { RunnerId } from '../../call/tool-call.js';
import { complain, type Fields, isRecord } from '../fields.js';
import { requiredDescription, requiredName } from '../required.js';
import { toolListOf } from '../tool-list.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

/** The runners with a format of their own that is read here. */
export type NativeRunner = Exclude<RunnerId, 'claude-code' | 'agent-code'>;

const markdown = (read: DialectReader['read']): DialectReader => ({
  dialect: 'claude-code',
  form: 'markdown',
  repairs: false,
  read,
});

/** An agent without a list has every tool in each of them, which is what the dialect `claude-code` stands for here. */
export const NATIVE: Readonly<Record<NativeRunner, DialectReader>> = {
  'gemini-cli': markdown((input) => ({ ...named(input), tools: toolListOf(listAt(input.fields)?.map(geminiEntry) ?? null) })),
  'qwen-code': markdown((input) => ({ ...named(input), tools: toolListOf(listAt(input.fields)) })),
  'copilot-cli': markdown((input) => ({ ...byFile(input, /\.agent$/), tools: toolListOf(withShell(listAt(input.fields))) })),
  opencode: markdown((input) => ({ ...byFile(input, /^$/), excludedTools: switchedOff(input.fields) })),
  // Whoever writes `readonly: "yes"` means it, too.
  cursor: markdown((input) => ({ ...named(input), readsOnly: (input.fields.data.get('readonly') ?? false) !== false })),
  codex: {
    dialect: 'claude-code',
    form: 'toml',
    repairs: false,
    read: (input) => ({ ...named(input), readsOnly: READ_ONLY.some(([key, value]) => input.fields.data.get(key) === value) }),
  },
};

/** Codex's two ways to say it (spec: runners, fact 5). */
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

/** The file is the name; `ending` is what of it does not belong to it. */
function byFile({ fields, stem }: DialectInput, ending: RegExp): DialectReading {
  const description = fields.data.get('description');
  return { ...UNBOUND, rawName: stem.replace(ending, ''), description: typeof description === 'string' ? description : null };
}

/** The texts of `tools`; null when there is no such key. The runners refuse an agent whose list is something else. */
function listAt(fields: Fields): string[] | null {
  const value = fields.data.get('tools');
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  complain(fields, 'tools', 'agent/not-a-list', '`tools` has to be a list; the runner does not load this file.');
  return [];
}

/** `mcp_SERVER_*` and `mcp_*`: all tools of a server, and of every server. */
function geminiEntry(entry: string): string {
  if (entry === 'mcp_*') return 'mcp__*';
  const server = /^mcp_(.+)_\*$/.exec(entry)?.[1];
  return server === undefined ? entry : `mcp__${server}`;
}

/** Who has the shell has what reads and stops its background commands (seen: 1.0). */
function withShell(entries: string[] | null): string[] | null {
  return entries?.includes('bash') ? [...entries, 'read_bash', 'list_bash', 'stop_bash'] : entries;
}

/** `tools: { bash: false }`. What `permission` says OpenCode holds itself. */
function switchedOff(fields: Fields): string[] {
  const tools = fields.data.get('tools');
  if (!isRecord(tools)) return [];
  return Object.entries(tools).flatMap(([name, value]) => (value === false ? [name] : []));
}
