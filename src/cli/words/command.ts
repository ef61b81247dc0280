/** What a command is: what it takes, how its help reads, and what it does. */
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

/** A word on the command line that is no flag. */
export interface ArgumentDeclaration {
  readonly describe: string;
  /** The only words that it may be. */
  readonly choices?: readonly string[];
  /** Words that a shell offers; others are welcome. */
  readonly suggested?: readonly string[];
  /** Takes all words that are left. */
  readonly array?: true;
  /** What the help calls it (default: its name); FILE and DIR complete paths, COMMAND the names of commands. */
  readonly value?: string;
}

/** A flag: a switch, unless it has a `value` or `choices`. */
export interface OptionDeclaration {
  readonly describe: string;
  /** The title it stands under in the help (default: Options). */
  readonly group?: string;
  /** One letter that stands for it. */
  readonly alias?: string;
  /** What the help calls its value (default: its name); FILE and DIR complete paths. */
  readonly value?: string;
  /** The only values that it may have. */
  readonly choices?: readonly string[];
  /** Words that a switch may be given with, behind an equals sign: `--fix=unsafe`. */
  readonly attached?: readonly string[];
  /** A text that may begin with a dash or stand in quotes; it is taken as it is. */
  readonly verbatim?: true;
  /** The only actions that it goes with, by the first argument; the help names them first. */
  readonly of?: readonly string[];
  /** What holds when it is not given, in words for the help. */
  readonly default?: string;
}

/** What a command takes, by name: flags in the order of the help. */
export interface Takes {
  readonly arguments?: Readonly<Record<string, ArgumentDeclaration>>;
  readonly options?: Readonly<Record<string, OptionDeclaration>>;
}

/** A line that a reader can try, with what it prints; tests run it in a copy of test/fixtures/demo-repo. */
export interface Example {
  readonly says: string;
  /** A line for a shell, as typed. */
  readonly line: string;
  readonly exit: number;
  /** What it prints to standard output, line by line; a line `…` stands for any number of lines. Times and ids are only samples. */
  readonly prints: readonly string[];
}

/** The part of a command's help that is not declared elsewhere. */
export interface CommandHelp {
  /** Lines `$0 NAME …` of how it is called, an empty line, and what it does in a few sentences. */
  readonly usage: string;
  readonly exitCodes: readonly (readonly [code: number, means: string])[];
  readonly files: readonly (readonly [file: string, what: string])[];
  readonly examples: readonly Example[];
}

/** A file of commands/. */
export interface CommandFile {
  readonly takes: Takes;
  /** Does the work; the exit code. Throws UsageError for what the user can fix. */
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
