/** Text in the line that a program reads as commands: `echo 'rm x' | sh`, `bash <(echo rm x)`, `at now <<< 'rm x'`. */

import { readCommandLine } from '../../shell/read.js';
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import type { Command } from '../model/command.js';
import { commandsInOptions, mayHoldCommands } from './option-commands.js';

const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf', 'cat', 'tee', 'base64']);

/**
 * The text that a command writes to its standard output, if the line contains it; null when it may be anything.
 * @param input the contents of its standard input, if known
 */
export function printedText({ argv, redirections }: Invocation, input: string | null): string | null {
  const name = baseName(argv[0]);
  if (!PRINTERS.has(name)) return null;
  const words: string[] = [];
  for (const { value } of argv.slice(1)) {
    if (value === null) return null;
    words.push(value);
  }
  switch (name) {
    case 'echo':
      return unescaped(words.join(' '));
    case 'printf':
      return formatted(words[0] === '--' ? words.slice(1) : words);
    case 'cat':
      return words.every((word) => word === '-') ? (hereText(redirections) ?? input) : null;
    case 'tee':
      return input;
    case 'base64': {
      const encoded = hereText(redirections) ?? input;
      const decodes = words.some((word) => word === '-d' || word === '-D' || word === '--decode');
      return decodes && encoded !== null ? Buffer.from(encoded, 'base64').toString() : null;
    }
    default:
      return null;
  }
}

/** `printf 'rm %s' x`: repeats the format while there are words for it. */
function formatted([format = '', ...words]: readonly string[]): string {
  const given = words.slice(0, MOST_WORDS);
  let text = '';
  do text += format.replace(/%(?:[-\d.]{0,8}[sbq]|%)/g, (mark) => (mark === '%%' ? '%' : (given.shift() ?? '')));
  while (given.length > 0 && /%[-\d.]{0,8}[sbq]/.test(format) && text.length < LONGEST_SCRIPT);
  return unescaped(text);
}

const MOST_WORDS = 256;

function unescaped(text: string): string {
  return text.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
}

/**
 * The commands that a program reads from `given`, its standard input, or from its own words; null when the line does not contain
 * them. `shell`: the program does nothing else, so there are no other words to judge.
 */
export function commandsRead(command: Command, given: string | null): { readonly text: string; readonly shell: boolean } | null {
  if (command.wrapper?.kind === 'appending') {
    const words = handedWords(command.invocation) ?? hereText(command.invocation.redirections) ?? given;
    return words === null ? null : appendedTo(command, words);
  }
  const { invocation } = innermost(command);
  const name = baseName(invocation.argv[0]);
  if (!reads(name) && invocation.assignments.length === 0) return null;
  const form = READERS.get(name);
  if (form !== undefined) {
    const text = (name === 'crontab' || name === 'make' || name === 'gmake') && !readsInput(invocation, name) ? null : given;
    const input = hereText(invocation.redirections) ?? text;
    return input === null ? null : { text: input.split('\n').map(form).join('\n'), shell: false };
  }
  if (!SHELLS.has(name) && !SCRIPTED.has(name)) {
    const options = commandsInOptions(name, invocation);
    return options === null ? null : { text: options, shell: false };
  }
  const text = substituted(invocation) ?? (SHELLS.has(name) && invocation.argv.slice(1).every(isQuiet) ? given : null);
  return text === null ? null : { text, shell: true };
}

