/** What the tree of a command line shows, in one line of text each: for tables of facts. */
import type { Shell } from '../../src/call/tool-call.js';
import type { Command } from '../../src/command/model/command.js';
import { readCommands } from '../../src/command/tree.js';
import { readCommandLine } from '../../src/shell/read.js';

export interface Seen {
  /** Innermost commands: name, `?` and the word for one without a name, `+` when unseen arguments are appended. */
  readonly leaves: string;
  /** Wrappers with their kinds, outermost first. */
  readonly wrappers: string;
  /** Opaque codes, each once. */
  readonly opaque: string;
}

export function see(line: string, shell: Shell = 'bash'): Seen {
  const tree = readCommands(readCommandLine(line, shell), shell);
  const leaves: string[] = [];
  const wrappers: string[] = [];
  const visit = (command: Command): void => {
    if (command.wrapper !== null) wrappers.push(`${command.wrapper.name}:${command.wrapper.kind}`);
    if (command.inner.length === 0) leaves.push(labelOf(command));
    command.inner.forEach(visit);
  };
  tree.commands.forEach(visit);
  return {
    leaves: leaves.join(' '),
    wrappers: wrappers.join(' '),
    opaque: [...new Set(tree.opaque.map((one) => one.code))].join(' '),
  };
}

function labelOf(command: Command): string {
  return `${command.name ?? `?${command.invocation.argv[0]?.value ?? ''}`}${command.appended ? '+' : ''}`;
}

/** Every command of a line, outer ones first. */
export function commandsOf(line: string, shell: Shell = 'bash'): Command[] {
  const found: Command[] = [];
  const visit = (command: Command): void => {
    found.push(command);
    command.inner.forEach(visit);
  };
  readCommands(readCommandLine(line, shell), shell).commands.forEach(visit);
  return found;
}
