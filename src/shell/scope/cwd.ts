/**
 * Where the invocations of a line run: the operands of the `cd`s that certainly succeeded before them. A state is the list of
 * operands, null when unknown, or `unreachable` after an `exit`.
 */
import type { Invocation, ShellWord } from '../syntax/types.js';

export type DirectoryState = readonly string[] | null | typeof unreachable;

export const unreachable: unique symbol = Symbol('unreachable');

/** At most this many steps are followed: each invocation carries its own list. */
const MAX_STEPS = 32;

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** The state when either of two branches may have been taken. */
export function merge(one: DirectoryState, other: DirectoryState): DirectoryState {
  if (one === other || other === unreachable) return one;
  return one === unreachable ? other : null;
}

/** The directory to report for an invocation; null after an `exit`, since nothing runs there. */
export function known(state: DirectoryState): readonly string[] | null {
  return state === unreachable ? null : state;
}

/**
 * Prefix of the step for a `cd` that may have failed, followed by the offset of the `cd`: facts have to tell whether its directory exists.
 */
export const TRIED = '\0try ';

/** The offset and the operand of a step that may have failed; null for every other step. */
export function triedStep(step: string): { readonly offset: number; readonly operand: string } | null {
  const parts = step.startsWith(TRIED) ? /^(\d+) (.*)$/s.exec(step.slice(TRIED.length)) : null;
  return parts === null ? null : { offset: Number(parts[1]), operand: parts[2] ?? '' };
}

/** The steps, or null if one of them may have failed. */
export function certainSteps(steps: readonly string[] | null): readonly string[] | null {
  return steps?.some((step) => step.startsWith(TRIED)) === true ? null : steps;
}

/**
 * How a command changes the shell's directory: not at all, to an operand, back to the previous one, to an unknown place; or it
 * exits the shell.
 */
export type Move =
  | { readonly kind: 'stay' | 'leave' | 'back' | 'unknown' }
  | { readonly kind: 'to'; readonly operand: string; readonly offset: number | null }
  | { readonly kind: 'place'; readonly steps: readonly string[] };

/** The step to the top level of the repository; no operand can contain a NUL. */
export const TO_TOP = '\0top';

const STAY: Move = { kind: 'stay' };
const LEAVE: Move = { kind: 'leave' };
const BACK: Move = { kind: 'back' };
const UNKNOWN: Move = { kind: 'unknown' };

/** The move that an invocation makes; `name` is its static name after `command` and `builtin`, null when it has none. */
export function moveOf(invocation: Invocation, name: string | null): Move {
  const [command, first, second, third] = invocation.argv;
  if (command === undefined) return STAY;
  if (name === null) return UNKNOWN;
  if (name === 'exit' && name === command.value && isExitStatus(first, second)) return LEAVE;
  if (!CHANGERS.has(name)) return STAY;
  if (name !== 'cd' || command.value !== 'cd' || invocation.assignments.length > 0) return UNKNOWN;
  // If a redirection fails, the `cd` does not run.
  const offset = invocation.redirections.length === 0 ? invocation.span.start : null;
  if (first === undefined) return { kind: 'to', operand: '~', offset: null };
  const marked = first.value === '--';
  const operand = marked ? second : first;
  if (operand === undefined || (marked ? third : second) !== undefined) return UNKNOWN;
  return moveTo(operand, marked, offset);
}

/** `exit` with anything but one number may fail, and the line goes on. */
function isExitStatus(first: ShellWord | undefined, second: ShellWord | undefined): boolean {
  if (second !== undefined || first === undefined) return second === undefined;
  return first.data === 'digits' || (first.value !== null && /^\d{1,3}$/.test(first.value));
}

function moveTo(operand: ShellWord, marked: boolean, offset: number | null): Move {
  const { value } = operand;
  const steps = stepsTo(operand);
  if (steps !== null) return { kind: 'place', steps };
  if (value === null || value === '' || operand.glob) return UNKNOWN;
  if (value === '-') return marked ? UNKNOWN : BACK;
  // `-L` is an option, and zsh reads `+1` as an entry in its directory stack.
  if (!marked && (value.startsWith('-') || value.startsWith('+'))) return UNKNOWN;
  // A directory whose actual name is `~` must not be mistaken for the home directory.
  return { kind: 'to', operand: value.startsWith('~') && !operand.tilde ? `./${value}` : value, offset };
}

/**
 * The steps to a directory that the shell or git names (`cd "$HOME/x"`, `cd "$(git rev-parse --show-toplevel)"`); null for every
 * other word.
 */
