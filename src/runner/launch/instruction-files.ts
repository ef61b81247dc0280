/**
 * Project files that a runner sends to the model on its own when it starts (CLAUDE.md, AGENTS.md …), and how they import other
 * files with `@`. Pure. The files that each runner reads were determined by tests (claude-code 2.1.197 and 2.1.330, codex
 * 0.169.0, copilot-cli 1.0.102, gemini-cli 0.61.0, opencode 1.18.33, qwen-code 0.24.4).
 */

export interface InstructionFiles {
  /** Paths relative to each folder from the project's down to the one where the runner works. */
  readonly files: readonly string[];
  /** Folders below the same folders: every file in them, at any depth, that has this file ending is read. */
  readonly folders?: readonly InstructionFolder[];
  /** Absent: the files import nothing. */
  readonly imports?: ImportSyntax;
  /** Project settings, below the same folders, that name further files. */
  readonly named?: readonly NamedFiles[];
  /** An argument that makes the runner read none of them. */
  readonly leftOutBy?: string;
}

export interface InstructionFolder {
  readonly folder: string;
  readonly ending: string;
  readonly imports: boolean;
  /** 1: only files of the folder itself; absent: files at any depth. */
  readonly levels?: number;
}

export interface ImportSyntax {
  /** `markdown`: a mention in Markdown text, which punctuation may follow; `word`: a whole word that begins with `@`. */
  readonly form: 'markdown' | 'word';
  /** The kind of code in which an `@` imports nothing. */
  readonly code: 'blocks' | 'backticks';
  /** The file in which the runner records that a person let it import files from outside the project; null: it never imports them. */
  readonly outside: OutsideApproval | null;
}

export interface OutsideApproval {
  /** Relative to the home directory, or to the folder that the variable names. */
  readonly file: string;
  readonly folderVariable: string;
  readonly approved: RegExp;
}

export interface NamedFiles {
  readonly files: readonly string[];
  /** `variables`: lines of the form `NAME=value`; `text`: `{file:PATH}` anywhere in the file. */
  readonly format: 'json' | 'toml' | 'variables' | 'text';
  /** Each path of keys leads to a name or a list of names; for `variables`, the names of variables. */
  readonly keys: readonly (readonly string[])[];
  /**
   * What the settings name. `pattern`: a path or a pattern of paths, relative to each folder of the project that the runner looks at;
   * `beside`: a path relative to the folder of the settings file; `name`: a path relative to the folder below which the settings file is.
   */
  readonly as: 'name' | 'pattern' | 'beside';
  /** The person's own settings, below the home directory, that may also name such files of a project. */
  readonly own: readonly string[];
}

export interface Import {
  /** Line of the `@`, from 1. */
  readonly line: number;
  /** The possible paths. */
  readonly paths: readonly string[];
}

/** Maximum number of imports in one text; with more, importsIn returns null. */
const MOST = 10_000;
const LONGEST_PATH = 4096;
const MOST_READINGS = 40;

/** Returns what a text imports; null: too many to determine. */
export function importsIn(text: string, syntax: ImportSyntax): readonly Import[] | null {
  const plain = text.replace(/\r\n?/g, '\n');
  const found: Import[] = [];
  let at = plain.indexOf('@');
  if (at === -1) return found;
  const isCode = syntax.code === 'blocks' ? codeBlocks(plain) : betweenBackticks(plain);
  let line = 1;
  let counted = 0;
  for (; at !== -1; at = plain.indexOf('@', at + 1)) {
    const paths = pathsAt(plain, at, syntax.form);
    if (paths.length === 0 || isCode(at)) continue;
    if (found.length === MOST) return null;
    for (; counted < at; counted += 1) if (plain.charCodeAt(counted) === 10) line += 1;
    found.push({ line, paths });
  }
  return found;
}

/** Returns the possible paths after the `@`, the longest first; none if that `@` imports nothing. */
function pathsAt(text: string, at: number, form: ImportSyntax['form']): readonly string[] {
  const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
  const rest = text.slice(at + 1, at + 1 + LONGEST_PATH);
  if (form === 'word') {
    const word = /^[^ \t\n]*/.exec(rest)?.[0] ?? '';
    return /[ \t\n]/.test(before) && /^[./A-Za-z]/.test(word) ? [word] : [];
  }
  // An email address.
  if (/[A-Za-z0-9]/.test(before)) return [];
  const word = (/^(?:\\ |\S)*/.exec(rest)?.[0] ?? '').replaceAll('\\ ', ' ');
  const paths = new Set<string>();
  const add = (path: string) => {
    const trimmed = path.replace(/[.:!?_*~]{1,16}$/, '');
    for (const one of [path, trimmed]) if (one !== '' && one !== '.' && one !== '..') paths.add(one);
  };
  add(word);
  // Any punctuation or Markdown character may end the path.
  for (const { index } of word.matchAll(/(?![./~-])[\p{P}\p{S}]/gu)) {
    if (paths.size > MOST_READINGS) break;
    add(word.slice(0, index));
  }
  return [...paths];
}

