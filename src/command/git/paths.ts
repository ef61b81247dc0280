/** Git words that name files: pathspecs with their magic, `<revision>:<path>`, and words that may be revisions or pathspecs. */
import type { ShellWord, Span } from '../../shell/syntax/types.js';
import { addEffect, type Evaluation, type PlacedValue, partOf, touchPath } from '../grammar/evaluation.js';

/** Characters that make git itself expand a pathspec, quoted or not. */
const GLOB = /[*?[]/;
/** `..` as a path component; in `main..feature` it is a range. */
const PARENT_FOLDER = /(?:^|\/)\.\.(?:\/|$)/;
/** Words that are certainly revisions, whatever files exist. */
const CERTAIN_REVISION = /^(?:HEAD|@|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD)(?:[~^][0-9]*)*$/;

/** Judges a pathspec: its effects apply to the files that git will match. Excluding pathspecs have none. */
export function judgePathspec(judgement: Evaluation, place: PlacedValue, value: string): void {
  const path = pathOf(place.word, value, judgement.invocation.directory);
  if (path !== null) touchPath(judgement, place, path);
}

/** Before `--`, git reads a word that is not a revision as a path; a word that may be either is judged as both. */
export function judgeRevisionOrPathspec(judgement: Evaluation, place: PlacedValue, value: string): void {
  const objectPath = pathInObject(value);
  if (isPathLike(place.word, value)) judgePathspec(judgement, place, value);
  else if (objectPath !== null) readObject(judgement, place, objectPath);
  else if (!CERTAIN_REVISION.test(value))
    for (const action of place.rule.effects) addEffect(judgement, action, place.word, place.rule.recursive, place.index);
}

/** Judges a revision, range or object; the file in `<revision>:<path>` is read. */
export function judgeRevision(judgement: Evaluation, place: PlacedValue, value: string): void {
  const path = pathInObject(value);
  if (path !== null) readObject(judgement, place, path);
  else for (const action of place.rule.effects) addEffect(judgement, action, null, false, place.index);
}

function readObject(judgement: Evaluation, place: PlacedValue, path: string): void {
  addEffect(judgement, 'read', partOf(place.word, path), place.rule.recursive, place.index);
}

function isPathLike(word: ShellWord, value: string): boolean {
  if (word.glob || word.tilde) return true;
  if (/^(?:\/|\.\/|\.$|:[!^(/])/.test(value) || PARENT_FOLDER.test(value)) return !isObjectName(value);
  return false;
}

/** `HEAD:../x` has a parent directory but names an object. */
function isObjectName(value: string): boolean {
  return pathInObject(value) !== null && !/^[./:]/.test(value);
}

/**
 * The path in `<revision>:<path>`, `:<path>` and `:<stage>:<path>`; null for a revision, a `:/text` search, or an empty path.
 * A colon inside braces (`HEAD^{/fix: x}`, `@{12:00}`) belongs to the revision.
 */
function pathInObject(value: string): string | null {
  if (value.startsWith(':/')) return null;
  const stage = /^:[0-3]:/.exec(value);
  if (stage !== null) return value.slice(stage[0].length);
  let depth = 0;
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at];
    if (letter === '{') depth += 1;
    else if (letter === '}' && depth > 0) depth -= 1;
    else if (letter === ':' && depth === 0) return at + 1 < value.length ? value.slice(at + 1) : '.';
  }
  return null;
}

/** The path of a pathspec without its magic, marked as a glob where git would expand it; null when it only excludes. */
function pathOf(word: ShellWord, value: string, directory: readonly string[] | null): ShellWord | null {
  const magic = magicOf(value);
  if (magic.excludes) return null;
  if (magic.isUncertain) return { ...word, value: null };
  if (magic.length === 0 && !GLOB.test(value)) return word;
  const path = value.slice(magic.length);
  if (word.tilde) return word;
  const globAt = path.search(GLOB);
  const place = magic.fromTop ? topWord(word.text, word.span, directory, path) : partOf(word, path === '' ? '.' : path);
  const pattern = {
    ...place,
    glob: word.glob || globAt >= 0,
    literalPrefix: globAt < 0 ? path : path.slice(0, globAt),
  };
  return globAt >= 0 && !(word.glob && ANY_NAME.test(path)) ? { ...pattern, crossing: true } : pattern;
}

/** A path below the top level of the repository that contains a directory. */
export function topWord(text: string, span: Span, directory: readonly string[] | null, path: string): ShellWord {
  const origin = { source: { kind: 'top', directory }, before: '', after: path === '' ? '' : `/${path}` } as const;
  return { text, value: null, span, glob: false, tilde: false, literalPrefix: '', origin };
}

/** Unquoted, this matches something in the shell nearly everywhere, so that git never sees the pattern. */
const ANY_NAME = /(?:^|\/)\*$/;

/** The magic of a pathspec: `:(top,glob)`, `:/`, `:!`, `:^` before the path. */
function magicOf(value: string): Magic {
  if (!value.startsWith(':')) return NO_MAGIC;
  const long = /^:\(([^)]*)\)/.exec(value);
  if (long !== null) {
    const names = (long[1] ?? '').split(',');
    return {
      length: long[0].length,
      excludes: names.includes('exclude'),
      isUncertain: names.some((name) => !PLAIN_MAGIC.has(name)),
      fromTop: names.includes('top'),
    };
  }
  const short = /^:[/!^]*:?/.exec(value)?.[0] ?? ':';
  return { length: short.length, excludes: /[!^]/.test(short), isUncertain: false, fromTop: short.includes('/') };
}

interface Magic {
  readonly length: number;
  readonly excludes: boolean;
  /** It may match files whose names differ from the one written. */
  readonly isUncertain: boolean;
  /** The path is relative to the top level of the repository. */
  readonly fromTop: boolean;
}

const NO_MAGIC: Magic = { length: 0, excludes: false, isUncertain: false, fromTop: false };
const PLAIN_MAGIC: ReadonlySet<string> = new Set(['', 'top', 'exclude', 'glob', 'literal']);
