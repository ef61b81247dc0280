/** Commands that do not read their standard input: in the body of `while read`, a command must not consume any of the loop's input. */
import type { CommandLine, ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { suppliedWords } from '../judge/evaluate.js';
import type { Command } from '../model/command.js';
import { hasPipedInput } from '../model/pipes.js';

/** Commands that never read it, whatever their words, except for the words below; of git, only these subcommands. */
const DEAF: ReadonlySet<string> = new Set(
  (
    'echo printf test [ true false : break continue exit basename dirname realpath readlink pwd date sleep ls stat du ' +
    'git/log git/show git/diff git/blame git/status git/rev-parse git/rev-list git/ls-files git/ls-tree git/branch git/tag ' +
    'git/describe git/grep'
  ).split(' '),
);
/** Commands that read it only if no operand is a file. Not awk, for which `x=1` is not a file. */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat head tail wc grep egrep fgrep rg sed sort uniq cut nl tac rev od xxd jq diff cmp file strings cksum ' +
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum'
  ).split(' '),
);
/** `-`, `-f-`, `--file=-`; `--stdin`, `--batch`; `jq --args`, which makes strings of the operands: with these, it may be read after all. */
const INPUT_WORD = /^-$|^-[A-Za-z]-$|=-$|stdin|batch|^--(?:json)?args$|\/dev\/|\/fd\//;

/** Whether the command at an index of the list certainly leaves alone the input of the loop around it. */
export function leavesInput(line: CommandLine, at: number, command: Command | null): boolean {
  const invocation = line.invocations[at];
  if (invocation === undefined) return false;
  if (invocation.argv.length === 0 || hasPipedInput(line, at) || invocation.redirections.some(isInput)) return true;
  if (command === null || command.wrapper !== null || !command.verdict.known || invocation.argv.some(mayMeanInput)) return false;
  const { words, effects } = command.verdict;
  if (DEAF.has(words.join('/'))) return true;
  const [name = ''] = words;
  const operands = READERS.has(name) ? (suppliedWords(invocation, name)?.operands ?? []) : [];
  return effects.some(({ action, path }) => action === 'read' && path !== null && operands.includes(path));
}

function mayMeanInput({ value }: ShellWord): boolean {
  return value !== null && INPUT_WORD.test(value);
}

function isInput({ direction, descriptor }: ShellRedirection): boolean {
  return (direction === 'read' || direction === 'here') && (descriptor === null || descriptor === 0);
}
