/** Which git commands print past or present contents of files, and of which commits: `git diff`, `git show x`, `git log -p -3`. */
import type { Command } from '../model/command.js';

/** What is printed, judged by the words alone; operands are names of commits or files, which only the repository can tell apart. */
export interface Printed {
  /**
   * `diff`: differences between commits, the index and the work tree; `status`: staged and unstaged changes; `show`: the changes
   * of commits; `log`: the changes of the commits in a history; `stash`: a stash; `object`: an object named by its hash; `grep`:
   * the files of commits; `any`: the words do not determine it.
   */
  readonly kind: Kind;
  readonly operands: readonly string[];
  /** The words after `--`. */
  readonly pathspecs: readonly string[];
  /** The index is used instead of the work tree. */
  readonly cached: boolean;
  /** All branches, tags and more are included, not only the named commits. */
  readonly everything: boolean;
  /** At most this many commits; null: no number, or options that select commits in ways that are not followed. */
  readonly most: number | null;
  /** The number of commits is given, which makes `git show` walk through a history. */
  readonly counted: boolean;
  /** Options that select commits, as written. */
  readonly filters: readonly string[];
}

type Kind = 'diff' | 'status' | 'show' | 'log' | 'stash' | 'object' | 'grep' | 'any';

/** Which contents of files the command prints; null if none. */
export function printedBy({ name, invocation, appended }: Command): Printed | null {
  if (name !== 'git') return null;
  const words = invocation.argv.map(({ value, glob }) => (glob || value?.includes('\0') ? null : value));
  const at = subcommandAt(words);
  const named = words[at] ?? '';
  const kind = SUBCOMMANDS.get(named);
  if (kind === undefined) return null;
  const isStash = named === 'stash';
  const isList = isStash && words[at + 1] === 'list';
  if (isStash && !isList && words[at + 1] !== 'show') return null;
  const isReflogShow = named === 'reflog' && words[at + 1] === 'show';
  const rest = words.slice(isStash || isReflogShow ? at + 2 : at + 1);
  const dashes = rest.indexOf('--');
  const options = rest.slice(0, dashes < 0 ? rest.length : dashes).filter((word) => word?.startsWith('-'));
  if (!printsContent(isList ? 'log' : kind, named, options)) return null;
  const known = rest.filter((word) => word !== null);
  if (kind === 'status') return read(kind, []);
  // One word is the search pattern.
  if (kind === 'grep' && words.length < at + 3) return null;
  const isFollowed = known.length === rest.length && !appended && !options.some((word) => UNFOLLOWED.test(word ?? ''));
  const printed = isFollowed ? read(kind, known) : null;
  // The value of an option must not pass for an operand.
  if (printed === null || (kind !== 'grep' && printed.operands.length > 0 && !options.every(standsAlone))) {
    const pathspecs = dashes < 0 || appended ? [] : rest.slice(dashes + 1).map((word) => word ?? '*');
    const isBeyond = options.some((word) => word !== null && /^(?:--full-diff|--follow|-L.*)$/.test(word));
    return { ...read('any', []), pathspecs: isBeyond ? [] : pathspecs };
  }
  if (isList || named === 'range-diff') return { ...read('log', []), everything: true };
  return named === 'reflog' ? { ...printed, everything: true } : printed;
}

/**
 * Options that take object names from elsewhere, use other bases, or print patches beyond the named files, even under their earlier names.
 */
const UNFOLLOWED = /^(?:--(?:stdin|batch(?!-check).*|merge-base|full-diff|follow)|-L.*)$/;

const SUBCOMMANDS: ReadonlyMap<string, Kind> = new Map([
  ['diff', 'diff'],
  ['diff-files', 'diff'],
  ['diff-index', 'diff'],
  ['status', 'status'],
  ['commit', 'status'],
  ['show', 'show'],
  ['diff-tree', 'show'],
  ['log', 'log'],
  ['whatchanged', 'log'],
  ['reflog', 'log'],
  ['range-diff', 'log'],
  ['stash', 'stash'],
  ['cat-file', 'object'],
  ['grep', 'grep'],
  ['format-patch', 'any'],
  ['request-pull', 'any'],
  ['fast-export', 'any'],
  ['difftool', 'any'],
  ['archive', 'any'],
]);

/** Options before the subcommand that take the next word as their value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

function subcommandAt(words: readonly (string | null)[]): number {
  let at = 1;
  for (let word = words[at]; word?.startsWith('-') === true; word = words[at]) at += WITH_VALUE.has(word) ? 2 : 1;
  return at;
}

/** `-p`, alone or among other letters, and options that imply it. */
const PATCH =
  /^(?:-[a-zA-Z]*[pumULcW].*|--patch.*|--unified.*|--cc|--word-diff.*|--color-words.*|--function-context|--binary|--full-diff|--dd|--remerge-diff|--diff-merges.*|--check|--ws-error.*|--ext-diff|--textconv|--color-moved.*)$/;
const NO_CONTENT =
  /^(?:--stat.*|--compact-summary|--numstat|--shortstat|--dirstat.*|--summary|--name-only|--name-status|--raw|-s|--no-patch|--quiet)$/;

