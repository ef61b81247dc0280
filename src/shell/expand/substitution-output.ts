/**
 * What the output of a substitution is, judged by its command alone: directories that `pwd` and git print, numbers, names of
 * commits. The commands themselves are judged like all others; every allow assumes that a name runs the program of that name.
 */

import type { Place } from '../scope/context.js';
import type { Command, CommandNode, ParsedScript, Redirection } from '../syntax/parser.js';
import type { DataSource, PrintedSource } from '../syntax/types.js';
import { printsProcesses } from './process-numbers.js';
import { readWord } from './word.js';

/**
 * The kind of output a script prints; null when its commands do not determine it, or more than one of them prints.
 * @param directory the steps to the directory in which it starts
 */
export function sourceOf(script: ParsedScript, directory: readonly string[] | null): DataSource | null {
  const [statement, ...others] = script.commands;
  if (statement === undefined || others.length > 0 || statement.background === true) return null;
  const node = statement.command;
  if (node.type === 'Command') return sourceOfPipeline([node], directory);
  if (node.type !== 'Pipeline' || node.prefixes.length > 0 || node.operators.some((operator) => operator !== '|')) return null;
  return sourceOfPipeline(node.commands, directory);
}

/** The same for the commands of a pipeline. */
export function sourceOfPipeline(commands: readonly CommandNode[], directory: readonly string[] | null): DataSource | null {
  return printedBy(
    commands.map((command) => (command.type === 'Command' ? staticWords(command) : null)),
    directory,
  );
}

/** All output of a `$(…)`; null when its place in the line is not certain. */
export function printedIn({ span }: Place, { pos, end }: { readonly pos: number; readonly end: number }): PrintedSource | null {
  return span === null ? { kind: 'printed', span: { start: pos + 2, end: end - 1 }, part: 'all', body: null } : null;
}

/** The words of a command that consists only of static words and of redirections that leave its output alone; null for any other. */
function staticWords({ prefix, name, suffix }: Command): readonly string[] | null {
  if (name === undefined || prefix.length > 0) return null;
  const words: string[] = [];
  for (const item of [name, ...suffix]) {
    if (item.type !== 'Word') {
      if (item.type === 'Assignment' || item.type === 'HereDoc' || !isQuiet(item)) return null;
      continue;
    }
    const { value, glob, tilde, codes, differs } = readWord(item.text, false);
    if (value === null || glob || tilde || differs !== 'nowhere' || codes.length > 0) return null;
    words.push(value);
  }
  return words;
}

/** Whether a redirection leaves standard output alone: `2>/dev/null`, or an input redirection. */
function isQuiet({ operator, descriptor, target }: Exclude<Redirection, { type: 'HereDoc' }>): boolean {
  if (operator === '<') return descriptor === undefined;
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  return operator === '>' && number === 2 && target?.text === '/dev/null';
}

function printedBy(pipeline: readonly (readonly string[] | null)[], directory: readonly string[] | null): DataSource | null {
  const [first, ...filters] = pipeline;
  if (printsProcesses(pipeline)) return { kind: 'processes' };
  const last = pipeline.at(-1);
  if (last != null && printsNumbers(last, pipeline.length === 1))
    return last[0] === 'seq' ? { kind: 'number' } : { kind: 'number', one: true };
  if (first == null) return null;
  if (filters.length === 0) {
    const kind = printsPlace(first);
    if (kind !== null) return { kind, directory };
    if (CURRENT_BRANCH.has(first.join(' '))) return { kind: 'branch' };
  }
  return printsObjects(first) && filters.every(isFilter) ? { kind: 'object' } : null;
}

/** Commands that print the current branch: a branch name contains no blanks, wildcards, `..` or colon. */
const CURRENT_BRANCH: ReadonlySet<string> = new Set([
  'git branch --show-current',
  'git rev-parse --abbrev-ref HEAD',
  'git symbolic-ref --short HEAD',
  'git symbolic-ref -q --short HEAD',
]);

