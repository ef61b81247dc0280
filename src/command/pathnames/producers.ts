/** Which commands print only file names, and where those files are: the input of a command that reads them. */
import { member } from '../../generated/data.js';
import type { FoundNames, Invocation, ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { suppliedWords } from '../judge/evaluate.js';
import type { Command } from '../model/command.js';
import { soughtEndings } from './name-endings.js';

/** What a command writes to its standard output: the names, and whether a NUL ends each of them. */
export interface PrintedNames extends Pick<FoundNames, 'roots' | 'bare' | 'from' | 'endings' | 'unhidden'> {
  readonly nul: boolean;
}

interface ListerEntry {
  readonly operands: 'folders' | 'patterns' | 'none';
  readonly options: string;
  readonly needs?: string;
  readonly null: string;
  readonly here?: './';
  readonly index?: 'folder' | 'top';
  readonly others?: string;
}

interface FilterEntry {
  readonly options: string;
  readonly null?: string;
}

/** The entry of rules/found-names.yaml for one command. */
interface NamesEntry {
  readonly lister?: ListerEntry;
  readonly filter?: FilterEntry;
}

/** Wrappers that neither add to nor change the output of their inner command. */
const SILENT: ReadonlySet<string> = new Set(['timeout', 'nice', 'command', 'env', 'ionice']);
/** Names that xargs takes unchanged: no blank, quote or backslash, and nothing that a locale could take for one. */
const PLAIN = /^[!#-&(-[\]-~]*$/;

/** True if this name stays whole when a text with one name per line is split. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

/** Names that `read` and git pass on unchanged, and that no locale takes for something else. */
const LINE = /^[ !#-[\]-~]*$/;
/** `read` strips blanks from both ends of a line, and each part of a path may be at an end. */
const OUTER_BLANK = /(?:^|\/) | (?:\/|$)/;

/** True if this name stays whole when a text with one name per line is read by lines. */
export function isLineName(name: string): boolean {
  return LINE.test(name) && !OUTER_BLANK.test(name);
}

/** Wildcards, including those that `extglob` adds. */
const WILD = /[*?[]|[+@!]\(/;

/** True if a shell that expands names could replace this one by others. */
export function isWildName(name: string): boolean {
  return WILD.test(name);
}

/**
 * The names that a command prints to its standard output; null when it may print anything else. This is proof only together with
 * the verdict on the command itself, which must be allowed to read the roots.
 * @param input the contents of its standard input, if they are known to be names
 */
export function printedNames(command: Command, input: PrintedNames | null): PrintedNames | null {
  if (!command.invocation.redirections.every(isErrorSink)) return null;
  const { wrapper, inner, verdict } = command;
  const only = inner[0];
  if (wrapper === null) return verdict.known && verdict.issues.length === 0 ? namesOfLeaf(command, input) : null;
  if (only === undefined || inner.length > 1) return null;
  if (SILENT.has(wrapper.name)) return printedNames(only, input);
  // The commands that xargs and find run have a standard input of their own.
  return wrapper.kind === 'appending' && !printsItself(command) ? printedNames(only, null) : null;
}

/** `2>/dev/null`: any other redirection may add to the output, or send it elsewhere. */
function isErrorSink({ direction, descriptor, target }: ShellRedirection): boolean {
  return direction === 'write' && descriptor === 2 && target?.value === '/dev/null';
}

/** `find … -exec grep -l x {} ; -print` prints in addition to what it runs. */
function printsItself({ invocation }: Command): boolean {
  return invocation.argv.some(({ value }) => value?.startsWith('-print') || value === '-ls');
}

function namesOfLeaf(command: Command, input: PrintedNames | null): PrintedNames | null {
  const { verdict, invocation } = command;
  const entry = member('#found-names', verdict.words.join(' ')) as NamesEntry | undefined;
  const given = entry === undefined ? null : suppliedWords(invocation, verdict.words[0] ?? '');
  if (entry === undefined || given === null) return null;
  const { lister, filter } = entry;
  const listed = lister === undefined ? null : namesOfLister(lister, command, given);
  if (listed !== null) return listed;
  return filter === undefined || input === null ? null : filtered(filter, command, given, input);
}

/** The words of a command as its grammar reads them. */
type Given = NonNullable<ReturnType<typeof suppliedWords>>;

function namesOfLister(lister: ListerEntry, { verdict, invocation }: Command, given: Given): PrintedNames | null {
  if (!isWithin(given.options, lister.options)) return null;
  if (lister.needs !== undefined && !hasOne(given.options, lister.needs)) return null;
  const nul = hasOne(given.options, lister.null);
  // `-print0 -o -print`: the names end in different ways.
  if (nul && given.options.includes('-print')) return null;
  if (lister.index !== undefined) return namesOfIndex(lister, invocation, given, nul);
  const roots: ShellWord[] = [];
  let bare = false;
  const from = new Set<FoundNames['from'][number]>(['tree']);
  for (const { action, path } of verdict.effects) {
    if (action !== 'read' || path === null) return null;
    if (path.names !== undefined) {
      roots.push(...path.names.roots);
      bare ||= path.names.bare;
      for (const one of path.names.from) from.add(one);
    } else if (invocation.argv.includes(path)) {
      if (!isRoot(path)) return null;
      roots.push(path);
    } else {
      roots.push(path);
      bare ||= lister.here === undefined;
    }
  }
  // `-` is standard input, which is printed under another name.
  if (roots.length === 0 || given.operands.some(({ value }) => value === '-')) return null;
  const endings = verdict.words[0] === 'find' ? soughtEndings(invocation.argv) : null;
  const unhidden = verdict.words[0] === 'rg' && !given.options.some((option) => TAKING_IN.has(option));
  return { roots, bare, nul, from: [...from], endings, unhidden };
}

/** Options with which matching files are found even if they are hidden. */
const TAKING_IN: ReadonlySet<string> = new Set(['-g', '--glob', '--iglob', '-t', '--type', '-.', '--hidden']);

/** Whether a starting point determines how names begin. */
function isRoot({ value, glob, literalPrefix, tilde }: ShellWord): boolean {
  const text = glob ? literalPrefix : value;
  return text !== null && text !== '' && !/^[-:]/.test(text) && !tilde && isPlainName(value ?? '');
}

/** Names from git's index, relative to the current directory, as long as no pathspec leads out of it. */
function namesOfIndex(lister: ListerEntry, invocation: Invocation, given: Given, nul: boolean): PrintedNames | null {
  const { operands, options, dashed } = given;
  if (lister.operands === 'none' && operands.length > 0) return null;
  // The first operand of `git grep` is the search pattern; one that is not certainly a pathspec may be a revision.
  const specs = lister.needs === undefined ? operands : operands.slice(options.includes('-e') ? 0 : 1);
  if (lister.needs !== undefined && specs.some((word) => !dashed.includes(word))) return null;
  if (!specs.every(isFolderPattern)) return null;
  const here: ShellWord = { text: '.', value: '.', span: invocation.span, glob: false, tilde: false, literalPrefix: '.' };
  const others = lister.others !== undefined && hasOne(options, lister.others);
  const index = lister.index === 'top' ? 'top-index' : 'index';
  return { roots: [here], bare: true, nul, from: others ? [index, 'tree'] : [index] };
}

/** Whether a pathspec has no magic and stays below the current directory. */
function isFolderPattern({ value, tilde }: ShellWord): boolean {
  return value !== null && !tilde && !/^[:/]|(?:^|\/)\.\.(?:\/|$)/.test(value);
}

/** The names that a filter passes on; null when it may change or add any. */
function filtered(filter: FilterEntry, { verdict, invocation }: Command, given: Given, input: PrintedNames): PrintedNames | null {
  if (!isWithin(given.options, filter.options)) return null;
  const [name] = verdict.words;
  // Where ripgrep reads standard input and is given no file, it searches no directory.
  if (verdict.effects.some(({ path }) => name !== 'rg' || path === null || invocation.argv.includes(path))) return null;
  if (name !== 'grep' && name !== 'rg' && given.operands.length > 0) return null;
  const nul = filter.null !== undefined && hasOne(given.options, filter.null);
  // A filter by lines would split a name that contains a line end; cat does not filter by lines.
  return nul === input.nul || verdict.words[0] === 'cat' ? input : null;
}

function isWithin(options: readonly string[], list: string): boolean {
  return options.every((option) => names(list, option));
}

function hasOne(options: readonly string[], list: string): boolean {
  return options.some((option) => names(list, option));
}

function names(list: string, spelling: string): boolean {
  return ` ${list} `.includes(` ${spelling} `);
}
