/** Shells, interpreters and prompts: the file that they run, and whether they read commands from standard input. */
import { data } from '../../generated/data.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { calledAs } from './called-commands.js';
import type { Command } from './command.js';

interface Entry {
  readonly commands: readonly string[];
  readonly script: readonly string[];
  readonly operands: number;
  readonly values: readonly string[];
  readonly typed: readonly string[];
  readonly clusters?: { readonly script?: string; readonly typed?: string };
}

interface Keystrokes {
  readonly byCommand: ReadonlyMap<string, Entry>;
  readonly feeders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

let ready: Keystrokes | null = null;

/** The contents of rules/keystrokes.yaml. */
export function keystrokes(): Keystrokes {
  if (ready !== null) return ready;
  const { entries, feeders, files } = data('keystrokes') as {
    readonly entries: readonly Entry[];
    readonly feeders: readonly string[];
    readonly files: readonly string[];
  };
  const byCommand = new Map(entries.flatMap((entry) => entry.commands.map((command) => [command, entry] as const)));
  ready = { byCommand, feeders: new Set(feeders), files: new Set(files) };
  return ready;
}

/** True for a shell or an interpreter without a program, which therefore runs its input. */
export function readsProgram(command: Command): boolean {
  const entry = entryOf(command);
  return entry !== undefined && entry.operands > 0 && waits(command);
}

/** The file that a shell or an interpreter runs; null for another command, and when the line itself contains the program. */
export function scriptOperand(command: Command): string | null {
  const entry = entryOf(command);
  const words = command.invocation.argv.slice(1);
  if (entry?.operands !== 1 || command.inner.length > 0 || words.some((word) => isScript(word, entry))) return null;
  return words.find((word, at) => isOperand(word) && !entry.values.includes(words[at - 1]?.value ?? ''))?.value ?? null;
}

function entryOf(command: Command): Entry | undefined {
  const called = calledAs(command);
  if (called === null) return undefined;
  const name = called.replace(/(?<=^(?:python|pypy|lua|perl|ruby|php))\d[\d.]*$/, '');
  return keystrokes().byCommand.get(called) ?? keystrokes().byCommand.get(name);
}

/** True for a listed program whose words do not tell it everything to do. */
export function waits(command: Command): boolean {
  const entry = entryOf(command);
  if (entry === undefined) return false;
  const words = command.invocation.argv.slice(1);
  if (words.some((word) => isTyped(word, entry))) return true;
  // The command inside a wrapper (`sudo -u x ls`) is judged separately.
  if (command.inner.length > 0 && entry.operands > 0) return false;
  if (words.some((word) => isScript(word, entry))) return false;
  return entry.operands === 0 || operandsIn(words, entry) < entry.operands;
}

function isTyped({ value }: ShellWord, { typed, clusters }: Entry): boolean {
  return value !== null && (typed.includes(value) || inCluster(value, clusters?.typed));
}

function isScript({ value }: ShellWord, { script, clusters }: Entry): boolean {
  return value !== null && (script.includes(value.split('=', 1)[0] ?? '') || inCluster(value, clusters?.script));
}

/** Whether a cluster contains one of the letters, as `-lc` contains c. */
function inCluster(value: string, letters: string | undefined): boolean {
  if (letters === undefined || !/^-[A-Za-z]{2,8}$/.test(value)) return false;
  return [...value.slice(1)].some((letter) => letters.includes(letter));
}

/** Counts the words that certainly name a file or a string: not options, their values, or names of the terminal. */
function operandsIn(words: readonly ShellWord[], { values }: Entry): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) continue;
    if (word.value !== null && values.includes(word.value)) at += 1;
    else if (isOperand(word)) count += 1;
  }
  return count;
}

/** Operands that mean standard input. */
export const TERMINAL = /^(?:-|\/dev\/(?:stdin|tty\w*|fd\/0|pts\/\d+)|\/proc\/(?:self|thread-self|\d+)\/fd\/0)?$/;

export function isOperand({ value, literalPrefix }: ShellWord): boolean {
  if (value === null) return literalPrefix !== '' && !/^[-+]/.test(literalPrefix);
  return !/^[-+]/.test(value) && !TERMINAL.test(value);
}
