/**
 * `wc -l $(git ls-files)`, `for f in $(find src); do wc -l "$f"; done`, `find src | while read -r f; do …`: words of a command
 * that stand for names printed by other commands in the line.
 */
import type {
  CommandLine,
  DataOrigin,
  FoundNames,
  Invocation,
  PrintedSource,
  ShellRedirection,
  ShellWord,
  Span,
} from '../../shell/syntax/types.js';
import type { Command, Condition, GrammarVerdict } from '../model/command.js';
import { hasPipedInput, isSame } from '../model/pipes.js';
import { namesWord } from '../model/words.js';
import { leavesInput } from './ignores-stdin.js';
import { type PrintedNames, printedNames } from './producers.js';

/** What the commands of a line print; each part of the line is read only once. */
export class PrintedInLine {
  private readonly printed = new Map<number, PrintedHere | null>();
  private readonly bodies = new Map<number, boolean>();

  /** @param read returns a command as its own words show it, with the names that it reads; null when there are too many commands */
  constructor(
    private readonly line: CommandLine,
    private readonly read: (invocation: Invocation, input: PrintedNames | null) => Command | null,
  ) {}

  /** The names printed by the commands that make up a part of the line; null when the output may be anything but names. */
  namesIn(span: Span): PrintedHere | null {
    let found = this.printed.get(span.start);
    if (found === undefined) {
      found = this.findNames(span);
      this.printed.set(span.start, found);
    }
    return found;
  }

  /** Whether nothing in the body of a loop reads the loop's input. */
  leavesLines(body: Span): boolean {
    let leaves = this.bodies.get(body.start);
    if (leaves === undefined) {
      leaves = placesIn(this.line, body).every((at) => leavesInput(this.line, at, this.readAt(at, null)));
      this.bodies.set(body.start, leaves);
    }
    return leaves;
  }

  private findNames(span: Span): PrintedHere | null {
    const { line } = this;
    const places = placesIn(line, span);
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined || !fills(line, span, first, last)) return null;
    // Each command feeds the next, and nothing else is between them.
    if (!places.every((at) => at === first || hasPipedInput(line, at)) || hasPipedInput(line, first)) return null;
    let names: PrintedNames | null = null;
    for (const at of places) {
      const command = this.readAt(at, names);
      names = command === null ? null : printedNames(command, names);
      if (names === null) return null;
    }
    const { argv, directory } = line.invocations[last] ?? { argv: [], directory: null };
    return names === null ? null : { names, single: ONE_LINE.test(argv.map(({ value }) => value).join(' ')), directory };
  }

  private readAt(at: number, input: PrintedNames | null): Command | null {
    const invocation = this.line.invocations[at];
    return invocation === undefined ? null : this.read(invocation, input);
  }
}

/** Names, and the steps to the directory in which they were found. */
interface PrintedHere {
  readonly names: PrintedNames;
  /** At most one name. */
  readonly single: boolean;
  readonly directory: Invocation['directory'];
}

/** `head -1`: even in quotes, its output is one name, or nothing. */
const ONE_LINE = /^(?:head|tail) (?:-1|-n ?1|--lines[= ]1)$/;

/** Whether a part of the line contains only these commands. */
function fills({ source, invocations }: CommandLine, { start, end }: Span, first: number, last: number): boolean {
  const before = source.slice(start, invocations[first]?.span.start);
  const behind = source.slice(invocations[last]?.span.end, end);
  return /^\s*$/.test(before) && /^\s*$/.test(behind);
}

/** The indexes of the commands in a part of the line. */
function placesIn({ invocations }: CommandLine, { start, end }: Span): readonly number[] {
  const places: number[] = [];
  for (const [at, { span }] of invocations.entries()) if (span.start >= start && span.end <= end) places.push(at);
  return places;
}

/** At most this many words are followed in one command. */
const MOST_PRINTED = 8;

/**
 * The command with a verdict in which found names replace the words that cannot be analysed; the command itself if it needs none,
 * or if that proves nothing.
 * @param judge returns the command with other words
 */
export function withPrintedNames(command: Command, judge: (invocation: Invocation) => Command, reader: PrintedInLine): Command {
  return withPrintedFiles(withPrintedWords(command, judge, reader), reader);
}

