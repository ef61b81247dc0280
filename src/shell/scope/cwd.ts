/**
 * Where the invocations of a line run: the operands of the `cd`s that certainly succeeded before them. A state is the list of operands,
 * null when unknown, or `unreachable` behind an `exit`.
 */
import type { Invocation, ShellWord } from '../syntax/types.js';

export type DirectoryState = readonly string[] | null | typeof unreachable;

export const unreachable: unique symbol = Symbol('unreachable');

/** A longer way than this is not followed: each invocation carries its own list. */
const MAX_STEPS = 32;

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** What is known when either of two ways may have been taken. */
export function merge(one: DirectoryState, other: DirectoryState): DirectoryState {
  if (one === other || other === unreachable) return one;
  return one === unreachable ? other : null;
}

/** What an invocation says about its directory; behind an `exit` nothing runs, so nothing is claimed. */
export function known(state: DirectoryState): readonly string[] | null {
  return state === unreachable ? null : state;
}

/** Begins the step of a `cd` that may have failed, with the offset of the `cd`: whether its folder is there, facts have to tell. */
export const TRIED = '\0try ';

/** The offset and the operand of such a step; null for every other step. */
export function triedStep(step: string): { readonly offset: number; readonly operand: string } | null {
  const parts = step.startsWith(TRIED) ? /^(\d+) (.*)$/s.exec(step.slice(TRIED.length)) : null;
  return parts === null ? null : { offset: Number(parts[1]), operand: parts[2] ?? '' };
}

/** The steps, unless one of them may have failed. */
export function certainSteps(steps: readonly string[] | null): readonly string[] | null {
  return steps?.some((step) => step.startsWith(TRIED)) === true ? null : steps;
}

/** How a command moves the shell: not at all, to an operand, to where it was before, to where nobody knows, or out of it. */
export type Move =
  | { readonly kind: 'stay' | 'leave' | 'back' | 'unknown' }
  | { readonly kind: 'to'; readonly operand: string; readonly offset: number | null }
  | { readonly kind: 'place'; readonly steps: readonly string[] };

/** The step to the top level of the repository; no operand holds a NUL. */
export const TO_TOP = '\0top';

const STAY: Move = { kind: 'stay' };
const LEAVE: Move = { kind: 'leave' };
const BACK: Move = { kind: 'back' };
const UNKNOWN: Move = { kind: 'unknown' };

/** Reads the move of one invocation; `name` is its static name behind `command` and `builtin`, null when it has none. */
export function moveOf(invocation: Invocation, name: string | null): Move {
  const [command, first, second, third] = invocation.argv;
  if (command === undefined) return STAY;
  if (name === null) return UNKNOWN;
  if (name === 'exit' && name === command.value && isExitStatus(first, second)) return LEAVE;
  if (!CHANGERS.has(name)) return STAY;
  if (name !== 'cd' || command.value !== 'cd' || invocation.assignments.length > 0) return UNKNOWN;
  // A redirection that fails keeps the `cd` from running.
  const offset = invocation.redirections.length === 0 ? invocation.span.start : null;
  if (first === undefined) return { kind: 'to', operand: '~', offset: null };
  const marked = first.value === '--';
  const operand = marked ? second : first;
  if (operand === undefined || (marked ? third : second) !== undefined) return UNKNOWN;
  return moveTo(operand, marked, offset);
}

/** `exit` with anything but one number may fail and go on. */
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
  // `-L` is an option, and zsh takes `+1` for a place in its stack.
  if (!marked && (value.startsWith('-') || value.startsWith('+'))) return UNKNOWN;
  // A folder that is really named `~` must not be taken for the home folder.
  return { kind: 'to', operand: value.startsWith('~') && !operand.tilde ? `./${value}` : value, offset };
}

/** The steps to a folder that the shell or git names (`cd "$HOME/x"`, `cd "$(git rev-parse --show-toplevel)"`); null for every other word. */
function stepsTo({ origin }: ShellWord): readonly string[] | null {
  if (origin?.before !== '' || !/^(?:\/|$)/.test(origin.after)) return null;
  const { source, after } = origin;
  if (source.kind === 'home') return [`~${after}`];
  if ((source.kind !== 'here' && source.kind !== 'top') || source.directory === null) return null;
  const start = source.kind === 'top' ? [...source.directory, TO_TOP] : source.directory;
  return after === '' ? start : [...start, `.${after}`];
}

/** The state after a successful `cd`; an absolute operand makes an unknown one known again. */
function entered(state: DirectoryState, operand: string): DirectoryState {
  if (operand.startsWith('/') || operand === '~' || operand.startsWith('~/')) return [operand];
  return state === null || state === unreachable || state.length >= MAX_STEPS ? null : [...state, operand];
}

/** The state behind a `cd` that may have failed; null where that is not known either way. */
function attempted(state: DirectoryState, { operand, offset }: Move & { readonly kind: 'to' }): readonly string[] | null {
  if (offset === null || state === null || state === unreachable || state.length >= MAX_STEPS) return null;
  return [...state, `${TRIED}${offset} ${operand}`];
}

/** A longer way is not followed. */
function bounded(steps: readonly string[]): DirectoryState {
  if (steps.length > MAX_STEPS) return null;
  const state = [...steps];
  RETURNED.add(state);
  return state;
}

/** States that a `cd -`, or a `cd` to a place that is known as a whole, led to: where the shell was before them is not the step before. */
const RETURNED = new WeakSet<readonly string[]>();

/**
 * The state that a `cd -` leads back to, null when that is not certain. Each relative step was taken from where the one before it led,
 * so the last one came from there; what came before an absolute one, or before the line, no state tells.
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

/** The directory state of one reading, and what the last command made of it. */
export class DirectoryTrack {
  /** Where the next command starts. */
  state: DirectoryState = [];
  /** Where the shell is when the last command succeeded, and when it failed. */
  succeeded: DirectoryState = this.state;
  failed: DirectoryState = this.state;
  /** Where the shell is behind a `cd` that may have failed, as far as facts can tell; null behind every other command. */
  tried: readonly string[] | null = null;
  /** Counts the moves of the current shell; a subshell's are taken back. */
  moves = 0;
  /** Once the variables behind `cd` were changed, or a function may move, nothing can be known. */
  private lost = false;

  /** The last command left the shell in `state`, however it ended. */
  settle(state: DirectoryState): void {
    this.tried = null;
    this.succeeded = state;
    this.failed = state;
  }

  /** `!` turns the last command's success into failure. */
  negate(): void {
    this.tried = null;
    const { succeeded } = this;
    this.succeeded = this.failed;
    this.failed = succeeded;
  }

  /** No later directory of this line can be known. */
  lose(): void {
    this.lost = true;
    this.moves++;
    this.state = null;
    this.settle(null);
  }

  /** Whether a `cd -` would lead to a known place. */
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

  /** Runs `read` as a subshell: its moves end with it. */
  inSubshell(read: () => void): void {
    const { state, moves } = this;
    read();
    this.leave(state, moves);
  }

  /** Back to the shell around a subshell, as it was before. */
  leave(state: DirectoryState, moves: number): void {
    this.moves = moves;
    this.state = this.lost ? null : state;
    this.settle(this.state);
  }
}
