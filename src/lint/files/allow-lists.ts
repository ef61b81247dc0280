/**
 * The calls that a runner's settings allow or deny in words of their own, as rules: the permissions of Cursor's CLI
 * (cursor.com/docs/cli/reference/permissions), its permissions.json (cursor.com/docs/reference/permissions), and `tools.allowed` of Gemini
 * CLI and Qwen Code. Pure.
 */

import { pointerTo } from '../../policy/read/pointer.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { ConfigKind } from '../places/place.js';
import type { LocatedText } from '../text/located-text.js';

export interface ListedCall {
  /** Of its text. */
  readonly pointer: string;
  readonly effect: Effect;
  readonly tool: string;
  readonly pattern: string | null;
  /** As written. */
  readonly text: string;
}

/** How one list is read: the tool and the pattern of an entry, null for one that means nothing. */
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

/** @param most entries of each list that are read */
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

/** How many entries the lists have. */
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

/** Characters of a command or a path that are judged: what stands behind them is taken for anything, and the expressions see bounded input. */
const LONGEST = 1_000;

function bounded(inner: string): string {
  return inner.length > LONGEST ? `${inner.slice(0, LONGEST)}*` : inner;
}

/** `git`: with whatever follows it; `git:status`, `curl:*`: with these arguments; `*`: any command. */
function beginning(entry: string): string | null {
  if (/^\*+$/.test(entry)) return null;
  const colon = entry.indexOf(':');
  return colon < 0 ? `${entry.replace(/[\s*]+$/, '')} *` : `${entry.slice(0, colon)} ${entry.slice(colon + 1)}`;
}

/** `server:tool`, each of them possibly `*`. */
function serverTool(entry: string): ReturnType<Reading> {
  const [, server, tool] = /^([^:]+):(.+)$/s.exec(entry) ?? [];
  return server === undefined ? null : [`mcp__${server}__${tool}`, null];
}

/** Names of the shell and of the writing tools, also those of the classes that older versions take. */
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

/** `run_shell_command`, `run_shell_command(git status)`: a command is a beginning (geminicli.com/docs/reference/configuration). */
function namedTool(entry: string): ReturnType<Reading> {
  const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return null;
  return [tool, inner === undefined ? null : tool === 'Bash' ? beginning(bounded(inner)) : bounded(inner)];
}
