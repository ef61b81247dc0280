/** The list of commands: one line here, one file beside it. */
import type { ArgumentsCamelCase, Argv } from 'yargs';

/** The tasks by which `policy --help` lists the commands, in its order. */
export const GROUPS = [
  'Decide',
  'Write policies',
  'Check files',
  'Gate a runner',
  'See what happened',
  'Agents and tools',
  'This program',
] as const;
export type Group = (typeof GROUPS)[number];

/** What the file of a command exports. */
export interface CommandFile {
  /** How it is called and what it does: the head of its help. */
  readonly usage: string;
  /** Declares the command's arguments, options and examples. */
  readonly options: (program: Argv) => Argv;
  /** Does the work; the exit code. Throws UsageError for what the user can put right. */
  readonly run: (args: ArgumentsCamelCase) => Promise<number>;
}

export interface CommandEntry {
  /** As yargs reads it: name, then `<required>` and `[optional]` arguments. */
  readonly command: string;
  /** The task that it belongs to. */
  readonly group?: Group;
  readonly describe: string;
  readonly load: () => Promise<CommandFile>;
}

export const commands: readonly CommandEntry[] = [
  {
    command: 'check [tool] [input]',
    group: 'Decide',
    describe: 'May this tool call run? Prints allow, ask or deny, and why',
    load: () => import('./check.js'),
  },
  {
    command: 'lint [paths..]',
    group: 'Check files',
    describe: 'What is wrong with the agent definitions and policies here?',
    load: () => import('./lint.js'),
  },
  {
    command: 'log <action> [id]',
    group: 'See what happened',
    describe: 'What was decided: tail, show, query',
    load: () => import('./log.js'),
  },
  {
    command: 'preset <action> [what]',
    group: 'Write policies',
    describe: 'The shipped presets: list, expand, map, resolve, infer',
    load: () => import('./preset.js'),
  },
  {
    command: 'agents <action> [name]',
    group: 'Agents and tools',
    describe: 'The agent definitions found here: list, show',
    load: () => import('./agents.js'),
  },
  {
    command: 'tools <action>',
    group: 'Agents and tools',
    describe: 'The tools that rules can name: list',
    load: () => import('./tools.js'),
  },
  {
    command: 'overlay <action>',
    group: 'Write policies',
    describe: "An agent's permissions as a file: write",
    load: () => import('./overlay.js'),
  },
];
