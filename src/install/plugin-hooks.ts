/** The hook as a file of its own (OpenCode's plugin): it is ours when the command line in it is. */
import type { IsOurs } from './json-hooks.js';

/** Why a file stays as it is. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/** The new text; another program's file is left alone. Throws PluginError. */
export function withPlugin(source: string, wanted: string, isOurs: IsOurs): string {
  if (source.trim() !== '' && ourPluginCommands(source, isOurs).length === 0)
    throw new PluginError('it is not a plugin of ours; move it elsewhere');
  return wanted;
}

/** Null: the file has to go. */
export function withoutPlugin(source: string, isOurs: IsOurs): string | null {
  return ourPluginCommands(source, isOurs).length === 0 ? source : null;
}

/** The command lines of ours that a plugin starts. */
export function ourPluginCommands(source: string, isOurs: IsOurs): readonly string[] {
  return [...source.matchAll(/^const command = (".*");\r?$/gm)].flatMap(([, literal = '']) => {
    const command = textOf(literal);
    return command !== null && isOurs(command) ? [command] : [];
  });
}

/** The events that a plugin of ours hands to the policy. */
export function ourPluginEvents(source: string): readonly string[] {
  return [...new Set([...source.matchAll(/\bhook: '([\w.]+)'/g)].flatMap(([, event]) => event ?? []))];
}

function textOf(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : null;
  } catch {
    // Not written by us.
    return null;
  }
}
