/** Which commits a git command takes the files of its work tree from: `git merge x`, `git checkout x`, `git stash pop`. */
import type { Command } from '../model/command.js';
import { optionsOf, type Read, read } from '../model/option-words.js';
import { isCertain } from '../model/words.js';

/**
 * Where the files come from; each revision is one word as passed to git. `merge`: merged with HEAD. `stash`: a stash entry.
 * `rebase`: the commits of HEAD are recreated on top of it. `tree`: replaces HEAD's files (`branch`: a branch of that name is
 * preferred, or created from a remote one; `discards`: uncommitted edits are lost; `thenIndex`: followed by the contents of the
 * index). `commits`: the changes of each. `files`: those that pathspecs match, from a commit or from the index (null), replacing
 * edited ones; `either`: if the revision is not one, it is another pathspec, and the files come from the index. `patch`: the
 * changes in patch files. `untracked`: untracked files are deleted, with `ignored` also ignored ones, except those that `kept`
 * patterns match. `remote`: whatever another repository has when git asks it.
 */
export type IncomingSource =
  | { readonly kind: 'merge' | 'stash' | 'rebase'; readonly revision: string }
  | {
      readonly kind: 'tree';
      readonly revision: string;
      readonly branch: boolean;
      readonly discards: boolean;
      readonly thenIndex?: true;
    }
  | { readonly kind: 'commits'; readonly revisions: readonly string[] }
  | { readonly kind: 'files'; readonly revision: string | null; readonly pathspecs: readonly string[]; readonly either?: true }
  | { readonly kind: 'patch'; readonly files: readonly string[] }
  | { readonly kind: 'remote' }
  | {
      readonly kind: 'untracked';
      readonly ignored: boolean;
      readonly kept: readonly string[];
      readonly pathspecs: readonly string[];
    };

/** What a git command that changes files of the work tree (checkout, merge, stash pop) brings into it. */
export interface Incoming {
  /** The name for messages: `git merge`. */
  readonly name: string;
  /** Null when the words do not determine the commits, or do more than that. */
  readonly source: IncomingSource | null;
}

/** Whether files may come from the index (`git checkout FILE` where FILE is not a branch), which other commands may fill from a commit. */
export function readsIndex(source: IncomingSource, isRevision: boolean): boolean {
  if (source.kind === 'tree') return source.thenIndex === true || (source.branch && !isRevision);
  return source.kind === 'files' && (source.revision === null || source.either === true);
}

/** Whether whole commits come in, which somebody made; not files that the command selects, or that the line itself may have written. */
export function bringsCommits({ kind }: IncomingSource): boolean {
  return kind !== 'files' && kind !== 'patch' && kind !== 'untracked';
}

/** What a git command brings into the work tree; null for other commands, and for those that certainly leave the files unchanged. */
export function incomingOf({ name, invocation, appended }: Command): Incoming | null {
  if (name !== 'git') return null;
  const { argv } = invocation;
  if (!argv.some(({ value }) => value !== null && READERS.has(value))) return null;
  const words: string[] = [];
  for (const word of argv) {
    if (!isCertain(word) || (word.tilde && word.value.startsWith('~')) || /[\0\n\r]/.test(word.value)) break;
    words.push(word.value);
  }
  const at = subcommandAt(words);
  const subcommand = words[at];
  // The words before it may mean anything, even another subcommand.
  if (subcommand === undefined) return { name: 'git', source: null };
  const reader = READERS.get(subcommand);
  if (reader === undefined) return null;
  const found = words.length < argv.length || appended ? null : reader(words.slice(at + 1));
  return found === NOTHING ? null : { name: `git ${subcommand}`, source: found };
}

/** The files stay unchanged. */
const NOTHING = 'nothing';
/** Reads the words after a subcommand. */
type Reader = (words: readonly string[]) => IncomingSource | typeof NOTHING | null;

