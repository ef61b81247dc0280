/** The PreToolUse handlers of one settings file of Claude Code, and the mistakes that make Claude Code ignore the whole file. */
import { type Fields, isFields, own } from '../../call/fields.js';
import type { Located } from '../../policy/read/located.js';

/** A handler as written in the file. */
export interface Handler {
  readonly type: string;
  /** The command line of a `command` handler; null for other types. */
  readonly command: string | null;
  /** With `args`, the command is a program that is started without a shell. */
  readonly args: readonly string[] | null;
  /** The maximum number of seconds that the runner waits. */
  readonly timeout: number;
  /** `onFailure: block`. */
  readonly failsClosed: boolean;
  readonly line: number;
  /** Why the handler does not run before every tool call; null when it does. */
  readonly limit: string | null;
}

const DEFAULT_TIMEOUT = 600;
const TYPES: ReadonlySet<unknown> = new Set(['command', 'http', 'mcp_tool', 'prompt', 'agent']);
const MODES: ReadonlySet<unknown> = new Set(['default', 'manual', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']);

/** Why the runner ignores the whole file; null when it does not. Only the measured mistakes are known here. */
export function settingsMistake({ data }: Located): string | null {
  if (!isFields(data)) return 'it is not a JSON object';
  const permissions = own(data, 'permissions');
  for (const key of ['allow', 'ask', 'deny']) {
    const rules = isFields(permissions) ? own(permissions, key) : undefined;
    if (rules !== undefined && !Array.isArray(rules)) return `permissions.${key} is not a list`;
  }
  const mode = isFields(permissions) ? own(permissions, 'defaultMode') : undefined;
  if (mode !== undefined && !MODES.has(mode)) return 'permissions.defaultMode is not a known mode';
  const model = own(data, 'model');
  if (model !== undefined && typeof model !== 'string') return 'model is not a text';
  const hooks = own(data, 'hooks');
  if (hooks === undefined || Array.isArray(hooks)) return null;
  if (!isFields(hooks)) return 'hooks is not an object';
  for (const [event, groups] of Object.entries(hooks)) {
    const mistake = Array.isArray(groups) ? groups.map(groupMistake).find((one) => one !== null) : 'is not a list';
    if (mistake !== undefined) return `hooks.${event.slice(0, 64)}: ${mistake ?? ''}`;
  }
  return null;
}

function groupMistake(group: unknown): string | null {
  if (!isFields(group)) return 'an entry is not an object';
  const matcher = own(group, 'matcher');
  if (matcher !== undefined && typeof matcher !== 'string') return 'a matcher is not a text';
  const handlers = own(group, 'hooks');
  if (!Array.isArray(handlers)) return 'an entry has no list of hooks';
  return handlers.map(handlerMistake).find((one) => one !== null) ?? null;
}

function handlerMistake(handler: unknown): string | null {
  if (!isFields(handler)) return 'a hook is not an object';
  const type = own(handler, 'type');
  if (!TYPES.has(type)) return 'a hook has an unknown type';
  if (type === 'command' && typeof own(handler, 'command') !== 'string') return 'a command hook has no command';
  const timeout = own(handler, 'timeout');
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) return 'a timeout is not a number above 0';
  const failure = own(handler, 'onFailure');
  if (failure !== undefined && failure !== 'block' && failure !== 'continue') return 'onFailure is neither block nor continue';
  return null;
}

/** Returns the PreToolUse handlers of a file without mistakes. */
export function readHandlers({ data, valueAt }: Located): readonly Handler[] {
  const hooks = isFields(data) ? own(data, 'hooks') : undefined;
  const groups = isFields(hooks) ? own(hooks, 'PreToolUse') : undefined;
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, index) => {
    const handlers = isFields(group) ? own(group, 'hooks') : undefined;
    if (!isFields(group) || !Array.isArray(handlers)) return [];
    return handlers.flatMap((handler: unknown, at): Handler[] =>
      isFields(handler)
        ? [readClaudeHandler(handler, group, valueAt(`/hooks/PreToolUse/${index}/hooks/${at}/command`).line)]
        : [],
    );
  });
}

function readClaudeHandler(handler: Fields, group: Fields, line: number): Handler {
  const type = String(own(handler, 'type'));
  const args = own(handler, 'args');
  const timeout = own(handler, 'timeout');
  const command = own(handler, 'command');
  return {
    type,
    command: type === 'command' && typeof command === 'string' ? command : null,
    args: Array.isArray(args) ? args.map(String) : null,
    timeout: typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT,
    failsClosed: own(handler, 'onFailure') === 'block',
    line,
    limit: matcherLimit(own(group, 'matcher')) ?? handlerLimit(handler, type),
  };
}

/** Matchers that certainly match every tool; others are not tried, since they may be regular expressions written by a stranger. */
const EVERY_TOOL: ReadonlySet<unknown> = new Set([undefined, '', '*', '.*', '^.*$']);

function matcherLimit(matcher: unknown): string | null {
  return EVERY_TOOL.has(matcher) ? null : `its matcher ${JSON.stringify(String(matcher).slice(0, 80))} does not name every tool`;
}

function handlerLimit(handler: Fields, type: string): string | null {
  if (own(handler, 'if') !== undefined) return 'its `if` does not match every call';
  if (own(handler, 'async') === true || own(handler, 'asyncRewake') === true) return 'it runs beside the call and cannot stop it';
  if (own(handler, 'once') === true) return 'it runs only once';
  return type === 'command' ? null : `it is of type ${type}, which cannot be started here`;
}