type IsCode = (at: number) => boolean;

/**
 * Finds the code in a Markdown text. Only what every parser takes for code is code here: fences at the margin, and code spans in lines with
 * nothing else that could affect them. After anything that parsers read differently (HTML, fences in lists), nothing is code any more.
 */
function codeBlocks(text: string): IsCode {
  const regions: (readonly [number, number])[] = [];
  let fence: string | null = null;
  let at = 0;
  let isTold = true;
  for (const [index, line] of text.split('\n').entries()) {
    const start = at;
    at += line.length + 1;
    // Some parsers do not read front matter as Markdown.
    if (index === 0 && /^\uFEFF?-{3}/.test(line)) break;
    const mark: string | undefined = /^[\s>*+-]*(?:\d{1,9}[.)]\s)?[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      regions.push([start, at]);
      if (mark === undefined || mark[0] !== fence[0]) continue;
      // For some parsers a shorter or indented fence, or one followed by a word, also closes the block.
      if (!/^(?:`+|~+) *$/.test(line) || mark.length < fence.length) {
        regions.pop();
        break;
      }
      fence = null;
      isTold = true;
    } else if (mark !== undefined) {
      if (!line.startsWith(mark) || (mark[0] === '`' && line.includes('`', mark.length))) break;
      fence = mark;
      regions.push([start, at]);
    } else if (/^[\s>*+.)\d-]*</.test(line)) break;
    else if (/^[ \t]*$/.test(line)) isTold = true;
    else if (isTold) {
      const spans = spansOf(line);
      if (spans === null) isTold = false;
      else regions.push(...spans.map(([from, to]) => [start + from, start + to] as const));
    }
  }
  return inRegions(regions);
}

/** Returns the code spans of a line; null if what is code in it, or in the next line, depends on more than its backticks. */
function spansOf(line: string): readonly (readonly [number, number])[] | null {
  if (!line.includes('`')) return [];
  const ticks = [...line.matchAll(/`+/g)];
  if (ticks.length % 2 === 1 || ticks.some(([run]) => run.length > 1)) return null;
  // A URL, a link or strikethrough text may begin before a span and end inside it.
  if (/[\\<|~[\]]|(?::\/\/|www\.)[^\s`]*`/.test(line)) return null;
  const spans: (readonly [number, number])[] = [];
  for (let one = 0; one < ticks.length; one += 2) spans.push([ticks[one]?.index ?? 0, ticks[one + 1]?.index ?? 0]);
  return spans;
}

/** Maximum number of searches, so that no text takes long. */
const MOST_SEARCHES = 20_000;

/** Finds code as Gemini CLI does: from a run of backticks to the next sequence of as many backticks, or else of fewer. */
function betweenBackticks(text: string): IsCode {
  const regions: (readonly [number, number])[] = [];
  const nowhere = new Set<number>();
  let searches = 0;
  for (let at = text.indexOf('`'); at !== -1; ) {
    let run = 1;
    while (text[at + run] === '`') run += 1;
    let next = at + 1;
    for (let length = run; length > 0; length -= 1) {
      if (nowhere.has(length)) continue;
      searches += 1;
      if (searches > MOST_SEARCHES) return inRegions(regions);
      const close = text.indexOf('`'.repeat(length), at + length);
      if (close === -1) nowhere.add(length);
      else {
        next = close + length;
        regions.push([at, next]);
        break;
      }
    }
    at = text.indexOf('`', next);
  }
  return inRegions(regions);
}

/**
 * Returns whether a position is inside a region; positions have to be passed in ascending order.
 * @param regions in ascending order
 */
function inRegions(regions: readonly (readonly [number, number])[]): IsCode {
  let one = 0;
  return (at) => {
    while (one < regions.length && (regions[one]?.[1] ?? 0) <= at) one += 1;
    return (regions[one]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
  };
}