function stepsTo({ origin }: ShellWord): readonly string[] | null {
  if (origin?.before !== '' || !/^(?:\/|$)/.test(origin.after)) return null;
  const { source, after } = origin;
  if (source.kind === 'home') return [`~${after}`];
  if ((source.kind !== 'here' && source.kind !== 'top') || source.directory === null) return null;
  const start = source.kind === 'top' ? [...source.directory, TO_TOP] : source.directory;
  return after === '' ? start : [...start, `.${after}`];
}

/** The state after a successful `cd`; an absolute operand makes an unknown state known again. */
function entered(state: DirectoryState, operand: string): DirectoryState {
  if (operand.startsWith('/') || operand === '~' || operand.startsWith('~/')) return [operand];
  return state === null || state === unreachable || state.length >= MAX_STEPS ? null : [...state, operand];
}

/** The state after a `cd` that may have failed; null when unknown in either case. */
function attempted(state: DirectoryState, { operand, offset }: Move & { readonly kind: 'to' }): readonly string[] | null {
  if (offset === null || state === null || state === unreachable || state.length >= MAX_STEPS) return null;
  return [...state, `${TRIED}${offset} ${operand}`];
}

/** The steps as a state; null if there are too many. */
function bounded(steps: readonly string[]): DirectoryState {
  if (steps.length > MAX_STEPS) return null;
  const state = [...steps];
  RETURNED.add(state);
  return state;
}

/** States reached by `cd -`, or by a `cd` to a completely known place: the previous directory is not the step before. */
const RETURNED = new WeakSet<readonly string[]>();

/**
 * The state that `cd -` returns to; null when not certain. Each relative step was taken from the directory before it, so the last
 * one came from there; no state records what preceded an absolute step or the line itself.
 */
function before(state: DirectoryState): readonly string[] | null {
  if (state === null || state === unreachable || RETURNED.has(state)) return null;
  const last = state.at(-1);
  if (last === undefined || last.startsWith('/') || last.startsWith('~') || last === TO_TOP || last.startsWith(TRIED))
    return null;
  const steps = state.slice(0, -1);
  RETURNED.add(steps);
  return steps;
}

/** The directory state of one reading, and the effect of the last command on it. */
export class DirectoryTrack {
  /** The directory in which the next command starts. */
  state: DirectoryState = [];
  /** The directory if the last command succeeded, and if it failed. */
  succeeded: DirectoryState = this.state;
  failed: DirectoryState = this.state;
  /** The directory after a `cd` that may have failed, as a step for facts to decide; null after every other command. */
  tried: readonly string[] | null = null;
  /** The number of moves of the current shell; a subshell's moves are subtracted again. */
  moves = 0;
  /** After a change to the variables that `cd` uses, or with a function that may move, no directory can be known. */
  private lost = false;

  /** Sets the directory that the last command left, whether it succeeded or failed. */
  settle(state: DirectoryState): void {
    this.tried = null;
    this.succeeded = state;
    this.failed = state;
  }

  /** Swaps success and failure of the last command, as `!` does. */
  negate(): void {
    this.tried = null;
    const { succeeded } = this;
    this.succeeded = this.failed;
    this.failed = succeeded;
  }

  /** Makes every later directory of this line unknown. */
  lose(): void {
    this.lost = true;
    this.moves++;
    this.state = null;
    this.settle(null);
  }

  /** Whether `cd -` would lead to a known directory. */
  mayReturn(): boolean {
    return !this.lost && before(this.state) !== null;
  }

  /** Applies the move of a command that started in the current state. */
  apply(move: Move): void {
    this.settle(this.state);
    if (move.kind === 'stay') return;
    this.moves++;
    if (move.kind === 'leave') this.settle(unreachable);
    else if (move.kind === 'back' && this.mayReturn()) this.succeeded = before(this.state);
    else if ('operand' in move && !this.lost) {
      this.succeeded = entered(this.state, move.operand);
      this.tried = attempted(this.state, move);
    } else if ('steps' in move && !this.lost) this.succeeded = bounded(move.steps);
    else this.settle(null);
  }

  /** Runs `read` as a subshell, whose moves end with it. */
  inSubshell(read: () => void): void {
    const { state, moves } = this;
    read();
    this.leave(state, moves);
  }

  /** Returns from a subshell to the state of the shell around it. */
  leave(state: DirectoryState, moves: number): void {
    this.moves = moves;
    this.state = this.lost ? null : state;
    this.settle(this.state);
  }
}