function printsPlace(words: readonly string[]): 'here' | 'top' | null {
  const line = words.join(' ');
  if (line === 'pwd' || line === 'pwd -P' || line === 'pwd -L') return 'here';
  return line === 'git rev-parse --show-toplevel' ? 'top' : null;
}

/** Whether a command prints only numbers: `wc -l` and the like after a pipe or `<`, where they print no file name; counts and times. */
function printsNumbers([name, ...words]: readonly string[], alone: boolean): boolean {
  switch (name) {
    case 'wc':
      return words.length === 1 && /^-[lwcm]$/.test(words[0] ?? '');
    case 'nproc':
      return alone && words.length === 0;
    case 'getconf':
      return alone && words.join(' ') === '_NPROCESSORS_ONLN';
    case 'sysctl':
      return alone && /^-n hw\.(?:(?:logical|physical)?cpu|ncpu)$/.test(words.join(' '));
    case 'date':
      return alone && words.length === 1 && words[0] === '+%s';
    case 'seq':
      return alone && words.length > 0 && words.every((word) => /^\d{1,9}$/.test(word));
    case 'git':
      return alone && words[0] === 'rev-list' && words[1] === '--count' && words.slice(2).every(isCommitChoice);
    default:
      return false;
  }
}

/** Whether a command prints only some of its input lines: `head -1`, `tail -n 3`. */
function isFilter(words: readonly string[] | null): boolean {
  const [name, ...rest] = words ?? [];
  return (name === 'head' || name === 'tail') && /^(?:|-\d{1,6}|-n ?\d{1,6})$/.test(rest.join(' '));
}

/**
 * Revisions that are harmless even if unresolved (`HEAD` and its like): `git rev-parse x` prints the word itself if x is not a revision.
 */
const CERTAIN_REVISION = /^(?:HEAD|@|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD)(?:[~^]\d{0,6})*$/;
const MERGE_BASE_OPTION = /^(?:-a|--all|--octopus|--independent|--fork-point)$/;
const REV_PARSE_OPTION = /^(?:-q|--quiet|--verify|--short(?:=\d{1,2})?)$/;
/** Only placeholders of commit names: commit, parents and tree. */
const OBJECT_FORMAT = /^--(?:format=|pretty=(?:t?format:))(?:%[hHpPtT]|[ \n]|%n)+$/;
/** Options that only select commits, without adding to the output. */
const COMMIT_CHOICE =
  /^(?:-\d{1,6}|-n\d{0,6}|--(?:max-count|skip)=\d{1,6}|--(?:since|until|after|before|author|grep)=.+|--(?:reverse|no-merges|merges|first-parent|all|branches|tags|remotes|topo-order|date-order))$/;

/** Whether git prints only names of commits: hexadecimal, or words that name a commit in every repository. */
function printsObjects([name, subcommand, ...words]: readonly string[]): boolean {
  if (name !== 'git') return false;
  const operands = words.filter((word) => !word.startsWith('-'));
  switch (subcommand) {
    case 'merge-base':
      return words.every((word) => !word.startsWith('-') || MERGE_BASE_OPTION.test(word));
    case 'rev-parse':
      return (
        words.every((word) => !word.startsWith('-') || REV_PARSE_OPTION.test(word)) &&
        (words.includes('--verify') || operands.every((word) => CERTAIN_REVISION.test(word)))
      );
    case 'log':
      return (
        words.some((word) => OBJECT_FORMAT.test(word)) && words.every((word) => OBJECT_FORMAT.test(word) || isCommitChoice(word))
      );
    case 'rev-list':
      return words.every(isCommitChoice);
    default:
      return false;
  }
}

/** An option that only selects commits, `--`, or an operand. */
function isCommitChoice(word: string): boolean {
  return !word.startsWith('-') || word === '--' || COMMIT_CHOICE.test(word);
}
