/** From a command line to commands: names, grammar verdicts, and the commands that wrappers run, down to the innermost. */
import type { Shell } from '../call/tool-call.js';
import { printsProcesses } from '../shell/expand/process-numbers.js';
import { readCommandLine } from '../shell/read.js';
import type { CommandLine, Invocation, Opaque, ShellRedirection, ShellWord, Span } from '../shell/syntax/types.js';
import { type CalledName, calledName, foldedName, isInstalledProgram } from './model/called-name.js';
import type { Command, CommandTree } from './model/command.js';
import { hasPipedInput, pipesOn } from './model/pipes.js';
import { type Appended, elsewhere, isCertain, opaqueReason, opaqueWord } from './model/words.js';
import { withLoopPatterns } from './pathnames/loop-patterns.js';
import { PrintedInLine, withPrintedNames } from './pathnames/printed-names.js';
import { type PrintedNames, printedNames } from './pathnames/producers.js';
import { leaf, plainCommand } from './plain-command.js';
import { bareVerdict, checkVerdict, informationalVerdict, wrapperVerdict } from './verdict.js';
import type { Inner, Unwrapped } from './wrappers/found.js';
import { unwrap } from './wrappers/inner.js';
import { movedInvocation, wordsInvocation } from './wrappers/inner-invocation.js';
import { noteData, noteName } from './wrappers/opaque-arguments.js';
import { type WrapperRule, wrapperOf } from './wrappers/rules.js';
import { commandsRead, printedText } from './wrappers/script-texts.js';
import { fileOfSyntaxCheck } from './wrappers/shell.js';

type Words = readonly string[] | null;

/** The words of a command whose output comes from its program alone; null if one of them is not certain. */
function certainWords({ argv, redirections, assignments }: Invocation): Words {
  const isQuiet = redirections.every(
    ({ descriptor, operator, target }) => descriptor === 2 && operator === '>' && target?.value === '/dev/null',
  );
  if (!isQuiet || assignments.length > 0 || !argv.every(isCertain)) return null;
  return argv.map(({ value }) => value ?? '');
}

/** At most this many wrappers inside each other; a deeper line is opaque (`nesting`). */
const MOST_LEVELS = 8;
/** At most this many commands in one tree, including guesses. */
const MOST_COMMANDS = 1000;
/** At most this many characters of inner scripts are read for one tree, so that nested guesses cannot multiply the work. */
const MOST_SCRIPT_CHARACTERS = 262_144;
/** At most this many words of inner commands in one tree: each wrapper repeats those of everything it wraps. */
const MOST_INNER_WORDS = 16_384;

/** What is known about the surroundings of a command. */
interface Place {
  readonly shell: Shell;
  readonly depth: number;
  /** Redirections of the wrappers around it, which determine its standard input. */
  readonly redirections: readonly ShellRedirection[];
  readonly appended: Appended | null;
  /** The contents of its standard input, if they are known to be names of files. */
  readonly input: PrintedNames | null;
  /** It contains only process IDs. */
  readonly processes?: boolean;
  /** What other commands in the line print; null inside wrappers, and for commands that are read only to find this out. */
  readonly printed: PrintedInLine | null;
  /** False for guesses and fragments: opaque parts of them do not concern the line. */
  readonly certain: boolean;
}

/**
 * Every command of a line, each with the commands it runs in turn: wrappers are unwrapped by rules/commands/wrappers.yaml, and
 * the scripts of `sh -c` are read as separate lines. `opaque` contains the line's reasons and those found inside wrappers. A
 * command with a `wrapper` has at least one `inner`; anything uncertain is opaque, and then `inner` contains guesses that only
 * ask and deny rules may trust. Never throws; bounded in depth, number of commands and script text.
 */
export function readCommands(line: CommandLine, shell: Shell): CommandTree {
  const reader = new TreeReader(line.opaque);
  const place: Place = { shell, depth: 0, redirections: [], appended: null, input: null, printed: null, certain: true };
  const commands = reader.readLine(line, place);
  return { commands, opaque: reader.opaque };
}

class TreeReader {
  readonly opaque: Opaque[];
  private commandsLeft = MOST_COMMANDS;
  private charactersLeft = MOST_SCRIPT_CHARACTERS;
  private wordsLeft = MOST_INNER_WORDS;

  constructor(opaque: readonly Opaque[]) {
    this.opaque = [...opaque];
  }

