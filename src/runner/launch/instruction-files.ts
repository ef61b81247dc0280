/**
 * Files of a project that a client sends to the model by itself when it starts (CLAUDE.md, AGENTS.md …), and how they import others with
 * `@`. Pure. What each client reads was tried (claude-code 2.1.197 and 2.1.330, codex 0.169.0, copilot-cli 1.0.102, gemini-cli 0.61.0,
 * opencode 1.18.33, qwen-code 0.24.4).
 */

export interface InstructionFiles {
  /** Below each folder from the project's to the one where the client works. */
  readonly files: readonly string[];
  /** Folders below the same ones: of what lies in them at any depth, the files with such an ending. */
  readonly folders?: readonly InstructionFolder[];
  /** Absent: they import nothing. */
  readonly imports?: ImportSyntax;
  /** Settings of the project, below the same folders, that name further ones. */
  readonly named?: readonly NamedFiles[];
  /** A word with which the client reads none of them. */
  readonly leftOutBy?: string;
}

export interface InstructionFolder {
  readonly folder: string;
  readonly ending: string;
  readonly imports: boolean;
  /** 1: files of the folder itself; absent: at any depth. */
  readonly levels?: number;
}

export interface ImportSyntax {
  /** A mention in Markdown, with what ends a sentence behind it; or a whole word that begins with `@`. */
  readonly form: 'markdown' | 'word';
  /** What is code, and imports nothing. */
  readonly code: 'blocks' | 'backticks';
  /** Where the client notes that a person let it import files from outside of the project; null: it never does. */
  readonly outside: OutsideApproval | null;
}

export interface OutsideApproval {
  /** Below the home folder, or the folder that the variable names. */
  readonly file: string;
  readonly folderVariable: string;
  readonly approved: RegExp;
}

export interface NamedFiles {
  readonly files: readonly string[];
  /** `variables`: lines `NAME=value`; `text`: `{file:PATH}` anywhere in it. */
  readonly format: 'json' | 'toml' | 'variables' | 'text';
  /** Each leads to a name or a list of names; the names of variables. */
  readonly keys: readonly (readonly string[])[];
  /**
   * What is named: a path or a pattern of paths, from each folder of the project that the client looks at; `beside`: a path, from the
   * folder of the settings; `name`: one from the folder, and nothing else than a path.
   */
  readonly as: 'name' | 'pattern' | 'beside';
  /** The person's own settings below the home folder that may name such files of a project as well. */
  readonly own: readonly string[];
}

export interface Import {
  /** Of the `@`, from 1. */
  readonly line: number;
  /** What may be the path, in every reading. */
  readonly paths: readonly string[];
}

/** More are not looked through. */
const MOST = 10_000;
const LONGEST_PATH = 4096;
const MOST_READINGS = 40;

/** What a text imports; null: too many to tell. */
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

/** The longest one first; none: that `@` imports nothing. */
function pathsAt(text: string, at: number, form: ImportSyntax['form']): readonly string[] {
  const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
  const rest = text.slice(at + 1, at + 1 + LONGEST_PATH);
  if (form === 'word') {
    const word = /^[^ \t\n]*/.exec(rest)?.[0] ?? '';
    return /[ \t\n]/.test(before) && /^[./A-Za-z]/.test(word) ? [word] : [];
  }
  // An address.
  if (/[A-Za-z0-9]/.test(before)) return [];
  const word = (/^(?:\\ |\S)*/.exec(rest)?.[0] ?? '').replaceAll('\\ ', ' ');
  const paths = new Set<string>();
  const add = (path: string) => {
    const trimmed = path.replace(/[.:!?_*~]{1,16}$/, '');
    for (const one of [path, trimmed]) if (one !== '' && one !== '.' && one !== '..') paths.add(one);
  };
  add(word);
  // A sign may end the path, be it one of the sentence or one of Markdown.
  for (const { index } of word.matchAll(/(?![./~-])[\p{P}\p{S}]/gu)) {
    if (paths.size > MOST_READINGS) break;
    add(word.slice(0, index));
  }
  return [...paths];
}

type IsCode = (at: number) => boolean;

/**
 * Where a text is code in Markdown. Only what every parser takes for code counts: fences at the margin, and spans in lines without
 * anything else that bears on them. Behind what parsers read in different ways (HTML, fences in lists) nothing is code any more.
 */
function codeBlocks(text: string): IsCode {
  const regions: (readonly [number, number])[] = [];
  let fence: string | null = null;
  let at = 0;
  let isTold = true;
  for (const [index, line] of text.split('\n').entries()) {
    const start = at;
    at += line.length + 1;
    // Front matter is no Markdown to some.
    if (index === 0 && /^\uFEFF?-{3}/.test(line)) break;
    const mark: string | undefined = /^[\s>*+-]*(?:\d{1,9}[.)]\s)?[\s>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      regions.push([start, at]);
      if (mark === undefined || mark[0] !== fence[0]) continue;
      // Shorter ones, indented ones, and those with a word behind them close it for some.
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

/** Null: what is code here, or in the next line, depends on more than these signs. */
function spansOf(line: string): readonly (readonly [number, number])[] | null {
  if (!line.includes('`')) return [];
  const ticks = [...line.matchAll(/`+/g)];
  if (ticks.length % 2 === 1 || ticks.some(([run]) => run.length > 1)) return null;
  // An address, a link or struck text may begin before a span and end in it.
  if (/[\\<|~[\]]|(?::\/\/|www\.)[^\s`]*`/.test(line)) return null;
  const spans: (readonly [number, number])[] = [];
  for (let one = 0; one < ticks.length; one += 2) spans.push([ticks[one]?.index ?? 0, ticks[one + 1]?.index ?? 0]);
  return spans;
}

/** Steps, so that no text takes long. */
const MOST_SEARCHES = 20_000;

/** As Gemini CLI finds code: from backticks to the next ones that are as many, or else from fewer of them. */
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

/** @param regions in their order */
function inRegions(regions: readonly (readonly [number, number])[]): IsCode {
  let one = 0;
  return (at) => {
    while (one < regions.length && (regions[one]?.[1] ?? 0) <= at) one += 1;
    return (regions[one]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
  };
}
