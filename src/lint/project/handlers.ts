/** The hooks of a file of any runner: which event starts which program, for which tools. */

import { agentFoldersOf } from '../../agent/folders.js';
import { runnerOfFormat } from '../../agent/format.js';
import { type Fields, isFields } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { AgentFile, ConfigFile, TextFile } from '../files/files.js';
import type { LocatedText } from '../text/located-text.js';
import { onceFor, oncePerProject } from './project.js';

export interface HookCommand {
  readonly pointer: string;
  readonly text: string;
  /** Arguments of a program that is started without a shell; null if there are none. */
  readonly args: readonly string[] | null;
  readonly shell: 'posix' | 'powershell';
}

/** A file that can contain hooks: settings, and the front matter of definitions, skills and commands of Claude Code. */
export type HookFile = ConfigFile | AgentFile | TextFile;

/** An action that an event starts: a command, a request or a prompt. */
export interface HookHandler {
  readonly file: HookFile;
  readonly data: LocatedText;
  readonly runner: RunnerId;
  readonly event: string;
  readonly fields: Fields;
  readonly pointer: string;
  /** The entry of the event that contains the handler; the handler itself if entries are not nested. */
  readonly group: Fields;
  readonly groupPointer: string;
  readonly commands: readonly HookCommand[];
  /** The pointer to a command line that was not examined because of a limit on its length or on all of the file; null: none. */
  readonly unread: string | null;
}

/** At most this many hook entries of one file are examined; nobody writes more. */
const MOST = 300;
/** The maximum number of events of one file; runners have about thirty. */
const MOST_EVENTS = 100;
/** Longer command lines are not examined. */
const LONGEST = 16_384;
/** At most this many characters of the command lines of one file are examined. */
const MOST_TEXT = 65_536;

/** The kinds of files that have a map of events, below `hooks`. */
const WITH_EVENTS: ReadonlySet<string> = new Set(
  'claude-settings claude-hooks claude-plugin codex-config codex-hooks gemini-settings qwen-settings copilot-hooks copilot-settings cursor-hooks'.split(
    ' ',
  ),
);
/** Keys in the map of events that are not events. */
const NO_EVENTS: ReadonlySet<string> = new Set('enabled disabled disableAllHooks state managed_dir notifications'.split(' '));

/** An event with its registered hooks, as written. */
export interface HookEvent {
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns the JSON pointer to a file's map of events; null if files of this kind have no such map. */
export function hooksPointer(file: HookFile): string | null {
  if (file.kind === 'config') return WITH_EVENTS.has(file.config) ? '/hooks' : null;
  return runnerOfHooks(file) === null ? null : '/hooks';
}

/**
 * The runner that starts the hooks of a file; null if none does. Some runners enable the hooks of an agent, skill or command
 * together with it, but ignore the hooks of an agent from a plugin.
 */
export function runnerOfHooks(file: HookFile): RunnerId | null {
  if (file.kind === 'config') return file.runner;
  if (file.kind === 'text')
    return file.runner !== null && file.text !== 'instructions' && bringsEvents(file.runner) ? file.runner : null;
  const runner = runnerOfFormat(file.format);
  const isInPlace = agentFoldersOf(runner).some(({ folder }) => `/${file.path}`.includes(`/${folder}/`));
  return isInPlace && bringsEvents(runner) ? runner : null;
}

/** Whether a runner starts hooks from front matter. If their events may have any name, the doctor judges them instead. */
function bringsEvents(runner: RunnerId): boolean {
  const { frontMatterHooks } = traitsOf(runner);
  return frontMatterHooks !== undefined && !frontMatterHooks.anyEvent;
}

/** True for a file that was not read completely, so that a correction in it could be wrong. */
export function isUncertain(file: HookFile): boolean {
  return file.kind === 'config' && file.mistakes.length > 0;
}

/** Returns the events of a file, whether its runner knows them or not. */
export function eventsOf(file: HookFile): HookEvent[] {
  const above = hooksPointer(file);
  const map = above === null ? undefined : file.data?.at(above);
  if (above === null || !isFields(map)) return [];
  return Object.keys(map)
    .filter((name) => !NO_EVENTS.has(name))
    .slice(0, MOST_EVENTS)
    .map((name) => ({ name, pointer: pointerTo(above, name), value: map[name] }));
}

/** Returns the files of a project that name a map of events. */
export const hookFilesOf = oncePerProject((project): readonly HookFile[] => [
  ...project.configs.filter((file) => hooksPointer(file) !== null),
  ...[...project.agents, ...project.texts].filter(({ data }) => data?.keys.includes('hooks') === true),
]);

/** Returns every hook of a file, nested in groups or not. */
export const handlersOf: (file: HookFile) => readonly HookHandler[] = onceFor(readHandlers);

function readHandlers(file: HookFile): HookHandler[] {
  const { data } = file;
  const runner = runnerOfHooks(file);
  if (data === null || runner === null) return [];
  const found: HookHandler[] = [];
  let text = 0;
  for (const { name: event, pointer, value } of eventsOf(file)) {
    if (!Array.isArray(value)) continue;
    for (const [index, group] of value.slice(0, MOST).entries()) {
      if (!isFields(group)) continue;
      const groupPointer = pointerTo(pointer, index);
      const nested: unknown = group.hooks;
      const entries = Array.isArray(nested)
        ? nested.map((fields: unknown, at) => ({ fields, pointer: pointerTo(`${groupPointer}/hooks`, at) }))
        : [{ fields: group, pointer: groupPointer }];
      for (const { fields, pointer: place } of entries.slice(0, MOST - found.length)) {
        if (!isFields(fields)) continue;
        const written = commandsIn(fields, place);
        const commands = written.filter((command) => command.text.length <= Math.min(LONGEST, MOST_TEXT - text));
        text += commands.reduce((sum, command) => sum + command.text.length, 0);
        const unread = written.find((command) => !commands.includes(command))?.pointer ?? null;
        found.push({ file, data, runner, event, fields, group, groupPointer, pointer: place, commands, unread });
      }
    }
  }
  return found;
}

const COMMANDS = [
  ['command', 'posix'],
  ['bash', 'posix'],
  ['powershell', 'powershell'],
] as const;

function commandsIn(fields: Fields, above: string): HookCommand[] {
  const args = Array.isArray(fields.args) ? fields.args.map((one: unknown) => (typeof one === 'string' ? one : '')) : null;
  return COMMANDS.flatMap(([key, written]): HookCommand[] => {
    const text = fields[key];
    if (typeof text !== 'string') return [];
    const shell = fields.shell === 'powershell' ? 'powershell' : written;
    return [{ pointer: pointerTo(above, key), text, args: key === 'command' ? args : null, shell }];
  });
}

/** The events before a call, at which a hook can stop it. */
const BEFORE_CALL: ReadonlySet<string> = new Set(
  'PreToolUse preToolUse BeforeTool beforeShellExecution beforeMCPExecution beforeReadFile'.split(' '),
);

export function isBeforeCall({ event }: Pick<HookHandler, 'event'>): boolean {
  return BEFORE_CALL.has(event);
}

/** The matcher of a hook as written; undefined if there is none. */
export function matcherOf({ group, fields }: HookHandler): unknown {
  return Object.hasOwn(group, 'matcher') ? group.matcher : fields.matcher;
}
