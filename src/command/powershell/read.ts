/** Reads plain lines of PowerShell: words, lists of words, pipelines and their separators. Anything beyond that has no reading. */
import type { Span } from '../../shell/syntax/types.js';

export interface PlainWord {
  readonly text: string;
  readonly quoted: boolean;
  /** It contains `$LASTEXITCODE` or `$?`, which may only be printed. */
  readonly status: boolean;
}

/** The value of one parameter or position: a word, or the words of a list (`a, b`). */
export type Argument = readonly PlainWord[];

/** A command of a pipeline with its name as the first argument, or strings that are printed. */
export interface PlainStage {
  readonly words: readonly Argument[];
  readonly span: Span;
}

export interface PlainPipeline {
  readonly stages: readonly PlainStage[];
  /** The separator after it, as a POSIX shell writes it. */
  readonly joint: ';' | '&&' | '||';
}

/**
 * Letters, digits and symbols of any script may occur in quotes; blanks, dashes, quotes and control characters only from ASCII,
 * since PowerShell treats all others like its own (about_Special_Characters; CharTraits.cs). `\r` only before `\n`.
 */
const STRANGE = /[^\t\n\r -~\p{L}\p{N}\p{S}]|\r(?!\n)/u;
const LONGEST = 10_000;

const BLANK = /[ \t]+/y;
const COMMENT = /#(?!requires)[^\r\n]*/iy;
const JOINT = /;|\r?\n|&&|\|\|?/y;
/** Redirections that merge the other streams of a command into its output, or discard them. */
const STREAMS = /(?:[2-6*]>&1|[1-6*]?>[ \t]*\$null)(?=[ \t\r\n;|]|$)/iy;
const BEHIND = '(?=[ \\t\\r\\n;|,]|&&|$)';
const SINGLE = new RegExp(`'((?:[^']|'')*)'${BEHIND}`, 'y');
const DOUBLE = new RegExp(`"((?:[^"\`]|"")*)"${BEHIND}`, 'y');
/** `@x` splats and `--%` stops parsing, both only at the start of a word. */
const BARE = new RegExp(`(?!@|--%)[A-Za-z0-9_./\\\\:=+%@~*?-]+${BEHIND}`, 'y');
/** `--format='%h %s'` is one word. */
const OPTION = /--[A-Za-z][A-Za-z-]*=(?=['"])/y;
const STATUS = new RegExp(`\\$(?:LASTEXITCODE|\\?)${BEHIND}`, 'iy');
const STATUS_WITHIN = /\$(?:LASTEXITCODE|\?)(?![\w:?])/gi;

/** The pipelines of a line, in order; null if anything in it is not plain, or if nothing in it runs. */
export function readPlainPowerShell(line: string): readonly PlainPipeline[] | null {
  if (line.length > LONGEST || STRANGE.test(line)) return null;
  const pipelines: PlainPipeline[] = [];
  let stages: PlainStage[] = [];
  let words: PlainWord[][] = [];
  let start = 0;
  let end = 0;
  let listed = false;
  let at = 0;
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  /** Ends a command; false if there is none, or if a list continues. */
  const endStage = (): boolean => {
    if (words.length === 0 || listed) return false;
    stages.push({ words, span: { start, end } });
    words = [];
    return true;
  };
  const endPipeline = (joint: PlainPipeline['joint']): boolean => {
    if (!endStage()) return false;
    pipelines.push({ stages, joint });
    stages = [];
    return true;
  };
  while (at < line.length) {
    if (taken(BLANK) !== null || taken(COMMENT) !== null) continue;
    const joint = taken(JOINT)?.[0];
    if (joint === '|') {
      if (!endStage()) return null;
    } else if (joint === '&&' || joint === '||') {
      if (!endPipeline(joint)) return null;
    } else if (joint !== undefined) {
      // Empty statements are ignored; but after `|` and `&&` the line continues, which is not read here.
      const open = words.length > 0 || stages.length > 0 || listed;
      if (open ? !endPipeline(';') : pipelines.length > 0 && pipelines.at(-1)?.joint !== ';') return null;
    } else if (line[at] === ',') {
      if (words.length === 0 || listed) return null;
      listed = true;
      at += 1;
    } else if (taken(STREAMS) !== null) {
      if (words.length === 0 || listed) return null;
    } else {
      if (words.length === 0) start = at;
      const word = wordFrom(taken);
      if (word === null) return null;
      end = at;
      const last = words.at(-1);
      if (listed && last !== undefined) last.push(word);
      else words.push([word]);
      listed = false;
    }
  }
  if (words.length > 0 || stages.length > 0 || listed) return endPipeline(';') ? pipelines : null;
  return pipelines.at(-1)?.joint === ';' ? pipelines : null;
}

function wordFrom(taken: (pattern: RegExp) => RegExpExecArray | null): PlainWord | null {
  const option = taken(OPTION)?.[0];
  if (option === undefined) return quotedOr(BARE, taken);
  const value = quotedOr(null, taken);
  return value && { ...value, text: option + value.text };
}

/** Reads a quoted word, else one that matches the pattern. */
function quotedOr(pattern: RegExp | null, taken: (pattern: RegExp) => RegExpExecArray | null): PlainWord | null {
  const single = taken(SINGLE)?.[1];
  if (single !== undefined) return { text: single.replaceAll("''", "'"), quoted: true, status: false };
  const double = taken(DOUBLE)?.[1];
  if (double !== undefined) {
    const text = double.replace(STATUS_WITHIN, '0');
    if (text.includes('$')) return null;
    return { text: text.replaceAll('""', '"'), quoted: true, status: text !== double };
  }
  if (pattern === null) return null;
  if (taken(STATUS) !== null) return { text: '0', quoted: true, status: true };
  const bare = taken(pattern)?.[0];
  return bare === undefined ? null : { text: bare, quoted: false, status: false };
}
