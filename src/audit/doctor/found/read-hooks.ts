/** Our hooks in a file of a runner, each with its differences from what `policy install` would write. */

import { traitsOf } from '../../../call/traits.js';
import { isList, isMap, JsonTextError, type JsonValue, jsonValue, readJsonText } from '../../../disk/json-text.js';
import { WriteError } from '../../../disk/replace.js';
import { ourCommands } from '../../../install/hook-text.js';
import { type HookLine, isHookLine, readHookLine } from '../../../install/own-hook.js';
import { type TomlHook, TomlTextError, tomlHooks } from '../../../install/toml-hooks.js';
import type { HookScope, Runner } from '../../../runner/hook/runner.js';

/** A file in which a runner looks for hooks. */
export interface HookSource {
  readonly scope: HookScope;
  readonly file: string;
  /** Null if there is no file. */
  readonly text: string | null;
  /** Why the runner ignores the whole file; null if no reason is known. */
  readonly ignored: string | null;
  /** Why we cannot tell which hooks it contains, though the runner may be able to; null when we can. */
  readonly unread: string | null;
}

type Source = Omit<HookSource, 'ignored' | 'unread'>;

export interface FoundHook {
  readonly scope: HookScope;
  readonly file: string;
  /** The line of the file that contains the command line; counts from 1. */
  readonly place: number;
  readonly command: string;
  readonly line: HookLine;
  /** Its event; null if the file has no events (a plugin). */
  readonly event: string | null;
  /** It decides about calls, as opposed to being notified of them afterward. */
  readonly blocks: boolean;
  /** Why it does not run before every call: sentences that begin with "its". */
  readonly gaps: readonly string[];
}

/** The events before a call as the runners spell them. A runner does not know any other spelling. */
export const BLOCKING_EVENTS = ['PreToolUse', 'BeforeTool', 'preToolUse', 'pre_tool_use'];

function isBlocking(runner: Runner, event: string): boolean {
  if (!BLOCKING_EVENTS.includes(event)) return false;
  return runner.settings('').text.includes(`"${event}"`) || traitsOf(runner.id).blockingEvents?.includes(event) === true;
}

/** Returns the hooks of a file; `unread`: why we cannot read it. */
export function readHooks(
  runner: Runner,
  source: Source,
): { readonly hooks: readonly FoundHook[]; readonly unread: string | null } {
  const form = runner.places[source.scope]?.form;
  if (source.text === null || form === undefined || source.text.trim() === '') return { hooks: [], unread: null };
  try {
    if (form === 'strict-json' || form === 'json')
      return { hooks: jsonHooks(runner, source, source.text, form === 'strict-json'), unread: null };
    if (form === 'toml') return { hooks: tomlHooks(source.text).flatMap((hook) => tomlHook(runner, source, hook)), unread: null };
    const commands = ourCommands({ file: source.file, form, runner, text: source.text }, isHookLine);
    return { hooks: commands.flatMap((command) => pluginHook(runner, source, command)), unread: null };
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof TomlTextError || error instanceof WriteError)
      return { hooks: [], unread: error.message };
    throw error;
  }
}

/** A plugin is a program: only for the plugin that we write is it known what it does with a command line of ours. */
function pluginHook(runner: Runner, source: Source, command: string): readonly FoundHook[] {
  const same = source.text?.replaceAll('\r\n', '\n').trimEnd() === runner.settings(command).text.trimEnd();
  const hook = found(source, command, null, true, same ? [] : ['its text is not the installed plugin']);
  return hook === null ? [] : [hook];
}

/** A hook of ours that is only notified of finished calls blocks nothing. */
function tomlHook(runner: Runner, source: Source, { event, tool, command }: TomlHook): readonly FoundHook[] {
  const blocks = event === null || isBlocking(runner, event);
  const gaps =
    blocks && tool !== null && tool !== '*' ? [`its tool_name ${JSON.stringify(tool.slice(0, 80))} leaves tools out`] : [];
  const hook = found(source, command, event, blocks, gaps);
  return hook === null ? [] : [hook];
}

function jsonHooks(runner: Runner, source: Source, text: string, strict: boolean): readonly FoundHook[] {
  const { value } = readJsonText(text, strict);
  const hooks = isMap(value) ? value.get('hooks') : undefined;
  if (!isMap(hooks)) return [];
  return [...hooks].flatMap(([event, list]) =>
    !isList(list) ? [] : list.flatMap((entry) => entryHooks(runner, source, event, entry)),
  );
}

