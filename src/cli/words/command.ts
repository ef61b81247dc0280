/** The description of a command: its arguments and options, its help, and its work. */
import type { Arguments } from './arguments.js';

/** The tasks by which `policy --help` lists the commands, in its order. */
export const GROUPS = [
  'Decide',
  'Write policies',
  'Check files',
  'Install hooks',
  'See what happened',
  'Agents and tools',
  'This program',
] as const;
export type Group = (typeof GROUPS)[number];

/** A positional argument. */
export interface ArgumentDeclaration {
  readonly describe: string;
  /** The only allowed words. */
  readonly choices?: readonly string[];
  /** Words that a shell offers; others are allowed. */
  readonly suggested?: readonly string[];
  /** Takes all remaining words. */
  readonly array?: true;
  /** Its name in the help (default: its name in capitals); FILE and DIR complete paths, COMMAND the names of commands. */
  readonly value?: string;
}

/** A flag: a switch, unless it has a `value` or `choices`. */
export interface OptionDeclaration {
  readonly describe: string;
  /** The title of its section in the help (default: Options). */
  readonly group?: string;
  /** A one-letter alias. */
  readonly alias?: string;
  /** The name of its value in the help (default: its name in capitals); FILE and DIR complete paths. */
  readonly value?: string;
  /** The only allowed values. */
  readonly choices?: readonly string[];
  /** Words that a switch accepts after an equals sign: `--fix=unsafe`. */
  readonly attached?: readonly string[];
  /** A text that may begin with a dash or be in quotes; it is taken unchanged. */
  readonly verbatim?: true;
  /** The only actions that it is allowed with, by the first argument; the help names them first. */
  readonly of?: readonly string[];
  /** The effect when it is not given, in words for the help. */
  readonly default?: string;
}

/** The arguments and options of a command, by name: flags in the order of the help. */
export interface Takes {
  readonly arguments?: Readonly<Record<string, ArgumentDeclaration>>;
  readonly options?: Readonly<Record<string, OptionDeclaration>>;
}

/** A command line that a reader can try, with its output; tests run it in a copy of test/fixtures/demo-repo. */
export interface Example {
  readonly says: string;
  /** A line for a shell, as typed. */
  readonly line: string;
  readonly exit: number;
  /** Its output to standard output, line by line; a line `…` stands for any number of lines. Times and ids are only samples. */
  readonly prints: readonly string[];
}

/** The part of a command's help that is not declared elsewhere. */
export interface CommandHelp {
  /** Lines `$0 NAME …` with its synopsis, an empty line, and a description in a few sentences. */
  readonly usage: string;
  readonly exitCodes: readonly (readonly [code: number, means: string])[];
  readonly files: readonly (readonly [file: string, what: string])[];
  readonly examples: readonly Example[];
}

/** A file of commands/. */
export interface CommandFile {
  readonly takes: Takes;
  /** Does the work; returns the exit code. Throws UsageError for errors that the user can fix. */
  run(args: Arguments, commands: readonly CommandEntry[]): Promise<number>;
}

export interface CommandEntry {
  /** Its name, then `<required>` and `[optional]` arguments. */
  readonly command: string;
  /** The task that it belongs to. */
  readonly group: Group;
  readonly describe: string;
  readonly help: () => CommandHelp;
  readonly load: () => Promise<CommandFile>;
}

/** `check [tool] [input]` → `check` */
export function nameOf({ command }: Pick<CommandEntry, 'command'>): string {
  return command.split(' ')[0] ?? '';
}
