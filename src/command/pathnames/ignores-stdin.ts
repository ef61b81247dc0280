/** Commands that leave their standard input alone: what stands in the body of `while read` must not take a part of a line out of it. */
import type { CommandLine, ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { suppliedWords } from '../judge/evaluate.js';
import type { Command } from '../model/command.js';
import { hasPipedInput } from '../model/pipes.js';

/** Commands that never read it, whatever their words are but those below; of git only these parts. */
const DEAF: ReadonlySet<string> = new Set(
  (
    'echo printf test [ true false : break continue exit basename dirname realpath readlink pwd date sleep ls stat du ' +
    'git/log git/show git/diff git/blame git/status git/rev-parse git/rev-list git/ls-files git/ls-tree git/branch git/tag ' +
    'git/describe git/grep'
  ).split(' '),
);
/** Commands that read it only where no operand is a file. Not awk, to which `x=1` is no file. */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat head tail wc grep egrep fgrep rg sed sort uniq cut nl tac rev od xxd jq diff cmp file strings cksum ' +
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum'
  ).split(' '),
);
/** `-`, `-f-`, `--file=-`; `--stdin`, `--batch`; `jq --args`, which makes texts of the operands: with these it may be read all the same. */
const INPUT_WORD = /^-$|^-[A-Za-z]-$|=-$|stdin|batch|^--(?:json)?args$|\/dev\/|\/fd\//;

/** Whether the command at a place of the list certainly leaves the input alone that the loop around it reads. */
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