function entryHooks(runner: Runner, source: Source, event: string, entry: JsonValue): readonly FoundHook[] {
  const inner = isMap(entry) ? entry.get('hooks') : undefined;
  const handlers = isList(inner) ? inner : [entry];
  const blocks = isBlocking(runner, event);
  return handlers.flatMap((handler) => {
    const command = commandOf(handler);
    if (command === null) return [];
    const gaps = blocks ? gapsOf(runner, event, command, entry, handler) : [];
    return found(source, command, event, blocks, gaps) ?? [];
  });
}

function commandOf(handler: JsonValue): string | null {
  if (!isMap(handler)) return null;
  const command = handler.get('command') ?? handler.get('bash');
  return typeof command === 'string' ? command : null;
}

function found(
  { scope, file, text }: Source,
  command: string,
  event: string | null,
  blocks: boolean,
  gaps: readonly string[],
): FoundHook | null {
  const line = readHookLine(command, '');
  if (line === null) return null;
  const at = text?.indexOf(JSON.stringify(command)) ?? -1;
  const place = at < 0 ? 1 : (text ?? '').slice(0, at).split('\n').length;
  return { scope, file, place, command, line, event, blocks, gaps };
}

/** Matchers that certainly match every tool. */
const EVERY_TOOL: ReadonlySet<JsonValue | undefined> = new Set([undefined, '', '*', '.*', '^.*$']);
/** Settings that make a handler miss calls or unable to stop them. */
const MISSES: readonly (readonly [name: string, why: string])[] = [
  ['if', 'its `if` does not match every call'],
  ['async', 'its `async` makes it run alongside the call'],
  ['asyncRewake', 'its `asyncRewake` makes it run alongside the call'],
  ['once', 'its `once` makes it run only once'],
  ['cwd', 'its `cwd` starts it elsewhere'],
];
const TIMEOUTS = ['timeout', 'timeoutSec'];
/** Settings that a runner only displays, that order hooks, or that apply on other systems. */
const SHOWN: ReadonlySet<string> = new Set([
  'statusMessage',
  'description',
  'comment',
  'name',
  'sequential',
  'powershell',
  ...TIMEOUTS,
]);

function gapsOf(runner: Runner, event: string, command: string, entry: JsonValue, handler: JsonValue): readonly string[] {
  if (!isMap(handler)) return [];
  const gaps: string[] = [];
  const matcher = isMap(entry) ? entry.get('matcher') : undefined;
  if (!EVERY_TOOL.has(matcher)) gaps.push(`its matcher ${JSON.stringify(matcher)?.slice(0, 80)} leaves tools out`);
  for (const [name, why] of MISSES) if (handler.has(name) && handler.get(name) !== false) gaps.push(why);
  const wanted = wantedHandler(runner, event, command);
  // We install 30 seconds; a runner that gives up before the line itself does lets the call pass.
  const share = Math.max(0.5, (Number(readHookLine(command, '')?.deadline ?? 0) + 2) / 30);
  for (const name of TIMEOUTS) {
    const [now, right] = [handler.get(name), wanted?.get(name)];
    if (now === undefined || typeof right !== 'number') continue;
    if (!(typeof now === 'number' && now >= right * share))
      gaps.push(
        `its ${name} of ${JSON.stringify(now)?.slice(0, 80)} is too short for the hook to answer (policy install writes ${right})`,
      );
  }
  for (const [name, right] of wanted ?? [])
    if (!TIMEOUTS.includes(name) && handler.get(name) !== right)
      gaps.push(`its \`${name}\` is not ${JSON.stringify(right)?.slice(0, 80)}`);
  for (const name of handler.keys())
    if (wanted?.has(name) === false && !SHOWN.has(name) && !MISSES.some(([known]) => known === name) && name !== 'matcher')
      gaps.push(`its \`${name.slice(0, 80)}\` is not in the installed one, and may change what it does`);
  return gaps;
}

/** Returns the handler as `policy install` writes it. */
function wantedHandler(runner: Runner, event: string, command: string): ReadonlyMap<string, JsonValue> | null {
  const settings = jsonValue(JSON.parse(runner.settings(command).text));
  const hooks = isMap(settings) ? settings.get('hooks') : undefined;
  const list = isMap(hooks) ? hooks.get(event) : undefined;
  const [entry] = isList(list) ? list : [];
  const inner = isMap(entry) ? entry.get('hooks') : undefined;
  const handler = isList(inner) ? inner[0] : entry;
  return isMap(handler) ? handler : null;
}