/** `echo .env | xargs cat`, `… | xargs -I{} sh -c 'cat {}'`, `xargs rm <<< .git`: the commands that xargs runs with its input words. */
function appendedTo({ invocation, inner }: Command, given: string): { readonly text: string; readonly shell: boolean } | null {
  const first = inner[0]?.invocation.argv[0];
  const from = first === undefined ? -1 : invocation.argv.findIndex(({ span }) => span.start === first.span.start);
  const end = invocation.argv.findIndex(isHanding);
  if (from < 0 || (end >= 0 && end < from) || given.length > LONGEST_SCRIPT) return null;
  const options = textOf(invocation.argv.slice(0, from));
  const words = textOf(invocation.argv.slice(from, end < 0 ? invocation.argv.length : end));
  const mark = / -I\s*["']?([^\s"']+)/.exec(options)?.[1] ?? (/ (?:-i|--replace)(?= |$)/.test(options) ? '{}' : null);
  const taken = given.trim().split(/\s+/).slice(0, MOST_WORDS).join(' ');
  return { text: mark === null ? `${words} ${taken}` : words.replaceAll(mark, () => taken), shell: false };
}

/** `parallel rm ::: .git`: the words after the mark. */
function handedWords({ argv }: Invocation): string | null {
  const at = argv.findIndex(isHanding);
  return at < 0 ? null : textOf(argv.slice(at + 1));
}

function isHanding({ value }: ShellWord): boolean {
  return value === ':::' || value === ':::+';
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

type Form = (line: string) => string;

const asItIs: Form = (line) => line;
/** `* * * * * command`, `@reboot command`. */
const withoutTime: Form = (line) => line.replace(/^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s/, '');
/** `target: needs; command`, or a recipe after its tab; `@` and `-` before a recipe are for make. */
const withoutTarget: Form = (line) => line.replace(/^[^\t:=;]*:[^;]*;/, '').replace(/^\s*[@+-]*/, '');

/** Programs other than shells that read commands from their input, and how each line becomes a command. */
const READERS: ReadonlyMap<string, Form> = new Map([
  ['at', asItIs],
  ['batch', asItIs],
  ['crontab', withoutTime],
  ['make', withoutTarget],
  ['gmake', withoutTarget],
]);

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish']);
/** Builtins that read a file or a string as commands. */
const SCRIPTED: ReadonlySet<string> = new Set(['.', 'source', 'eval']);

/** Whether a program may read commands; most never do. */
function reads(name: string): boolean {
  return READERS.has(name) || SHELLS.has(name) || SCRIPTED.has(name) || mayHoldCommands(name);
}

/** `crontab -`, `make -f -`. */
function readsInput({ argv }: Invocation, name: string): boolean {
  if (name === 'crontab' && argv.length === 1) return true;
  return argv.some(({ value }) => value === '-' || value === '-f-' || value === '/dev/stdin');
}

/** Whether a word is an option or a name of standard input: anything else is a file, or the script itself. */
function isQuiet({ value }: ShellWord): boolean {
  return value !== null && (value === '/dev/stdin' || (value.startsWith('-') && !value.includes('c')));
}

/** `bash -c "$(echo rm x)"`, `source <(echo rm x)`, `. /dev/stdin <<< 'rm x'`. */
function substituted({ argv, redirections }: Invocation): string | null {
  for (const { value, text } of argv.slice(1)) {
    if (value === '/dev/stdin') return hereText(redirections);
    const [, inner, ticked] = /^"?(?:[$<]\(([\s\S]*)\)|`([\s\S]*)`)"?$/.exec(text) ?? [];
    const script = inner ?? ticked;
    if (value === null && script !== undefined && script.length <= LONGEST_SCRIPT) return lastPrinted(script);
  }
  return null;
}

/** Scripts with more characters than this are not read as plain text. */
const LONGEST_SCRIPT = 4096;

/** The output of a pipeline, if its text contains that. */
export function lastPrinted(script: string): string | null {
  const { invocations } = readCommandLine(script, 'union');
  let text: string | null = null;
  for (const [at, invocation] of invocations.entries()) {
    if (at > 0 && !invocation.piped) return null;
    text = printedText(invocation, text);
    if (text === null) return null;
  }
  return text;
}

function hereText(redirections: Invocation['redirections']): string | null {
  return redirections.findLast(({ direction, descriptor }) => direction === 'here' && (descriptor ?? 0) === 0)?.text ?? null;
}

function innermost(command: Command): Command {
  const [only] = command.inner;
  return only === undefined ? command : innermost(only);
}

function baseName(word: ShellWord | undefined): string {
  const value = word?.value ?? '';
  return value.slice(value.lastIndexOf('/') + 1);
}
