/** Which commands print names of files and nothing else, and where these lie: what a reader behind them is given. */
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

/** What rules/found-names.yaml says of one command. */
interface NamesEntry {
  readonly lister?: ListerEntry;
  readonly filter?: FilterEntry;
}

/** Wrappers that neither add to nor change what their inner command prints. */
const SILENT: ReadonlySet<string> = new Set(['timeout', 'nice', 'command', 'env', 'ionice']);
/** Names that xargs takes as they stand: neither blank nor quote nor backslash, and nothing that a locale could take for one. */
const PLAIN = /^[!#-&(-[\]-~]*$/;

/** True when a text of several names, one on each line, leaves this one whole. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

/** What `read` and git pass on as it stands, and no locale takes for something else. */
const LINE = /^[ !#-[\]-~]*$/;
/** `read` takes blanks from both ends of a line, and each part of a path may stand at one. */
const OUTER_BLANK = /(?:^|\/) | (?:\/|$)/;

/** True when a text of several names, one on each line, leaves this one whole for what reads it by lines. */
export function isLineName(name: string): boolean {
  return LINE.test(name) && !OUTER_BLANK.test(name);
}

/** Wildcards, and what `extglob` adds to them. */
const WILD = /[*?[]|[+@!]\(/;

/** True when a shell that expands names could put others in the place of this one. */
export function isWildName(name: string): boolean {
  return WILD.test(name);
}

/**
 * The names that a command prints to its standard output, null when it may print anything else. What it says is proof only together
 * with the judgement of the command itself, which must be allowed to look at the roots.
 * @param input what its standard input holds, when that is known to be names
 */
export function printedNames(command: Command, input: PrintedNames | null): PrintedNames | null {
  if (!command.invocation.redirections.every(isErrorSink)) return null;
  const { wrapper, inner, verdict } = command;
  const only = inner[0];
  if (wrapper === null) return verdict.known && verdict.issues.length === 0 ? namesOfLeaf(command, input) : null;
  if (only === undefined || inner.length > 1) return null;
  if (SILENT.has(wrapper.name)) return printedNames(only, input);
  // What xargs and find run has another standard input than theirs.
  return wrapper.kind === 'appending' && !printsItself(command) ? printedNames(only, null) : null;
}

/** `2>/dev/null`: any other redirection may add to the output, or take it elsewhere. */
function isErrorSink({ direction, descriptor, target }: ShellRedirection): boolean {
  return direction === 'write' && descriptor === 2 && target?.value === '/dev/null';
}

/** `find … -exec grep -l x {} ; -print` prints beside what it runs. */
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
  // `-print0 -o -print`: some names end so, some so.
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
  // `-` is standard input, and printed under another name.
  if (roots.length === 0 || given.operands.some(({ value }) => value === '-')) return null;
  const endings = verdict.words[0] === 'find' ? soughtEndings(invocation.argv) : null;
  const unhidden = verdict.words[0] === 'rg' && !given.options.some((option) => TAKING_IN.has(option));
  return { roots, bare, nul, from: [...from], endings, unhidden };
}

/** What they fit is found even where it is hidden. */
const TAKING_IN: ReadonlySet<string> = new Set(['-g', '--glob', '--iglob', '-t', '--type', '-.', '--hidden']);

/** A starting point that says what names begin with. */
function isRoot({ value, glob, literalPrefix, tilde }: ShellWord): boolean {
  const text = glob ? literalPrefix : value;
  return text !== null && text !== '' && !/^[-:]/.test(text) && !tilde && isPlainName(value ?? '');
}

/** git's index: names relative to the current folder, as long as no pathspec leads out of it. */
function namesOfIndex(lister: ListerEntry, invocation: Invocation, given: Given, nul: boolean): PrintedNames | null {
  const { operands, options, dashed } = given;
  if (lister.operands === 'none' && operands.length > 0) return null;
  // Of `git grep` the first operand is what is searched for; one that is no pathspec for certain may be a revision.
  const specs = lister.needs === undefined ? operands : operands.slice(options.includes('-e') ? 0 : 1);
  if (lister.needs !== undefined && specs.some((word) => !dashed.includes(word))) return null;
  if (!specs.every(isFolderPattern)) return null;
  const here: ShellWord = { text: '.', value: '.', span: invocation.span, glob: false, tilde: false, literalPrefix: '.' };
  const others = lister.others !== undefined && hasOne(options, lister.others);
  const index = lister.index === 'top' ? 'top-index' : 'index';
  return { roots: [here], bare: true, nul, from: others ? [index, 'tree'] : [index] };
}

/** A pathspec without magic that stays below the current folder. */
function isFolderPattern({ value, tilde }: ShellWord): boolean {
  return value !== null && !tilde && !/^[:/]|(?:^|\/)\.\.(?:\/|$)/.test(value);
}

/** The names that a filter passes on; null when it may change or add any. */
function filtered(filter: FilterEntry, { verdict, invocation }: Command, given: Given, input: PrintedNames): PrintedNames | null {
  if (!isWithin(given.options, filter.options)) return null;
  const [name] = verdict.words;
  // Where ripgrep reads standard input and is given no file, it searches no folder.
  if (verdict.effects.some(({ path }) => name !== 'rg' || path === null || invocation.argv.includes(path))) return null;
  if (name !== 'grep' && name !== 'rg' && given.operands.length > 0) return null;
  const nul = filter.null !== undefined && hasOne(given.options, filter.null);
  // A filter of lines would take a name apart that holds the end of one; cat has none.
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