/** `wc -l < "$f"`: the file that is read is one of the names. */
function withPrintedFiles(command: Command, reader: PrintedInLine): Command {
  const { invocation, verdict } = command;
  if (!invocation.redirections.some(({ target }) => target !== null && isPrinted(target))) return command;
  const conditions: Condition[] = [];
  const redirections = invocation.redirections.map((one): ShellRedirection => {
    const { target, direction } = one;
    const names = direction === 'read' && target !== null && isPrinted(target) ? namesOf(target, invocation, reader) : null;
    if (target === null || names === null) return one;
    conditions.push({ kind: 'plain-names', names, hyphen: false, word: -1 });
    return { ...one, target: namesWord(target.text, names, target.span) };
  });
  const judged = { ...verdict, conditions: [...verdict.conditions, ...conditions] };
  return { ...command, invocation: { ...invocation, redirections }, verdict: judged };
}

function withPrintedWords(command: Command, judge: (invocation: Invocation) => Command, reader: PrintedInLine): Command {
  const { invocation, verdict } = command;
  if (!verdict.known || verdict.issues.length === 0 || !invocation.argv.some(isPrinted)) return command;
  if (invocation.argv.filter(isPrinted).length > MOST_PRINTED) return command;
  const words: ShellWord[] = [];
  const conditions: Condition[] = [];
  for (const [at, word] of invocation.argv.entries()) {
    const names = isPrinted(word) ? namesOf(word, invocation, reader) : null;
    if (isPrinted(word) && names === null) return command;
    // A word after several names might be at another position than it seems.
    if (names?.many && at < invocation.argv.length - 1) return command;
    // Some commands read `-` as their input.
    if (names?.bare && isLine(word)) conditions.push({ kind: 'plain-names', names, hyphen: true, word: at });
    words.push(names === null ? word : namesWord(word.text, names, word.span));
  }
  const named = judge({ ...invocation, argv: words });
  // The command works in another directory, but the names are relative to this one.
  if (named.invocation.directory !== invocation.directory) return command;
  const verdicts = [named.verdict];
  if (words.at(-1)?.names?.many) verdicts.push(judge({ ...invocation, argv: words.slice(0, -1) }).verdict);
  const joined = joinedVerdict(verdicts, conditions);
  return joined === null ? command : { ...command, verdict: joined };
}

/** The combined verdict; null if one of the verdicts raises doubt. */
function joinedVerdict(verdicts: readonly GrammarVerdict[], conditions: readonly Condition[]): GrammarVerdict | null {
  const [first] = verdicts;
  // Without names it may lack an operand, which it then reports.
  if (first === undefined || verdicts.some(({ issues }) => issues.some(({ code }) => code !== 'operand/missing'))) return null;
  if (first.issues.length > 0) return null;
  return {
    ...first,
    conditions: [...verdicts.flatMap((one) => one.conditions), ...conditions],
    effects: verdicts.flatMap(({ effects }) => effects),
  };
}

type PrintedWord = ShellWord & { readonly origin: DataOrigin & { readonly source: PrintedSource } };

function isPrinted(word: ShellWord): word is PrintedWord {
  return word.origin?.source.kind === 'printed';
}

function isLine(word: ShellWord): boolean {
  return isPrinted(word) && word.origin.source.body !== null;
}

/** The names that a word stands for; null when it may be anything else. */
function namesOf({ data, origin, text }: PrintedWord, { directory }: Invocation, reader: PrintedInLine): FoundNames | null {
  const { span, part, body } = origin.source;
  if (origin.before !== '' || origin.after !== '') return null;
  if (body !== null && !reader.leavesLines(body)) return null;
  const found = reader.namesIn(span);
  if (found === null || found.names.nul !== (part === 'record') || !isSame(found.directory, directory)) return null;
  // In quotes, the whole output is one word.
  if (part === 'all' && data !== 'several' && !found.single) return null;
  const { roots, bare, from, endings, unhidden } = found.names;
  const expanded = part === 'word' || data === 'several';
  return {
    roots,
    bare,
    from,
    endings,
    unhidden,
    split: part !== 'record' || data === 'several',
    lines: data !== 'several' && part !== 'word',
    many: part === 'all' && data === 'several',
    expanded,
    written: text,
  };
}
