/** The hook as a file of its own (OpenCode's plugin): the file is ours if its command line is. */
import type { IsOurs } from './json-hooks.js';

/** The reason why a file is left unchanged. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/** Returns the new text; leaves another program's file alone. Throws PluginError. */
export function withPlugin(source: string, wanted: string, isOurs: IsOurs): string {
  if (source.trim() !== '' && ourPluginCommands(source, isOurs).length === 0)
    throw new PluginError('it is not our plugin; move it elsewhere');
  return wanted;
}

/** Returns null if the file has to be removed. */
export function withoutPlugin(source: string, isOurs: IsOurs): string | null {
  return ourPluginCommands(source, isOurs).length === 0 ? source : null;
}

/** Returns our command lines that a plugin starts. */
export function ourPluginCommands(source: string, isOurs: IsOurs): readonly string[] {
  return [...source.matchAll(/^const command = (".*");\r?$/gm)].flatMap(([, literal = '']) => {
    const command = textOf(literal);
    return command !== null && isOurs(command) ? [command] : [];
  });
}

/** Returns the events that our plugin passes to the policy. */
export function ourPluginEvents(source: string): readonly string[] {
  return [...new Set([...source.matchAll(/\bhook: '([\w.]+)'/g)].flatMap(([, event]) => event ?? []))];
}

function textOf(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : null;
  } catch {
    // The file is not ours.
    return null;
  }
}
