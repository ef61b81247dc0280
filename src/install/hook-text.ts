/** Adds our hook to the text of a runner's file, removes it, or inspects it, in every format. */

import { JsonTextError } from '../disk/json-text.js';
import { WriteError } from '../disk/replace.js';
import type { HookFile, Runner } from '../runner/hook/runner.js';
import { type IsKept, type IsOurs, ourJsonCommands, ourJsonEvents, withJsonHooks, withoutJsonHooks } from './json-hooks.js';
import { ourPluginCommands, ourPluginEvents, PluginError, withoutPlugin, withPlugin } from './plugin-hooks.js';
import { ourTomlCommands, TomlTextError, tomlHooks, withoutTomlHooks, withTomlHooks } from './toml-hooks.js';

/** The file, its format and runner, and its text. */
interface HookText {
  readonly file: string;
  readonly form: HookFile['form'];
  readonly runner: Runner;
  readonly text: string | null;
}

/**
 * Returns the text with the hook of `command`. Throws WriteError with the place of the obstacle.
 * @param kept entries that have to stay in their positions, see withJsonHooks
 */
export function withHook({ file, form, runner, text }: HookText, command: string, isOurs: IsOurs, kept?: IsKept): string {
  const wanted = runner.settings(command).text;
  if (text === null || text.trim() === '')
    return form === 'toml' ? withTomlHooks('', wanted, isOurs, (line) => runner.settings(line).text) : wanted;
  return guarded(file, () => {
    if (form === 'plugin') return withPlugin(text, wanted, isOurs);
    if (form === 'toml') return withTomlHooks(text, wanted, isOurs, (line) => runner.settings(line).text);
    return withJsonHooks(text, wanted, form === 'strict-json', isOurs, kept);
  });
}

/** Returns the text without our hooks; null: nothing is left, and the file is removed. Throws WriteError. */
export function withoutHook({ file, form, runner, text }: HookText, isOurs: IsOurs): string | null {
  if (text === null || text.trim() === '') return text;
  return guarded(file, () => {
    if (form === 'plugin') return withoutPlugin(text, isOurs);
    if (form === 'toml') return withoutTomlHooks(text, isOurs, (line) => runner.settings(line).text);
    return withoutJsonHooks(text, form === 'strict-json', isOurs);
  });
}

/** Returns our command lines in a text. Throws WriteError. */
export function ourCommands({ file, form, text }: HookText, isOurs: IsOurs): readonly string[] {
  if (text === null || text.trim() === '') return [];
  return guarded(file, () => {
    if (form === 'plugin') return ourPluginCommands(text, isOurs);
    if (form === 'toml') return ourTomlCommands(text, isOurs);
    return ourJsonCommands(text, form === 'strict-json', isOurs);
  });
}

/** Returns the events of the runner that have a hook of ours. Throws WriteError. */
export function ourEvents({ file, form, text }: HookText, isOurs: IsOurs): readonly string[] {
  if (text === null || text.trim() === '') return [];
  return guarded(file, () => {
    if (form === 'plugin') return ourPluginEvents(text);
    if (form === 'toml')
      return [...new Set(tomlHooks(text).flatMap(({ command, event }) => (isOurs(command) ? (event ?? []) : [])))];
    return ourJsonEvents(text, form === 'strict-json', isOurs);
  });
}

/** Does the work; adds the name of the file to errors in its text. */
export function guarded<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof TomlTextError || error instanceof PluginError)
      throw new WriteError(`${file}: ${error.message}; nothing was changed`);
    throw error;
  }
}
