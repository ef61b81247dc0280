/** The state of reading one command line: what was found so far, and the place in the line that a node stands in. */

import { MAX_BYTES } from '../syntax/characters.js';
import { OPAQUE_MESSAGES } from '../syntax/opaque.js';
import { type CompoundList, type ParsedScript, parse, type Statement, type SyntaxNode } from '../syntax/parser.js';
import type { CommandLine, DataSource, Enclosure, Invocation, Opaque, OpaqueCode, ShellDialect, Span } from '../syntax/types.js';
import { Bindings } from './bindings.js';
import { DirectoryTrack } from './cwd.js';
import { withUnknownCwd } from './unknown-cwd.js';

/** What stands around the node that is being read. */
export interface Place {
  /** The text that the node's positions count in: the source, or a decoded or evaluated inner text. */
  readonly text: string;
  /** For an inner text: the span of the source that it came from; reported for everything in it. */
  readonly span: Span | null;
  readonly enclosures: readonly Enclosure[];
  readonly background: boolean;
  readonly piped: boolean;
  /** How many evaluated texts (`eval '…'`) it stands in. */
  readonly evaluations: number;
}

/** Reads a whole script into the reading; given by `read.ts`, so that the readers of words need not know those of commands. */
type ScriptReader = (reading: Reading, place: Place, script: ParsedScript) => void;
/** Reads one command, list or pipeline; given in the same way. */
type NodeReader = (reading: Reading, place: Place, node: Statement['command'] | CompoundList) => void;

/** Deeper than this, a tree is not followed. */
const MAX_DEPTH = 400;
/** A text that is evaluated inside evaluated texts, at most so often. */
const MAX_EVALUATIONS = 4;
/** More reasons of one code than this say nothing new; counted per code, so that many of one cannot hide another. */
const MAX_PER_CODE = 16;
/** Loop bodies are read once for each value, up to so many characters of a line in all. */
const MAX_REPEATED = 16_384;
/** What a shorter body counts for. */
const LEAST_BODY = 32;
/** Values of one loop that are followed one by one. */
const MAX_VALUES = 32;
/** Invocations that a new one is compared with. */
const MAX_COMPARED = 256;
/** Texts that the parser left unread and that we read on our own, per line. */
const MAX_RECOVERIES = 32;
/** Characters of nested nodes that are looked into: the parser reads a substitution's text once for every level around it. */
const MAX_NESTED_CHARACTERS = 8 * MAX_BYTES;
/** Behind so many invocations nothing more is looked into; a line with fewer is asked about already (src/command/tree.ts). */
const MAX_INVOCATIONS = 1024;

export class Reading {
  readonly invocations: Invocation[] = [];
  readonly opaque: Opaque[] = [];
  readonly directory = new DirectoryTrack();
  readonly bindings = new Bindings();
  /** Here-documents seen so far. */
  hereDocs = 0;
  /** A compound command was read: then a lone brace among the words of a command may end it in zsh. */
  compounds = false;
  readonly loneBraces: Span[] = [];
  /** The loop that reads what another part of the line prints, when that was met last. */
  fed: { readonly loop: SyntaxNode; readonly span: Span; readonly source: DataSource | null } | null = null;
  private depth = 0;
  private nestedCharacters = 0;
  private recoveries = 0;
  /** Characters of loop bodies that were read once more. */
  private repeated = 0;
  /** While a loop body is read again: where the invocations of its first reading begin. */
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

  /** Reads parts of which only some run, or some again: if one moves the shell, none of their directories is certain. */
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

  /** Runs `read` as a subshell: neither its moves nor its variables outlive it. */
  inSubshell(read: () => void): void {
    this.bindings.inBranch(() => this.directory.inSubshell(read));
  }

  /** Adds an invocation; one that reading a loop body again says in the same words is left out. */
  add(invocation: Invocation): void {
    const { invocations, repeatsFrom } = this;
    if (repeatsFrom >= 0)
      for (let i = Math.max(repeatsFrom, invocations.length - MAX_COMPARED); i < invocations.length; i++)
        if (invocations[i] !== undefined && isSame(invocations[i] as Invocation, invocation)) return;
    invocations.push(invocation);
  }

  /** Whether a loop body of that length may be read for so many values. */
  mayRepeat(times: number, length: number): boolean {
    // A body that the parser did not find has no length, but loops in it all the same.
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

  /** Runs `read` one level deeper in the tree, unless that is too deep or too much in all. */
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

  /** Reads a text that the shell evaluates as code, so that deny rules see its commands. */
  readEvaluated(text: string, place: Place, start: number, end: number): void {
    if (place.evaluations >= MAX_EVALUATIONS) {
      this.note('nesting', place, start, end);
      return;
    }
    const inner: Place = { ...place, text, span: placeSpan(place, start, end), evaluations: place.evaluations + 1 };
    this.nested(place, start, end, () => this.readScript(this, inner, parse(text)));
  }

  /** Whether one more text that the parser left unread may be read. */
  mayRecover(): boolean {
    return ++this.recoveries <= MAX_RECOVERIES;
  }

  /** The finished reading, its invocations in source order. */
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

/** The span of a node in the source; the parser places the end of a broken word behind the end of the text. */
export function placeSpan(place: Place, start: number, end: number): Span {
  const limit = place.text.length;
  return place.span ?? (end <= limit ? { start, end } : { start: Math.min(start, limit), end: limit });
}

/** The place inside one more enclosure. */
export function enclosed(place: Place, enclosure: Enclosure, change: Partial<Place> = {}): Place {
  return { ...place, enclosures: [...place.enclosures, enclosure], ...change };
}

/** Whether two invocations of the same place say the same. */
function isSame(one: Invocation, other: Invocation): boolean {
  if (one.span.start !== other.span.start || one.span.end !== other.span.end || one.argv.length !== other.argv.length)
    return false;
  for (let i = 0; i < one.argv.length; i++) if (one.argv[i]?.value !== other.argv[i]?.value) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
