/** The calls of the last decisions: the result of a call follows soon, and repeats its fields. */
import type { Bytes } from './bytes.js';
import type { LineNumbers } from './line-fields.js';
import { beginHash, type CallHash } from './recent-calls.js';
import { standsAgain } from './stretch.js';

/** Number of calls remembered: an agent makes several at once. */
const CALLS = 4;

type CallNumbers = Pick<LineNumbers, 'hasCall' | 'call' | 'idFrom' | 'idTo'>;

/** A stretch of the buffer, and its meaning. */
export interface LastCall<Session, Tool> {
  from: number;
  length: number;
  session: Session;
  tool: Tool;
  hasCall: boolean;
  readonly hash: CallHash;
  /** Position of the id, relative to `from`. */
  idFrom: number;
  idTo: number;
}

export class LastCalls<Session, Tool> {
  readonly #calls: readonly LastCall<Session, Tool>[];
  /** Index of the oldest. */
  #index = 0;

  /** @param session @param tool placeholders for empty entries */
  constructor(session: Session, tool: Tool) {
    const empty = { from: 0, length: 0, session, tool, hasCall: false, idFrom: 0, idTo: 0 };
    this.#calls = Array.from({ length: CALLS }, () => ({ ...empty, hash: { high: 0, low: 0 } }));
  }

  /** Returns the call of the session whose bytes recur at `at`, ending before `end`; null if there is none. */
  find(buffer: Bytes, at: number, end: number, session: Session): LastCall<Session, Tool> | null {
    for (let back = 1; back <= CALLS; back += 1) {
      const call = this.#calls[(this.#index - back) & (CALLS - 1)];
      if (call === undefined || call.session !== session) continue;
      if (standsAgain(buffer, at, end, call.from, call.length)) return call;
    }
    return null;
  }

  /** Remembers the call that was read from `from` up to `behind`. */
  keep(from: number, behind: number, session: Session, tool: Tool, { hasCall, call, idFrom, idTo }: CallNumbers): void {
    const last = this.#calls[this.#index];
    this.#index = (this.#index + 1) & (CALLS - 1);
    if (last === undefined) return;
    last.from = from;
    last.length = behind - from;
    last.session = session;
    last.tool = tool;
    last.hasCall = hasCall;
    beginHash(last.hash, call);
    last.idFrom = idFrom - from;
    last.idTo = idTo - from;
  }

  /** Must be called when the content of the buffer has changed. */
  forget(): void {
    for (const call of this.#calls) call.length = 0;
  }
}

/** Sets the numbers of a call that recurs at `from`, and returns its end. */
export function readAgain(call: Readonly<LastCall<unknown, unknown>>, from: number, numbers: CallNumbers): number {
  numbers.hasCall = call.hasCall;
  beginHash(numbers.call, call.hash);
  numbers.idFrom = from + call.idFrom;
  numbers.idTo = from + call.idTo;
  return from + call.length;
}
