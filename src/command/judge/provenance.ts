/**
 * Words of unknown value but known origin (`ShellWord.origin`): directories that the shell and git name, pipes, names of commits,
 * numbers. Because of what they certainly are, they may appear where an arbitrary string may not.
 */
import type { ShellWord } from '../../shell/syntax/types.js';
import { judgeGitValue } from '../git/values.js';
import { type Evaluation, type PlacedValue, touchPath } from '../grammar/evaluation.js';
import type { ValueRule } from '../grammar/option-rule.js';
import type { CommandTable } from '../grammar/table.js';

/** Whether the word begins with the path of a directory; without quotes, it is one word only if that path is plain. */
export function isPlace({ origin }: ShellWord): boolean {
  const kind = origin?.source.kind;
  return origin?.before === '' && (kind === 'home' || kind === 'here' || kind === 'top');
}

/**
 * Whether the word is the name of a commit, several of them, or nothing, perhaps as part of a longer revision; or a range with a branch.
 */
export function isObject({ origin }: ShellWord): boolean {
  if (origin === undefined || !AFTER.test(origin.after)) return false;
  const { source, before, after } = origin;
  if (source.kind === 'object') return BEFORE.test(before);
  // A branch may have the name of an option or a file; a range that ends or starts with a branch cannot.
  return source.kind === 'branch' && BEFORE_BRANCH.test(before) && (before.includes('..') || after.startsWith('..'));
}

/** A range before the name; no word of it could be a path out of the directory. */
const BEFORE = /^(?:[A-Za-z_][\w/-]*\.\.\.?)?$/;
/** A range, or the remote of the branch. */
const BEFORE_BRANCH = /^[A-Za-z_][\w/-]*(?:\.\.\.?(?:[A-Za-z_][\w-]*\/)?|\/)$/;
/** Ancestors, the end of a range, or a path in the commit. */
const AFTER = /^(?:[~^]\d{0,6})*(?:\.\.\.?(?:[A-Za-z_@][\w/-]*)?(?:[~^]\d{0,6})*|:[\w.][\w./-]*)?$/;

/** Whether the word is a file that the shell creates for `<(…)`. */
export function isPipe({ origin }: ShellWord): boolean {
  return origin?.source.kind === 'pipe';
}

/** Whether the word is exactly a number, or empty. */
export function isNumericWord({ data, origin }: ShellWord): boolean {
  if (data === 'digits') return true;
  return data === 'one' && origin?.source.kind === 'number' && origin.before === '' && origin.after === '';
}

/** The same, also for a number without quotes, where empty output would leave no word: `make -j $(nproc)`. */
export function isOneNumber(word: ShellWord): boolean {
  return isNumericWord(word) || isCount(word);
}

/** Whether the word is one number without a sign, which no program takes for an option. */
export function isCount({ origin }: ShellWord): boolean {
  return origin?.source.kind === 'number' && origin.source.one === true && origin.before === '' && origin.after === '';
}

/** Whether the word is exactly process IDs or empty; it may become several words. */
export function areProcesses({ origin }: ShellWord): boolean {
  return origin?.source.kind === 'processes' && origin.before === '' && origin.after === '';
}

/** Whether the operands are any number of numbers. */
export function takesNumbers({ operands }: CommandTable): boolean {
  return operands?.rest?.kind === 'number' && operands.list.length === 0 && operands.last === null;
}

/** The value of an option that is written in the same word: the word without `name=`. */
export function stripPrefix(word: ShellWord, written: string): ShellWord {
  const { origin } = word;
  return origin?.before === written ? { ...word, origin: { ...origin, before: '' } } : word;
}

/** Judges a word by its origin and the rule of its position; false when its origin does not help there. */
export function judgeOrigin(judgement: Evaluation, place: PlacedValue): boolean {
  const { rule, word } = place;
  if (isPipe(word)) return readsOnly(rule);
  if (isOneNumber(word) && takesAnyNumber(rule)) return true;
  if (areProcesses(word) && place.option === null && rule.kind === 'number' && isHarmless(rule) && takesNumbers(judgement.table))
    return true;
  if (isPlace(word)) return judgePlace(judgement, place);
  if (!isObject(word) || rule.checks.length > 0) return false;
  switch (rule.kind) {
    case 'git-revision':
    case 'git-object':
    case 'git-revision-or-pathspec': {
      const { before, after } = word.origin ?? { before: '', after: '' };
      // HEAD replaces the name: it is just as certainly a commit, and just as certainly not a file.
      const value = `${before}HEAD${after}`;
      judgeGitValue(judgement, { ...place, word: { ...word, value, text: value } }, rule.kind, value);
      return true;
    }
    default:
      return false;
  }
}

/** Whether every number is equally acceptable in this position. */
export function takesAnyNumber(rule: ValueRule): boolean {
  const { kind, rating, checks, effects } = rule;
  const isUnchecked = checks.every((check) => !check.applies('0') && !check.applies('12'));
  return (kind === 'number' || kind === 'text') && rating === 'harmless' && effects.length === 0 && isUnchecked;
}

function isHarmless({ rating, checks, effects }: ValueRule): boolean {
  return rating === 'harmless' && checks.length === 0 && effects.length === 0;
}

/**
 * Whether the position only reads: a pipe is as safe as the commands that fill it, which are judged separately, and a reader
 * reads nothing else.
 */
function readsOnly({ kind, rating, checks, effects }: ValueRule): boolean {
  return kind === 'path' && rating === 'harmless' && checks.length === 0 && effects.every((effect) => effect === 'read');
}

/** Judges a word that names a directory; facts determine where it leads. */
function judgePlace(judgement: Evaluation, place: PlacedValue): boolean {
  const { rule, word } = place;
  const isPath = rule.kind === 'path' || rule.kind === 'git-pathspec';
  if (!isPath || rule.checks.length > 0 || /[*?[\]\\]/.test(word.origin?.after ?? '')) return false;
  touchPath(judgement, place, word);
  return true;
}

/** Whether any number of revisions may appear among the operands. */
export function takesManyRevisions({ operands }: CommandTable): boolean {
  if (operands === null || operands.rest === null) return false;
  const { list, rest, last } = operands;
  return [...list, rest, last ?? rest].every(({ kind }) => kind === 'git-revision' || kind === 'git-revision-or-pathspec');
}
