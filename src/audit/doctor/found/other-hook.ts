/** What the checks of doctor know of a hook that is not of ours. */
/** What a hook is, as far as it tells: a command line, an address that is asked, anything else. */
export type HookForm = 'command' | 'address' | 'other';

/** A hook, and the place that names it. */
export interface OtherHook {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** What it starts or asks; its type where that is not known. */
  readonly what: string;
  readonly form: HookForm;
  /**
   * It is asked before a call, answers the question of the runner to the person, is a plugin, or runs at any other event; `unread`: a file
   * that may name any, with the reason why it cannot be read in `what`.
   */
  readonly kind: 'before-call' | 'permission' | 'plugin' | 'other-event' | 'unread';
  /** The event of an `other-event`: `SessionStart`. */
  readonly event?: string;
  /** Which tools it is about, as the file says it; null or absent: all of them. */
  readonly matcher?: string | null;
  /** It came with the project, as opposed to what the person or the machine installed. */
  readonly ofProject: boolean;
  /** The file is another runner's, and this one reads it as well: news only for whoever has this one. */
  readonly isBorrowed?: true;
}

export type HookEvents = readonly (readonly [event: string, kind: OtherHook['kind']])[];