  /** Reads the commands of a line, each with the names, or the text, that it reads from the one before it. */
  readLine(line: CommandLine, within: Place, moved: (invocation: Invocation) => Invocation = asItStands): Command[] {
    const place = within.depth === 0 ? { ...within, printed: this.printedIn(line, within) } : within;
    const commands: Command[] = [];
    let output: PrintedNames | null = null;
    let printed: string | null = null;
    let pipeline: Words[] = [];
    for (const [at, written] of line.invocations.entries()) {
      const invocation = moved(written);
      const fed: boolean = (output !== null || printed !== null) && hasPipedInput(line, at);
      const input: PrintedNames | null = fed ? output : null;
      const text: string | null = fed ? printed : null;
      const piped: Words[] = fed || hasPipedInput(line, at) ? pipeline : [];
      const processes = piped.length > 0 && printsProcesses(piped);
      const around = input === null && !processes ? place : { ...place, input, processes };
      const [read]: (Command | undefined)[] = this.readAll([invocation], around);
      if (read === undefined) break;
      const command = this.withScript(read, text, place);
      commands.push(command);
      const piping = pipesOn(written);
      pipeline = piping ? [...piped, certainWords(written)] : [];
      output = piping && place.depth === 0 ? printedNames(command, input) : null;
      printed = piping ? printedText(invocation, text) : null;
    }
    return commands;
  }

  /** What the commands of a line print, found by a separate reader: for their verdicts they are read at their own place. */
  private printedIn(line: CommandLine, place: Place): PrintedInLine {
    let reader: TreeReader | null = null;
    return new PrintedInLine(line, (invocation, input) => {
      reader ??= new TreeReader([]);
      return reader.readAll([invocation], { ...place, input, printed: null, certain: false })[0] ?? null;
    });
  }

  /** `echo 'rm x' | sh`: the input of a shell is opaque; if the line contains it, ask and deny rules see it nevertheless. */
  private withScript(command: Command, text: string | null, place: Place): Command {
    const script = commandsRead(command, text);
    if (script === null) return command;
    const outer = command.invocation;
    this.charactersLeft -= script.text.length;
    if (place.depth >= MOST_LEVELS || this.charactersLeft < 0) {
      this.tooMuch(outer.span);
      return command;
    }
    const line = readCommandLine(script.text, 'union');
    const within: Place = {
      shell: 'union',
      depth: place.depth + 1,
      redirections: [],
      appended: null,
      input: null,
      printed: null,
      certain: false,
    };
    const inner = this.readLine(line, within, (invocation) => movedInvocation(invocation, outer.span, outer, []));
    if (inner.length === 0) return command;
    const wrapper = command.wrapper ?? (script.shell ? { name: command.name ?? '', kind: 'interpreter' as const } : null);
    return { ...command, wrapper, inner: [...command.inner, ...inner] };
  }

  private readAll(invocations: readonly Invocation[], place: Place): Command[] {
    const commands: Command[] = [];
    for (const invocation of invocations) {
      if (this.commandsLeft <= 0) {
        this.tooMuch(invocation.span);
        break;
      }
      this.commandsLeft -= 1;
      commands.push(this.read(invocation, place));
    }
    return commands;
  }

  /** Reads one command: its name, what it wraps, and the verdict on it. */
  private read(invocation: Invocation, place: Place): Command {
    const first = invocation.argv[0];
    if (first === undefined) return leaf(invocation, null, bareVerdict(invocation), null);
    const called = calledName(first);
    const known = called.name ?? called.file;
    if (called.name === null && called.file !== null && isInstalledProgram(first.value ?? ''))
      return this.readInstalled(invocation, called, called.file, place);
    const rule = known === null ? undefined : (wrapperOf(known) ?? foldedWrapper(known));
    return rule === undefined ? readPlain(invocation, called, place, null) : this.readWrapper(invocation, called, rule, place);
  }

  /**
   * `.venv/bin/pytest`: ask and deny rules see the program of the same name, which it may well be; only a rule that names it, or
   * facts, can allow it.
   */
  private readInstalled(invocation: Invocation, called: CalledName, name: string, place: Place): Command {
    const plain = readPlain(invocation, called, place, null);
    this.wordsLeft -= invocation.argv.length;
    const [first, ...others] = invocation.argv;
    if (first === undefined || this.wordsLeft < 0 || place.depth >= MOST_LEVELS) return plain;
    const bare = { ...invocation, argv: [{ ...first, value: name, text: name }, ...others], redirections: [] };
    const inner = this.readAll([bare], { ...place, depth: place.depth + 1, certain: false });
    return inner.length === 0 ? plain : { ...plain, wrapper: { name, kind: 'privilege' }, inner };
  }

  /**
   * Reads a command that runs others. A program called by a path outside the system directories may be anything, so ask and deny rules see
   * through it as through the wrapper of the same name, but only a rule that names it can allow it: that is the meaning of `privilege`.
   */
  private readWrapper(invocation: Invocation, called: CalledName, rule: WrapperRule, place: Place): Command {
    const file = place.appended === null ? fileOfSyntaxCheck(called.name, invocation.argv) : null;
    if (file !== null) return leaf(invocation, called.name, checkVerdict(invocation, called, file), null);
    const informing = place.appended === null ? informationalVerdict(invocation, called, rule) : null;
    if (informing !== null) return leaf(invocation, called.name, informing, null);
    const foreign = called.name !== rule.name;
    const within = foreign ? { ...place, certain: false } : place;
    const unwrapped = this.unwrap(invocation, rule, within);
    const inner = this.readInner(unwrapped, invocation, rule, within);
    if (place.certain) noteData(invocation, rule, unwrapped, this.opaque);
    if (inner.length === 0 || foreign) {
      const plain = readPlain(invocation, called, place, foreign ? null : unwrapped);
      return inner.length === 0 ? plain : { ...plain, wrapper: { name: rule.name, kind: 'privilege' }, inner };
    }
    return {
      invocation,
      name: called.name,
      wrapper: { name: rule.name, kind: rule.kind },
      inner,
      ...(unwrapped.inner.some(({ certain }) => !certain) && { guessed: true as const }),
      appended: unwrapped.appends !== null,
      verdict: wrapperVerdict(invocation, called, rule, unwrapped),
    };
  }

