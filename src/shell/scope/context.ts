/** The state of reading one command line: the findings so far, and the surroundings of the node being read. */

import { MAX_BYTES } from '../syntax/characters.js';
import { OPAQUE_MESSAGES } from '../syntax/opaque.js';
import { type CompoundList, type ParsedScript, parse, type Statement, type SyntaxNode } from '../syntax/parser.js';
import type { CommandLine, DataSource, Enclosure, Invocation, Opaque, OpaqueCode, ShellDialect, Span } from '../syntax/types.js';
import { Bindings } from './bindings.js';
import { DirectoryTrack } from './cwd.js';
import { withUnknownCwd } from './unknown-cwd.js';

/** The surroundings of the node being read. */
export interface Place {
  /** The text that the node's positions refer to: the source, or a decoded or evaluated inner text. */
  readonly text: string;
  /** For an inner text: its span in the source, which is reported for everything in that text. Null for the source itself. */
  readonly span: Span | null;
  readonly enclosures: readonly Enclosure[];
  readonly background: boolean;
  readonly piped: boolean;
  /** The number of evaluated strings (`eval '…'`) around the node. */
  readonly evaluations: number;
}

/** Reads a whole script into the reading; supplied by `read.ts`, so that word readers need not import command readers. */
type ScriptReader = (reading: Reading, place: Place, script: ParsedScript) => void;
/** Reads one command, list or pipeline; supplied in the same way. */
type NodeReader = (reading: Reading, place: Place, node: Statement['command'] | CompoundList) => void;

/** The syntax tree is read at most this many levels deep. */
const MAX_DEPTH = 400;
/** Nested evaluated strings are read at most this many levels deep. */
const MAX_EVALUATIONS = 4;
/** At most this many reasons are noted per code: more say nothing new, and a limit for all codes together could hide some. */
const MAX_PER_CODE = 16;
/** Loop bodies are read once for each value, up to this many additional characters per line. */
const MAX_REPEATED = 16_384;
/** The minimum number of characters counted for a loop body. */
const LEAST_BODY = 32;
/** At most this many values of one loop are followed individually. */
const MAX_VALUES = 32;
/** A new invocation is compared with at most this many earlier ones. */
const MAX_COMPARED = 256;
/** At most this many pieces of a line that the parser left unread are read separately. */
const MAX_RECOVERIES = 32;
/** At most this many characters of nested nodes are read: a substitution is parsed once for every level around it. */
const MAX_NESTED_CHARACTERS = 8 * MAX_BYTES;
/** Nested nodes are not read after this many invocations; src/command/tree.ts makes a line ask after fewer already. */
const MAX_INVOCATIONS = 1024;

export class Reading {
  readonly invocations: Invocation[] = [];
  readonly opaque: Opaque[] = [];
  readonly directory = new DirectoryTrack();
  readonly bindings = new Bindings();
  /** Here-documents seen so far. */
  hereDocs = 0;
  /** Whether a compound command was read: in zsh, a lone brace among a command's words may end the compound command. */
  compounds = false;
  readonly loneBraces: Span[] = [];
  /** The most recent loop that reads the output of another part of the line. */
  fed: { readonly loop: SyntaxNode; readonly span: Span; readonly source: DataSource | null } | null = null;
  private depth = 0;
  private nestedCharacters = 0;
  private recoveries = 0;
  /** Characters of loop bodies that were read again. */
  private repeated = 0;
  /** During repeated readings of a loop body: the index of the first invocation from that body; otherwise -1. */
  private repeatsFrom = -1;

  constructor(
    readonly source: string,
    readonly shell: ShellDialect,
    readonly readScript: ScriptReader,
    readonly readNode: NodeReader,
  ) {}

  /** The place of the command line itself. */
  root(): Place {
    return { text: this.source, span: null, enclosures: [], background: false, piped: false, evaluations: 0 };
  }

  /** Adds a reason not to trust the reading of a part of the line. */
  note(code: OpaqueCode, place: Place, start: number, end: number): void {
    const span = placeSpan(place, start, end);
    let alike = 0;
    for (const other of this.opaque) {
      if (other.code !== code) continue;
      if (++alike === MAX_PER_CODE || (other.span.start === span.start && other.span.end === span.end)) return;
    }
    this.opaque.push({ code, message: OPAQUE_MESSAGES[code], span });
  }

