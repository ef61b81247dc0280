/** The commands that an entry of a skill's `allowed-tools` permits. */
import { commandOpenedBy } from '../commands/wide-commands.js';

const LONGEST = 1_000;

/** Returns what an entry of allowed-tools opens to any command; null for an entry that names its commands. */
export function openedBy(entry: string): string | null {
  const [, tool, pattern] = /^(Bash|PowerShell)(?:\((.*)\))?$/s.exec(entry) ?? [];
  if (tool === undefined) return null;
  if (pattern === undefined || /^\s*\*+\s*$/.test(pattern)) return 'every command';
  if (pattern.length > LONGEST) return null;
  const interpreter = commandOpenedBy(pattern, 'interpreter');
  if (interpreter !== null) return `any program through ${interpreter}`;
  return commandOpenedBy(pattern, 'destructive');
}