/** The index of the subcommand after options that do not affect it; past the last word if there are other options. */
function subcommandAt(words: readonly string[]): number {
  let at = 1;
  for (; words[at]?.startsWith('-'); at += 1) {
    if (words[at] === '-C') at += 1;
    else if (!BESIDE.has(words[at] ?? '')) return words.length;
  }
  return at;
}

const BESIDE: ReadonlySet<string> = new Set(
  '--no-pager -P --no-optional-locks --literal-pathspecs --no-lazy-fetch --no-advice'.split(' '),
);

/** Not `subtree`, which would move all files elsewhere. */
const STRATEGIES = { '-s': /^(?:ort|recursive|resolve|ours)$/, '--strategy': /^(?:ort|recursive|resolve|ours)$/ };
const STRATEGY_OPTION =
  /^(?:ours|theirs|patience|minimal|histogram|ignore-[a-z-]+|no-renames|find-renames(?:=\d+%?)?|diff-algorithm=[a-z]+)$/;
const STRATEGY_OPTIONS = { '-X': STRATEGY_OPTION, '--strategy-option': STRATEGY_OPTION };
const MESSAGES = { '-m': null, '--message': null };

const MERGE = optionsOf(
  '-n --stat --no-stat --commit --no-commit --squash --no-squash -q --quiet -v --verbose --signoff --no-signoff -e --edit --no-edit ' +
    '-S --gpg-sign --no-gpg-sign --verify-signatures --no-verify-signatures --no-verify --verify --no-autostash --log --no-log ' +
    '--progress --no-progress --ff-only --ff --no-ff',
  { ...MESSAGES, ...STRATEGIES, ...STRATEGY_OPTIONS, '-F': null, '--file': null, '--log': /^\d+$/ },
);

function merge(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  // The merge so far is committed as it is in the work tree, or forgotten.
  if (words.length === 1 && (words[0] === '--continue' || words[0] === '--quit')) return NOTHING;
  if (words.length === 1 && words[0] === '--abort') return { kind: 'tree', revision: 'HEAD', branch: false, discards: true };
  const found = revisionsOnly(read(words, MERGE));
  if (found === null || found.operands.length > 1) return null;
  const [revision = '@{upstream}'] = found.operands;
  return isOneCommit(revision) ? { kind: 'merge', revision } : null;
}

/** The words that were read, or null if they contain pathspecs, which these subcommands do not take. */
function revisionsOnly(found: Read | null): Read | null {
  return found === null || found.pathspecs.length > 0 ? null : found;
}

const CHECKOUT = optionsOf('-q --quiet --progress --no-progress -f --force --detach -d --no-track --guess', { '-b': null });
const SWITCH = optionsOf('-q --quiet --progress --no-progress -f --force --discard-changes --detach -d --no-track --guess', {
  '-c': null,
  '--create': null,
});

/** `git checkout x`, `git checkout -b x [y]`, `git checkout [x] -- FILE…`. */
function checkout(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  const found = read(words, CHECKOUT);
  const [revision = null, ...more] = found?.operands ?? [];
  if (found !== null && found.given.size === 0 && found.pathspecs.length === 0 && revision !== null && more.length > 0)
    return isOneCommit(revision) ? { kind: 'files', revision, pathspecs: more, either: true } : null;
  if (found === null || found.pathspecs.length === 0) return branched(found, ['-b']);
  if (found.operands.length > 1 || found.given.has('-b') || found.given.has('--detach')) return null;
  return revision === null || isOneCommit(revision) ? { kind: 'files', revision, pathspecs: found.pathspecs } : null;
}

function switched(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  return branched(revisionsOnly(read(words, SWITCH)), ['-c', '--create']);
}

