/** The facts that the doctor checks know about a hook that is not ours. */
/** The kind of hook, as far as it is known: a command line, an address that is asked, anything else. */
export type HookForm = 'command' | 'address' | 'other';

/** A hook with its place. */
export interface OtherHook {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** What it starts or asks; its type if that is unknown. */
  readonly what: string;
  readonly form: HookForm;
  /**
   * It is asked before a call, answers the runner's prompt to the person, is a plugin, or runs at any other event; `unread`: a
   * file that may contain any of these, with the reason why it cannot be read in `what`.
   */
  readonly kind: 'before-call' | 'permission' | 'plugin' | 'other-event' | 'unread';
  /** The event of an `other-event`: `SessionStart`. */
  readonly event?: string;
  /** The tools to which it applies, as written in the file; null or absent: all of them. */
  readonly matcher?: string | null;
  /** It came with the project and was not installed by the person or for the machine. */
  readonly ofProject: boolean;
  /** The file belongs to another runner, and this one reads it as well: reported only to users of this runner. */
  readonly isBorrowed?: true;
}

export type HookEvents = readonly (readonly [event: string, kind: OtherHook['kind']])[];