/** Everyday options that print only names and numbers: most lines need no pattern. */
const NAMES: ReadonlySet<string | null> = new Set(['--stat', '--name-only', '--name-status', '--numstat', '--shortstat']);

/** `--oneline`, `-5`. */
function isShort(word: string | null): boolean {
  return word === '--oneline' || (word?.length === 2 && word >= '-0' && word <= '-9');
}

function printsContent(kind: Kind, named: string, options: readonly (string | null)[]): boolean {
  if (named === 'log' && options.every((word) => NAMES.has(word) || isShort(word))) return false;
  if (named === 'diff' && options.length > 0 && options.every((word) => NAMES.has(word))) return false;
  const has = (pattern: RegExp) => options.some((word) => word !== null && pattern.test(word));
  if (kind === 'status') return has(/^(?:-[a-zA-Z]*v.*|--verb.*)$/);
  if (kind === 'grep') return true;
  if (kind === 'any') return named !== 'request-pull' || has(PATCH);
  if (kind === 'object') return !has(/^(?:-[est]|--batch-check.*)$/);
  // The lines of a file, under every name it has had.
  if (named === 'log' && has(/^-L/)) return !has(NO_CONTENT);
  if (named === 'range-diff') return !has(NO_CONTENT);
  if (options.some((word) => word !== null && PATCH.test(word) && !/^-[nSG]/.test(word))) return true;
  return (named === 'diff' || named === 'show' || kind === 'stash') && !has(NO_CONTENT);
}

const EVERYTHING =
  /^(?:--all|--branches.*|--tags.*|--remotes.*|--glob.*|--reflog|-g|--walk-reflogs|--alternate-refs|--bisect|--merge|--not|--do-walk|--boundary)$/;
const COUNT = /^(?:-(\d+)|-n(\d+)|--max-count=(\d+))$/;
/** Options that only affect the format. */
const LOOK =
  /^(?:--oneline|--graph|--decorate.*|--format.*|--pretty.*|--abbrev.*|--color.*|--no-color|--stat.*|--date=.*|-p|-u|--patch|-U\d+|--unified=\d+|--no-ext-diff|--no-textconv|-w|-b|--word-diff.*|--minimal|--patience|--histogram)$/;

/** Options that exclude commits, each in one word. */
const FILTER =
  /^(?:--(?:author|committer|grep|since|until|after|before|skip)=.*|--(?:no-merges|merges|first-parent|reverse|all-match|invert-grep|regexp-ignore-case|extended-regexp|fixed-strings)|-[iEF]|-[SG].+)$/;

/** Options that take no value from the next word. */
const ALONE: ReadonlySet<string> = new Set(
  (
    'cached staged cc stat compact-summary numstat shortstat dirstat summary name-only name-status raw oneline graph decorate ' +
    'abbrev-commit abbrev color color-words color-moved word-diff minimal patience histogram quiet binary check text reverse merges ' +
    'first-parent topo-order date-order author-date-order follow function-context full-index full-history root ext-diff textconv ' +
    'exit-code find-renames find-copies find-copies-harder ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol ' +
    'ignore-space-change ignore-missing ignore-submodules include-untracked only-untracked index left-right cherry-pick cherry-mark ' +
    'cherry boundary source show-signature relative merge ours theirs base all branches tags remotes reflog walk-reflogs walk do-walk ' +
    'pretty remerge-diff max-count'
  )
    .split(' ')
    .map((name) => `--${name}`),
);
/** Letters without a value, also combined; a number of lines, commits or per cent; an option with its value in the same word. */
const ALONE_FORMS = /^(?:--[a-z-]+=.*|--(?:no|ita)-[a-z-]+|--patch.*|-[a-zA-Z]*[pumcwbsRazMCDWrtie]|-[UnMCXB]?\d+%?|-n)$/;

function standsAlone(word: string | null): boolean {
  return word !== null && (ALONE.has(word) || ALONE_FORMS.test(word));
}

function read(kind: Kind, words: readonly string[]): Printed {
  const dashes = words.indexOf('--');
  const before = dashes < 0 ? words : words.slice(0, dashes);
  const operands: string[] = [];
  const filters: string[] = [];
  let most: number | null = null;
  let chooses = false;
  let everything = false;
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? '';
    const count = COUNT.exec(word);
    if (!word.startsWith('-')) operands.push(word);
    else if (count !== null) most = Number(count[1] ?? count[2] ?? count[3]);
    else if ((word === '-n' || word === '--max-count') && /^\d+$/.test(before[at + 1] ?? '')) {
      most = Number(before[at + 1]);
      at += 1;
    } else if (EVERYTHING.test(word)) everything = true;
    else if (FILTER.test(word)) filters.push(word);
    else if (!LOOK.test(word)) chooses = true;
  }
  const cached = before.includes('--cached') || before.includes('--staged');
  const pathspecs = dashes < 0 ? [] : words.slice(dashes + 1);
  return {
    kind,
    operands,
    pathspecs,
    cached,
    everything,
    most: chooses ? null : most,
    counted: most !== null,
    filters: chooses ? [] : filters,
  };
}
