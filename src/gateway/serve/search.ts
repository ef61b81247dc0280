/** `codex_grep` and `codex_codebase_search`: the files below a folder, and the lines in them that are looked for. */

import { relative } from 'node:path';
import { type Context, createContext, Script } from 'node:vm';
import { folderEntries } from '../../disk/folder-entries.js';
import { statOf } from '../../disk/stat-of.js';
import { readWhole, ToolFailure } from './place.js';

/** Folders that hold what others have written, or what git keeps. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const MOST_FILES = 20_000;
const DEEPEST = 40;
/** Milliseconds for one call. */
const LONGEST = 10_000;
const MOST_LINES = 500;
const LONGEST_LINE = 300;
/** Files are read in batches of so many characters, each searched at once. */
const BATCH = 1024 * 1024;

export interface SearchPlace {
  readonly project: string;
  /** Whether the policy lets this call show something of each of some files. */
  readonly mayShow: (files: readonly string[]) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface FileText {
  readonly file: string;
  readonly text: string;
}

/** Returns the lines that match, as `file:number:line`. Throws ToolFailure. */
export function grep(pattern: string, root: string, place: SearchPlace): string {
  const search = searchFor(pattern);
  const found: string[] = [];
  const { note } = eachBatch([root], place, (batch, milliseconds) => {
    for (const [at, number] of search(
      batch.map(({ text }) => text),
      milliseconds,
    )) {
      const one = batch[at];
      if (one === undefined) continue;
      const line = one.text.split('\n', number + 1)[number] ?? '';
      found.push(`${named(one.file, place)}:${number + 1}:${line.slice(0, LONGEST_LINE)}`);
      if (found.length >= MOST_LINES) return `only the first ${MOST_LINES} lines are shown`;
    }
    return null;
  });
  return told(found.length === 0 ? ['No line matches.'] : found, note);
}

function named(file: string, { project }: SearchPlace): string {
  const name = relative(project, file);
  return name.startsWith('..') ? file : name;
}

function told(lines: readonly string[], note: string | null): string {
  return [...lines, ...(note === null ? [] : [`(${note})`])].join('\n');
}

/** Runs in a context of its own, which ends it when an expression takes for ever. Its result is text, so nothing else comes back. */
const MATCHES = `(() => {
  const found = [];
  for (let at = 0; at < texts.length && found.length < most; at += 1) {
    const lines = texts[at].split('\\n');
    for (let number = 0; number < lines.length && found.length < most; number += 1)
      if (wanted.test(lines[number])) found.push([at, number]);
  }
  return JSON.stringify(found);
})()`;

type Search = (texts: readonly string[], milliseconds: number) => readonly (readonly [at: number, line: number])[];

function searchFor(pattern: string): Search {
  const context: Context = createContext({ pattern, texts: [], most: MOST_LINES * 10, wanted: null });
  try {
    new Script('wanted = new RegExp(pattern)').runInContext(context, { timeout: LONGEST });
  } catch (error) {
    // It is an error of that context.
    throw new ToolFailure(`the pattern is not valid: ${(error as { readonly message?: string }).message ?? 'it cannot be read'}`);
  }
  const script = new Script(MATCHES);
  return (texts, milliseconds) => {
    context.texts = texts;
    try {
      return JSON.parse(script.runInContext(context, { timeout: milliseconds }));
    } catch {
      throw new ToolFailure('the search took too long; make the pattern simpler, or name a folder');
    }
  };
}

/** Hands the texts of all files below the roots to `take`, in batches, until it returns why to stop. */
function eachBatch(
  roots: readonly string[],
  place: SearchPlace,
  take: (batch: readonly FileText[], milliseconds: number) => string | null,
): { readonly note: string | null } {
  const end = place.now() + LONGEST;
  const left = () => end - place.now();
  const late = { note: 'it took too long: not all files were searched' };
  let files = 0;
  for (const group of grouped(filesBelow(roots, left))) {
    files += group.length;
    if (files > MOST_FILES) return { note: `only ${MOST_FILES} files were searched` };
    if (left() <= 0) return late;
    for (const batch of batched(shownOf(group, place))) {
      const milliseconds = left();
      if (milliseconds <= 0) return late;
      const why = take(batch, milliseconds);
      if (why !== null) return { note: why };
    }
  }
  return { note: null };
}

/** What must not be shown is not even searched: how long that takes would tell what is in it. */
function shownOf(files: readonly string[], place: SearchPlace): readonly string[] {
  if (files.length === 0 || place.mayShow(files)) return files;
  if (files.length === 1) return [];
  const middle = files.length >> 1;
  return [...shownOf(files.slice(0, middle), place), ...shownOf(files.slice(middle), place)];
}

/** Files that are judged by one decision. */
const GROUP = 64;

function* grouped(files: Iterable<string>): Generator<readonly string[]> {
  let group: string[] = [];
  for (const file of files) {
    group.push(file);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  yield group;
}

function* batched(files: readonly string[]): Generator<readonly FileText[]> {
  let batch: FileText[] = [];
  let size = 0;
  for (const file of files) {
    const text = textOf(file);
    if (text === null) continue;
    batch.push({ file, text });
    size += text.length;
    if (size < BATCH) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Null for a file that is no text, is too large, or is a link. */
function textOf(file: string): string | null {
  try {
    return readWhole(file, BATCH);
  } catch (error) {
    if (error instanceof ToolFailure) return null;
    throw error;
  }
}

/** Returns the files below folders, in the order of their names, while there is time left; no link is followed. */
function* filesBelow(roots: readonly string[], left: () => number): Generator<string> {
  for (const root of roots) {
    const stat = statOf(root);
    if (stat === undefined) throw new ToolFailure(`${root} does not exist`);
    if (stat.isDirectory()) yield* filesIn(root, 0, left);
    else yield root;
  }
}

function* filesIn(folder: string, depth: number, left: () => number): Generator<string> {
  if (left() <= 0) return;
  const entries = folderEntries(folder) ?? [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = `${folder === '/' ? '' : folder}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < DEEPEST && !SKIPPED.has(entry.name)) yield* filesIn(path, depth + 1, left);
  }
}

const MOST_RANKED = 10;
const LINES_EACH = 3;

/** Returns the files in which the words of a question are rarest and most frequent, with their best lines. Throws ToolFailure. */
export function codebaseSearch(query: string, roots: readonly string[], place: SearchPlace): string {
  const words = wordsOf(query);
  if (words.length === 0) throw new ToolFailure('the query has no words of at least three letters');
  const counted: { readonly file: string; readonly counts: readonly number[]; readonly lines: readonly string[] }[] = [];
  const { note } = eachBatch(roots, place, (batch) => {
    for (const { file, text } of batch) {
      const lower = text.toLowerCase();
      const name = named(file, place).toLowerCase();
      const counts = words.map((word) => Math.min(lower.split(word).length - 1, 5) + (name.includes(word) ? 3 : 0));
      if (counts.some((count) => count > 0)) counted.push({ file, counts, lines: bestLines(text, words) });
    }
    return null;
  });
  const weights = words.map((_, at) => Math.log(1 + counted.length / (1 + counted.filter(({ counts }) => counts[at]).length)));
  const ranked = counted
    .map((one) => ({ ...one, score: one.counts.reduce((sum, count, at) => sum + count * (weights[at] ?? 0), 0) }))
    .sort((left, right) => right.score - left.score);
  const shown: string[] = [];
  for (const { file, lines } of ranked) {
    if (shown.length >= MOST_RANKED) break;
    shown.push([named(file, place), ...lines.map((line) => `  ${line}`)].join('\n'));
  }
  return told(shown.length === 0 ? ['No matching file.'] : shown, note);
}

/** Returns the words of a text, also those that a name is made of, in lower case. */
function wordsOf(text: string): readonly string[] {
  const parts = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u);
  const whole = [...text.split(/[^\p{L}\p{N}_]+/u), ...parts].map((word) => word.toLowerCase());
  // `exported` and `exports` are about `export`.
  const words = whole.flatMap((word) => [word, word.replace(/(?<=.{4})(?:ed|ing|e?s)$/, '')]);
  return [...new Set(words)].filter((word) => word.length >= 3 && !SAYS_NOTHING.has(word)).slice(0, 32);
}

const SAYS_NOTHING: ReadonlySet<string> = new Set(
  'the and for are was how what where which who why when does with this that from into not all any can has have'.split(' '),
);

/** Returns the lines with the most of the words, with their numbers. */
function bestLines(text: string, words: readonly string[]): readonly string[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, at, hits: words.filter((word) => line.toLowerCase().includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((left, right) => right.hits - left.hits || left.at - right.at)
    .slice(0, LINES_EACH)
    .map(({ line, at }) => `${at + 1}: ${line.trim().slice(0, LONGEST_LINE)}`);
}
