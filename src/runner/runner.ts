/** What a runner's file tells the rest of the house: how its hook payloads are read and how an answer is given to it. */
import type { RunnerId, Shell, ToolCall } from '../call/tool-call.js';
import type { Effect } from '../rule/permission-rule.js';

/** What payloads say beside the call itself; null for what the runner does not say. */
export interface HookContext {
  readonly session: string | null;
  /** Joins the result of a call to its decision. */
  readonly toolUseId: string | null;
  readonly model: string | null;
  /** The runner's own permission mode or sandbox. */
  readonly permissionMode: string | null;
}

/** A hook payload, read. */
export type HookEvent =
  | ({ readonly kind: 'before-call'; readonly call: ToolCall } & HookContext)
  | ({
      readonly kind: 'after-call';
      readonly call: ToolCall;
      readonly result: 'success' | 'error';
      readonly message: string | null;
      readonly microseconds: number | null;
    } & HookContext)
  /** An event of the runner that is not about a tool call. */
  | { readonly kind: 'other'; readonly name: string }
  /** Not a payload of this runner; `why` completes the sentence "the payload …". */
  | { readonly kind: 'unreadable'; readonly why: string };

/** What the engine tells a runner about one call. All texts are escaped, single lines. */
export interface HookAnswer {
  /** In observe mode always `allow`. */
  readonly effect: Effect;
  /** Only with `allow`: the policy says so explicitly, so the runner need not ask again. */
  readonly grant: boolean;
  /** Why, for the agent and the person: with the decision id and what would settle it. */
  readonly message: string;
  /** Something that the person has to see whatever was decided, such as observe mode. */
  readonly notice: string | null;
}

/** What the hook process does at the end. */
export interface HookOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

export interface Runner {
  readonly id: RunnerId;
  /**
   * Reads a payload, parsed from JSON; never throws. Nothing in it is trusted.
   * @param shell the shell that the runner's own shell tool uses, as far as the user told
   */
  parse(payload: unknown, shell: Shell): HookEvent;
  /** The answer to a `before-call` event in the runner's own protocol. */
  answer(answer: HookAnswer): HookOutput;
  /** The settings that install `command` as the gate of every tool call, ready to be written to a file. */
  settings(command: string): { readonly file: string; readonly content: unknown };
}
