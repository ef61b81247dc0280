/** Holds an engine against what bash was seen to do before, for the negative control: broken engines must be noticed. */
import { type Unseen, unseenOf } from './compare.js';
import { ask } from './engine.js';
import type { Trace } from './trace.js';

/** A line with its trace, as `--record` writes it. */
export interface Recorded {
  readonly line: string;
  readonly trace: Trace;
}

export interface Judgement {
  readonly allowed: number;
  /** Lines on which the engine threw; they prove nothing. */
  readonly exceptions: number;
  /** The first line with something unseen; null when there is none. */
  readonly first: { readonly line: string; readonly unseen: Unseen } | null;
}

/** Judges recorded lines up to the first with something unseen. */
export function judge(recorded: readonly Recorded[]): Judgement {
  let allowed = 0;
  let exceptions = 0;
  for (const { line, trace } of recorded) {
    try {
      const answer = ask(line);
      if (!answer.allowed) continue;
      allowed++;
      const [unseen] = unseenOf(trace, answer.judged());
      if (unseen !== undefined) return { allowed, exceptions, first: { line, unseen } };
    } catch {
      exceptions++;
    }
  }
  return { allowed, exceptions, first: null };
}