  private unwrap(invocation: Invocation, rule: WrapperRule, place: Place): Unwrapped {
    const redirections = [...place.redirections, ...invocation.redirections];
    const around = {
      span: invocation.span,
      redirections,
      appended: place.appended,
      input: place.input,
      processes: place.processes === true,
    };
    const unwrapped = unwrap(rule, invocation.argv, around);
    if (place.certain) this.opaque.push(...unwrapped.opaque);
    return unwrapped;
  }

  private readInner(unwrapped: Unwrapped, invocation: Invocation, rule: WrapperRule, place: Place): Command[] {
    if (unwrapped.inner.length === 0) return [];
    if (place.depth >= MOST_LEVELS) {
      this.tooMuch(invocation.span);
      return [];
    }
    // xargs and find give their commands a standard input that is not their own.
    const redirections = rule.kind === 'appending' ? [] : [...place.redirections, ...invocation.redirections];
    const commands: Command[] = [];
    for (const inner of unwrapped.inner) {
      const certain = place.certain && inner.certain;
      const stays = inner.directory?.length === 0;
      const appended =
        inner.form !== 'words' || unwrapped.appends === null || stays ? unwrapped.appends : elsewhere(unwrapped.appends);
      const shell = inner.form === 'script' ? inner.shell : place.shell;
      const input = rule.kind === 'transparent' && inner.form === 'words' && stays ? place.input : null;
      const depth = place.depth + 1;
      const innerPlace: Place = {
        shell,
        depth,
        redirections,
        appended: inner.form === 'words' ? appended : null,
        input,
        printed: null,
        certain,
      };
      if (inner.form === 'words')
        commands.push(...this.readAll(this.invocationsOf(inner, invocation, rule, certain), innerPlace));
      else commands.push(...this.readText(inner, invocation, innerPlace));
    }
    return commands;
  }

  /** The words as an invocation; empty when there are too many. */
  private invocationsOf(inner: Inner & { form: 'words' }, outer: Invocation, rule: WrapperRule, certain: boolean): Invocation[] {
    this.wordsLeft -= inner.words.length;
    if (this.wordsLeft < 0) {
      this.tooMuch(inner.words[0]?.span ?? outer.span);
      return [];
    }
    const read = wordsInvocation(inner, outer, rule);
    const invocation = inner.directory?.length === 0 ? read : { ...read, argv: read.argv.map(unnamed) };
    const first = inner.words[0];
    if (certain && first !== undefined) noteName(first, this.opaque);
    return [invocation];
  }

  private readText(inner: Inner & { form: 'script' }, outer: Invocation, place: Place): Command[] {
    this.charactersLeft -= inner.text.length;
    if (this.charactersLeft < 0) {
      this.tooMuch(inner.span);
      return [];
    }
    const line = readCommandLine(inner.text, inner.shell);
    if (place.certain) for (const reason of line.opaque) this.opaque.push({ ...reason, span: inner.span });
    return this.readLine(line, place, (invocation) => movedInvocation(invocation, inner.span, outer, inner.directory));
  }

  private tooMuch(span: Span): void {
    if (this.opaque.at(-1)?.code === 'nesting') return;
    this.opaque.push(opaqueReason('nesting', 'The command line nests too many commands to look at each of them.', span));
  }
}

/** Reads a command that runs no other, with the names of files that its words stand for. */
function readPlain(invocation: Invocation, called: CalledName, place: Place, unwrapped: Unwrapped | null): Command {
  const command = plainCommand(invocation, called, place.appended, unwrapped);
  if (place.printed === null || place.appended !== null) return command;
  const judge = (other: Invocation) => plainCommand(other, called, null, unwrapped);
  return withPrintedNames(withLoopPatterns(command, judge), judge, place.printed);
}

/** `BASH -c`: another program, or the same one where names are not case-sensitive. */
function foldedWrapper(name: string): WrapperRule | undefined {
  const folded = foldedName(name);
  return folded === name ? undefined : wrapperOf(folded);
}

function asItStands(invocation: Invocation): Invocation {
  return invocation;
}

function unnamed(word: ShellWord): ShellWord {
  return word.names === undefined ? word : opaqueWord(word.text, '', word.span);
}