function branched(found: Read | null, creating: readonly string[]): IncomingSource | typeof NOTHING | null {
  if (found === null || found.operands.length > 1) return null;
  const { operands, given } = found;
  const names = creating.flatMap((option) => given.get(option) ?? []);
  if (names.some((name) => name === '' || name.startsWith('-'))) return null;
  const discards = ['-f', '--force', '--discard-changes'].some((option) => given.has(option));
  const [revision = discards ? 'HEAD' : undefined] = operands;
  if (revision === undefined) return names.length > 0 || given.has('--detach') || given.has('-d') ? NOTHING : null;
  if (revision === '-') return { kind: 'tree', revision: '@{-1}', branch: false, discards };
  return isOneCommit(revision) ? { kind: 'tree', revision, branch: names.length === 0, discards } : null;
}

const RESTORE = optionsOf('-q --quiet --progress --no-progress -S --staged -W --worktree --ignore-unmerged', {
  '-s': null,
  '--source': null,
});

function restore(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  const found = read(words, RESTORE);
  if (found === null) return null;
  const { given } = found;
  const isStaged = given.has('-S') || given.has('--staged');
  if (isStaged && !given.has('-W') && !given.has('--worktree')) return NOTHING;
  const revision = given.get('-s') ?? given.get('--source') ?? (isStaged ? 'HEAD' : null);
  const pathspecs = [...found.operands, ...found.pathspecs];
  if (pathspecs.length === 0 || (revision !== null && !isOneCommit(revision))) return null;
  return { kind: 'files', revision, pathspecs };
}

const RESET = optionsOf('-q --quiet --soft --mixed --hard --keep --merge --no-refresh --refresh -N');

function reset(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  // Any prefix of these names is accepted.
  if (!words.some((word) => /^--(?:h|k|me)/.test(word))) return NOTHING;
  const found = revisionsOnly(read(words, RESET));
  if (found === null || found.operands.length > 1) return null;
  const [revision = 'HEAD'] = found.operands;
  return isOneCommit(revision) ? { kind: 'tree', revision, branch: false, discards: true } : null;
}

const PICK = optionsOf('-x -n --no-commit -e --edit --no-edit -s --signoff --ff --allow-empty --keep-redundant-commits', {
  '-m': /^[12]$/,
  ...STRATEGIES,
  ...STRATEGY_OPTIONS,
});

function picked(words: readonly string[]): IncomingSource | null {
  const found = revisionsOnly(read(words, PICK));
  if (found === null || found.operands.length === 0 || found.operands.length > MOST_REVISIONS) return null;
  const isOne = (revision: string) => isOneCommit(revision) && !/\.\.|\^[@!-]|^\^/.test(revision);
  return found.operands.every(isOne) ? { kind: 'commits', revisions: found.operands } : null;
}

const MOST_REVISIONS = 16;

const STASH = optionsOf('--index -q --quiet');
const STASHED = optionsOf('-q --quiet -k --keep-index --no-keep-index', MESSAGES);

function stash([verb = 'push', ...words]: readonly string[]): IncomingSource | typeof NOTHING | null {
  if (verb === 'list' || verb === 'show' || verb === 'drop') return NOTHING;
  if (verb === 'push' || verb.startsWith('-')) {
    // Leaves what HEAD has; other options may also remove untracked files.
    const found = read(verb === 'push' ? words : [verb, ...words], STASHED);
    if (found === null || found.operands.length > 0) return null;
    const keepsIndex = found.given.has('-k') || found.given.has('--keep-index');
    return { kind: 'tree', revision: 'HEAD', branch: false, discards: true, ...(keepsIndex && { thenIndex: true }) };
  }
  const found = verb === 'pop' || verb === 'apply' ? revisionsOnly(read(words, STASH)) : null;
  if (found === null || found.operands.length > 1) return null;
  const [which = '0'] = found.operands;
  const revision = /^\d{1,4}$/.test(which) ? `stash@{${which}}` : which;
  return isOneCommit(revision) ? { kind: 'stash', revision } : null;
}

const REBASE = optionsOf(
  '-q --quiet -v --verbose --stat -n --no-stat --no-autostash --no-verify --verify --fork-point --no-fork-point',
);

