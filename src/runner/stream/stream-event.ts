/**
 * What a runner reports while it works, in one model for all runners. All strings are the runner's own: escape them before showing them.
 */

/** Tokens that the run has used so far. */
export interface TokenUsage {
  /** Includes tokens that were read from a cache or written to one. */
  readonly input: number;
  /** The part of `input` that was read from a cache. */
  readonly cachedInput: number;
  /** Includes reasoning tokens if the runner counts them. */
  readonly output: number;
}

/** The beginning of a run's message if the hook refused the goal: another attempt would fare no better. */
export const GOAL_REFUSED = 'the goal was refused: ';

/** What runners print if a person has to log in first: another attempt does not change that. */
export const LOGIN_NEEDED =
  /\b(?:not (?:logged|signed) in|please (?:log ?in|sign in|run \/login)|invalid (?:api key|authentication)|authentication (?:failed|required)|401 unauthorized)\b/i;

export interface FinalEvent {
  readonly kind: 'final';
  readonly outcome: 'completed' | 'failed';
  /** The agent's last message, or the reason why the run failed; null if there is none. */
  readonly message: string | null;
  /** Null if the runner's output contains no token counts. */
  readonly usage: TokenUsage | null;
  /** Ids of calls that the runner itself, or its hook, did not let run; absent if the runner states none. */
  readonly refused?: readonly string[];
}

export type StreamEvent =
  /** Occurs once, as soon as the runner states its session or its model. */
  | { readonly kind: 'started'; readonly session: string | null; readonly model: string | null }
  /** A complete message of the main agent. */
  | { readonly kind: 'message'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly id: string | null;
      readonly tool: string;
      readonly phase: 'started' | 'completed' | 'failed';
      /** The command, the path or whatever else identifies the call, at most 200 characters. */
      readonly summary: string | null;
    }
  | { readonly kind: 'usage'; readonly usage: TokenUsage }
  | { readonly kind: 'warning'; readonly message: string }
  /** The outcome of the run; occurs once, though not always as the last event. */
  | FinalEvent;

/** Returns an event as `policy run --json` prints it: one line, without the newline (schemas/run-event.schema.json). */
export function runEventLine(event: StreamEvent): string {
  return JSON.stringify({ version: 1, ...event });
}
