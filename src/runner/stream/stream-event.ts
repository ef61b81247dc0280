/** What a runner says while it works, in one model for all runners. All texts are the runner's own: escape them before they are shown. */

/** Tokens that the run used so far. */
export interface TokenUsage {
  /** With what was read from a cache and what was written to one. */
  readonly input: number;
  /** The part of `input` that was read from a cache. */
  readonly cachedInput: number;
  /** With the tokens of thoughts, where the runner counts them. */
  readonly output: number;
}

/** How the message of a run begins whose goal the hook refused: the next attempt would fare no better. */
export const GOAL_REFUSED = 'the goal was refused: ';

/** What runners say to somebody who has to log in first: no further attempt changes that. */
export const LOGIN_NEEDED =
  /\b(?:not (?:logged|signed) in|please (?:log ?in|sign in|run \/login)|invalid (?:api key|authentication)|authentication (?:failed|required)|401 unauthorized)\b/i;

export interface FinalEvent {
  readonly kind: 'final';
  readonly outcome: 'completed' | 'failed';
  /** The last message of the agent, or why the run failed; null when nobody said anything. */
  readonly message: string | null;
  /** Null when the runner does not count tokens in its output. */
  readonly usage: TokenUsage | null;
  /** Ids of calls that the runner itself, or its hook, did not let run; absent where it names none. */
  readonly refused?: readonly string[];
}

export type StreamEvent =
  /** Once, as soon as the runner names its session or its model. */
  | { readonly kind: 'started'; readonly session: string | null; readonly model: string | null }
  /** A whole message of the main agent. */
  | { readonly kind: 'message'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly id: string | null;
      readonly tool: string;
      readonly phase: 'started' | 'completed' | 'failed';
      /** The command, the path or what else tells the call from others, at most 200 characters. */
      readonly summary: string | null;
    }
  | { readonly kind: 'usage'; readonly usage: TokenUsage }
  | { readonly kind: 'warning'; readonly message: string }
  /** How the run ended: once, though not always as the last event. */
  | FinalEvent;

/** An event as `policy run --json` prints it: one line, without its end (schemas/run-event.schema.json). */
export function runEventLine(event: StreamEvent): string {
  return JSON.stringify({ version: 1, ...event });
}
