/**
 * The calls that a runner's settings allow or deny in their own notation, as rules: the permissions of Cursor's CLI
 * (cursor.com/docs/cli/reference/permissions), its permissions.json (cursor.com/docs/reference/permissions), and `tools.allowed`
 * of Gemini CLI and Qwen Code. Pure.
 */

import { pointerTo } from '../../policy/read/pointer.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { ConfigKind } from '../places/place.js';
import type { LocatedText } from '../text/located-text.js';

export interface ListedCall {
  /** The pointer of its string. */
  readonly pointer: string;
  readonly effect: Effect;
  readonly tool: string;
  readonly pattern: string | null;
  /** As written. */
  readonly text: string;
}

/** How one list is read: returns the tool and the pattern of an entry, or null for an entry without meaning. */
type Reading = (entry: string) => readonly [tool: string, pattern: string | null] | null;

interface List {
  readonly pointer: string;
  readonly effect: Effect;
  readonly read: Reading;
}

const LISTS: Partial<Readonly<Record<ConfigKind, readonly List[]>>> = {
  'cursor-cli': [
    { pointer: '/permissions/allow', effect: 'allow', read: cursorEntry },
    { pointer: '/permissions/deny', effect: 'deny', read: cursorEntry },
  ],
  'cursor-permissions': [
    { pointer: '/terminalAllowlist', effect: 'allow', read: (entry) => ['Bash', beginning(bounded(entry))] },
    { pointer: '/mcpAllowlist', effect: 'allow', read: serverTool },
  ],
  'gemini-settings': [{ pointer: '/tools/allowed', effect: 'allow', read: namedTool }],
  'qwen-settings': [{ pointer: '/tools/allowed', effect: 'allow', read: namedTool }],
};

/** @param most the maximum number of entries that are read from each list */
export function listedCalls(data: LocatedText, config: ConfigKind, most: number): readonly ListedCall[] {
  return (LISTS[config] ?? []).flatMap(({ pointer, effect, read }) => {
    const list = data.at(pointer);
    if (!Array.isArray(list)) return [];
    return list.slice(0, most).flatMap((item: unknown, index): ListedCall[] => {
      const text = typeof item === 'string' ? item.trim() : '';
      const call = text === '' ? null : read(text);
      return call === null ? [] : [{ pointer: pointerTo(pointer, index), effect, tool: call[0], pattern: call[1], text }];
    });
  });
}

/** Returns the total number of entries in the lists. */
export function listedCallCount(data: LocatedText, config: ConfigKind): number {
  const lengths = (LISTS[config] ?? [])
    .map(({ pointer }) => data.at(pointer))
    .map((list) => (Array.isArray(list) ? list.length : 0));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** `Shell(git)`, `Shell(curl:*)`, `Read(src/**)`, `Write(**)`, `WebFetch(*.example.com)`, `Mcp(server:tool)`. */
function cursorEntry(entry: string): ReturnType<Reading> {
  const [, kind = '', whole = ''] = /^(\w+)\((.*)\)$/s.exec(entry) ?? [];
  const inner = bounded(whole);
  const isAny = /^\*+$/.test(inner);
  switch (kind) {
    case 'Shell':
      return ['Bash', beginning(inner)];
    case 'Read':
    case 'Write':
      return [kind, isAny ? null : inner];
    case 'WebFetch':
      return ['WebFetch', isAny ? null : `domain:${inner}`];
    case 'Mcp':
      return serverTool(inner);
    default:
      return null;
  }
}

/**
 * The maximum number of characters of a command or a path that are judged: the rest is treated as anything, so that regular
 * expressions get bounded input.
 */
const LONGEST = 1_000;

function bounded(inner: string): string {
  return inner.length > LONGEST ? `${inner.slice(0, LONGEST)}*` : inner;
}

/** `git`: with any arguments; `git:status`, `curl:*`: with these arguments; `*`: any command. */
function beginning(entry: string): string | null {
  if (/^\*+$/.test(entry)) return null;
  const colon = entry.indexOf(':');
  return colon < 0 ? `${entry.replace(/[\s*]+$/, '')} *` : `${entry.slice(0, colon)} ${entry.slice(colon + 1)}`;
}

/** `server:tool`, either of which may be `*`. */
function serverTool(entry: string): ReturnType<Reading> {
  const [, server, tool] = /^([^:]+):(.+)$/s.exec(entry) ?? [];
  return server === undefined ? null : [`mcp__${server}__${tool}`, null];
}

/** Names of the shell and of the writing tools, including the class names that older versions accept. */
const TOOLS: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  ShellTool: 'Bash',
  Shell: 'Bash',
  write_file: 'Write',
  WriteFileTool: 'Write',
  replace: 'Edit',
  edit: 'Edit',
  EditTool: 'Edit',
  web_fetch: 'WebFetch',
  WebFetchTool: 'WebFetch',
};

/** `run_shell_command`, `run_shell_command(git status)`: a command is a prefix (geminicli.com/docs/reference/configuration). */
function namedTool(entry: string): ReturnType<Reading> {
  const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return null;
  return [tool, inner === undefined ? null : tool === 'Bash' ? beginning(bounded(inner)) : bounded(inner)];
}