  /** Reads parts that may run once, repeatedly or not at all: if one changes the directory, no part's directory is certain. */
  inBranches(read: () => void): void {
    const { directory, invocations } = this;
    const { state, moves } = directory;
    const first = invocations.length;
    this.bindings.inBranch(read);
    const moved = directory.moves > moves;
    directory.state = moved ? null : state;
    directory.settle(directory.state);
    if (!moved) return;
    for (let i = first; i < invocations.length; i++) {
      const invocation = invocations[i];
      if (invocation !== undefined) invocations[i] = withUnknownCwd(invocation);
    }
  }

  /** Runs `read` as a subshell, whose directory changes and variables are discarded at its end. */
  inSubshell(read: () => void): void {
    this.bindings.inBranch(() => this.directory.inSubshell(read));
  }

  /** Adds an invocation, unless an earlier reading of the same loop body already added an identical one. */
  add(invocation: Invocation): void {
    const { invocations, repeatsFrom } = this;
    if (repeatsFrom >= 0)
      for (let i = Math.max(repeatsFrom, invocations.length - MAX_COMPARED); i < invocations.length; i++)
        if (invocations[i] !== undefined && isSame(invocations[i] as Invocation, invocation)) return;
    invocations.push(invocation);
  }

  /** Whether a loop body of this length may be read for this many values. */
  mayRepeat(times: number, length: number): boolean {
    // A body that the parser did not find has no length, yet it may contain loops.
    const more = (times - 1) * Math.max(length, LEAST_BODY);
    if (times > MAX_VALUES || this.repeated + more > MAX_REPEATED) return false;
    this.repeated += more;
    return true;
  }

  /** Reads a loop body once for each value. */
  repeat<Value>(values: readonly Value[], read: (value: Value) => void): void {
    const before = this.repeatsFrom;
    if (before < 0) this.repeatsFrom = this.invocations.length;
    for (const value of values) this.bindings.inBranch(() => read(value));
    this.repeatsFrom = before;
  }

  /** Runs `read` one level deeper in the tree, unless a limit on depth or total size is exceeded. */
  nested(place: Place, start: number, end: number, read: () => void): void {
    this.nestedCharacters += end - start;
    const isTooMuch = this.nestedCharacters > MAX_NESTED_CHARACTERS || this.invocations.length > MAX_INVOCATIONS;
    if (this.depth >= MAX_DEPTH || isTooMuch) {
      this.note('nesting', place, start, end);
      return;
    }
    this.depth++;
    read();
    this.depth--;
  }

  /** Reads a string that the shell evaluates as code, so that deny rules see its commands. */
  readEvaluated(text: string, place: Place, start: number, end: number): void {
    if (place.evaluations >= MAX_EVALUATIONS) {
      this.note('nesting', place, start, end);
      return;
    }
    const inner: Place = { ...place, text, span: placeSpan(place, start, end), evaluations: place.evaluations + 1 };
    this.nested(place, start, end, () => this.readScript(this, inner, parse(text)));
  }

  /** Whether one more piece of text that the parser left unread may be read. */
  mayRecover(): boolean {
    return ++this.recoveries <= MAX_RECOVERIES;
  }

  /** Returns the finished reading, its invocations in source order. */
  result(): CommandLine {
    const { invocations } = this;
    if (this.compounds)
      for (const span of this.loneBraces) this.note('shell-dialect', { ...this.root(), span }, span.start, span.end);
    for (let i = 1; i < invocations.length; i++) {
      if ((invocations[i]?.span.start ?? 0) >= (invocations[i - 1]?.span.start ?? 0)) continue;
      invocations.sort((one, other) => one.span.start - other.span.start);
      break;
    }
    return { source: this.source, invocations, opaque: this.opaque };
  }
}

/** The span of a node in the source, limited to the text: the parser places the end of a broken word beyond the text. */
export function placeSpan(place: Place, start: number, end: number): Span {
  const limit = place.text.length;
  return place.span ?? (end <= limit ? { start, end } : { start: Math.min(start, limit), end: limit });
}

/** The place within one more enclosure. */
export function enclosed(place: Place, enclosure: Enclosure, change: Partial<Place> = {}): Place {
  return { ...place, enclosures: [...place.enclosures, enclosure], ...change };
}

/** Whether two invocations are identical, including their spans. */
function isSame(one: Invocation, other: Invocation): boolean {
  if (one.span.start !== other.span.start || one.span.end !== other.span.end || one.argv.length !== other.argv.length)
    return false;
  for (let i = 0; i < one.argv.length; i++) if (one.argv[i]?.value !== other.argv[i]?.value) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
