/** The texts of a command line that Claude Code compares with Bash rules (2.1.329; test/fixtures/vectors/claude-code). */
import type { Command } from '../../command/model/command.js';
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import type { ShellRedirection, ShellWord } from '../../shell/syntax/types.js';

/** Returns for each command its texts, one of which has to match; null when the line contains a construct that no allow rule covers. */
export function allowedTexts(line: string): readonly (readonly string[])[] | null {
  const tree = readCommands(readCommandLine(line, 'bash'), 'bash');
  if (tree.opaque.length > 0 || tree.commands.length === 0 || !tree.commands.every(mayBeAllowed)) return null;
  return tree.commands.map((command) =>
    [command, ...unwrapped(command, TAKEN_OFF)].flatMap((one) => [...spellings(one, line), ...withProgramUnquoted(one)]),
  );
}

/** Returns the texts any of which a deny or ask rule may match, including those of nested commands. */
export function restrictedTexts(line: string): readonly string[] {
  const tree = readCommands(readCommandLine(line, 'bash'), 'bash');
  const texts = [line.trim()];
  // A line that cannot be parsed can only be compared as a row of words.
  if (tree.opaque.some(({ code }) => code === 'parse-error')) texts.push(line.trim().replace(/(?<=\S)\(/g, ' ('));
  const set = assigned(tree.commands);
  for (const command of tree.commands.flatMap((one) => [one, ...unwrapped(one, LOOKED_THROUGH)]))
    for (const text of spellings(command, line)) texts.push(text, withoutFolder(text), withoutFolder(bare(command, text, set)));
  return texts;
}

/** Returns the variables that the line sets to plain strings: `X=zz; $X a`. */
function assigned(commands: readonly Command[]): ReadonlyMap<string, string> {
  const found = commands.flatMap(({ invocation: { argv, assignments } }) => (argv.length === 0 ? assignments : []));
  return new Map(found.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])));
}

/** Whether it is a command of a list or pipeline that writes no file and runs before the next one. */
function mayBeAllowed({ invocation }: Command): boolean {
  const { argv, redirections, background, enclosures } = invocation;
  if (argv.length === 0 || background || argv.some(isRewritten)) return false;
  return redirections.every((one) => isHarmless(one, argv)) && enclosures.every((one) => one === 'pipeline');
}

/** Harmless: redirections of another stream, to nowhere, or from a file of the project; never one that is written before the command. */
function isHarmless({ direction, target, span }: ShellRedirection, [program]: readonly ShellWord[]): boolean {
  if (program === undefined || span.start < program.span.start) return false;
  if (direction === 'duplicate' || target?.value === '/dev/null') return true;
  return direction === 'read' && target?.value != null && !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(target.value);
}

/** Whether the word spans two lines, or contains a list in braces: the client does not take such a command literally. */
function isRewritten({ text, value }: ShellWord): boolean {
  return text.includes('\\\n') || (/\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(text) && value?.includes('{') !== true);
}

/** Wrappers that are removed before the comparison; `xargs` only without options. */
const TAKEN_OFF: ReadonlySet<string> = new Set('timeout time nice nohup stdbuf command builtin noglob xargs'.split(' '));
/** Wrappers in which deny and ask rules find commands as well. */
const LOOKED_THROUGH: ReadonlySet<string> = new Set([
  ...TAKEN_OFF,
  ...'doas env exec flock ionice script setsid strace sudo watch'.split(' '),
]);

function unwrapped({ wrapper, inner, invocation }: Command, names: ReadonlySet<string>): readonly Command[] {
  if (wrapper === null || !names.has(wrapper.name)) return [];
  if (wrapper.name === 'xargs' && invocation.argv[1]?.text.startsWith('-') === true) return [];
  return inner.flatMap((one) => [one, ...unwrapped(one, names)]);
}

/** Returns the command as written, and with single spaces between its words; assignments are part of it. */
function spellings({ invocation: { span, argv, assignments } }: Command, line: string): readonly string[] {
  // The word `time` is no command to the parser, but the client compares it (2.1.197 and 2.1.332).
  const timed = /^\s*time\s+$/.exec(line.slice(0, Math.min(span.start, 20)));
  const written = line.slice(span.start, span.end);
  if (timed !== null && line.slice(0, span.start) === timed[0] && assignments.length === 0) return [written, `time ${written}`];
  return assignments.length > 0 ? [written] : [written, argv.map(({ text }) => text).join(' ')];
}

/** Returns the command with the program's name unquoted; not for commands with assignments, or for `zz\ a`, which is one word. */
function withProgramUnquoted({ invocation: { argv, assignments } }: Command): readonly string[] {
  const [program, ...others] = argv;
  if (assignments.length > 0 || program === undefined || program.value === null || /\s/.test(program.value)) return [];
  return [[program.value, ...others.map(({ text }) => text)].join(' ')];
}

/** Returns the command without preceding assignments; a program named by a variable of the line is replaced by the variable's value. */
function bare({ invocation: { argv } }: Command, text: string, set: ReadonlyMap<string, string>): string {
  if (argv.length === 0) return text;
  const program = (word: ShellWord) => word.value ?? set.get(/^\$\{?(\w+)\}?$/.exec(word.text)?.[1] ?? '') ?? word.text;
  return argv.map((word, index) => (index === 0 ? program(word) : word.text)).join(' ');
}

function withoutFolder(text: string): string {
  return text.replace(/^[^\s/]*\/(?:[^\s/]*\/)*(?=[^\s/])/, '');
}