function rebase(words: readonly string[]): IncomingSource | null {
  const found = revisionsOnly(read(words, REBASE));
  if (found === null || found.operands.length > 1) return null;
  const [revision = '@{upstream}'] = found.operands;
  return isOneCommit(revision) ? { kind: 'rebase', revision } : null;
}

const APPLY = optionsOf(
  '-3 --3way --index -N --intent-to-add -R --reverse --recount -q --quiet -v --verbose --ignore-whitespace',
  {
    '-p': /^\d$/,
    '--whitespace': null,
  },
);
const AM = optionsOf('-3 --3way --no-3way -s --signoff -k --keep -q --quiet --keep-cr --no-keep-cr -c --scissors');

/** `git apply x.patch`; null for a patch from standard input. */
function applied(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  const shown = words.some((word) => /^--(?:check|stat|numstat|summary)$/.test(word));
  if (shown && !words.some((word) => word.startsWith('--ap'))) return NOTHING;
  return patched(read(words, APPLY));
}

function patched(found: Read | null): IncomingSource | null {
  const files = found === null ? [] : [...found.operands, ...found.pathspecs];
  return files.length === 0 || files.length > MOST_REVISIONS || files.includes('-') ? null : { kind: 'patch', files };
}

/** `git clean -fd -e kept`. */
function cleaned(words: readonly string[]): IncomingSource | typeof NOTHING | null {
  const dashes = words.indexOf('--');
  const end = dashes < 0 ? words.length : dashes;
  const operands: string[] = [];
  const kept: string[] = [];
  let ignored = false;
  for (let at = 0; at < end; at += 1) {
    const word = words[at] ?? '';
    if (word === '--dry-run' || /^-[dfxXq]*n[dfxXqn]*$/.test(word)) return NOTHING;
    ignored ||= /^-[a-z]*[xX]/.test(word);
    const pattern = /^--exclude=(.*)$/s.exec(word)?.[1];
    if (!word.startsWith('-')) operands.push(word);
    else if (pattern !== undefined) kept.push(pattern);
    else if (/^-[dfxXq]*e$/.test(word) || word === '--exclude') {
      at += 1;
      kept.push(words[at] ?? '');
    } else if (!/^(?:-[dfxXq]+|--force|--quiet)$/.test(word)) return null;
  }
  return { kind: 'untracked', ignored, kept, pathspecs: [...operands, ...words.slice(end + 1)] };
}

/** `git rm FILE`: named files are judged by their names; a pattern or a directory may cover any file. */
function removed(words: readonly string[]): typeof NOTHING | null {
  const names = words.filter((word) => !word.startsWith('-'));
  return names.length > 0 && names.every((name) => /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w@./+-]+$/.test(name)) ? NOTHING : null;
}

/** `git bisect`: null for verbs that check out other commits or run programs on them. */
function bisected([verb = '', ...words]: readonly string[]): typeof NOTHING | null {
  return /^(?:log|view|visualize|help|terms)$/.test(verb) || (verb === 'start' && words.length === 0) ? NOTHING : null;
}

/** Whether the word is a single name of one commit; `FETCH_HEAD` may name several. */
function isOneCommit(revision: string): boolean {
  return revision !== '' && revision.length <= MOST_LETTERS && !revision.startsWith('-') && !/fetch_head/i.test(revision);
}

const MOST_LETTERS = 1024;

/** Nothing shows what these bring before they run, or they are not analysed. */
const unknown: Reader = () => null;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['merge', merge],
  ['checkout', checkout],
  ['switch', switched],
  ['restore', restore],
  ['reset', reset],
  ['cherry-pick', picked],
  ['revert', picked],
  ['stash', stash],
  ['rebase', rebase],
  ['pull', () => ({ kind: 'remote' })],
  ['am', (words) => patched(read(words, AM))],
  ['apply', applied],
  ['clean', cleaned],
  ['rm', removed],
  ['bisect', bisected],
  ['read-tree', unknown],
  ['checkout-index', unknown],
]);
