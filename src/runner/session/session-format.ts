/** The sessions that a runner keeps on disk, as its own transcripts tell them. Nothing in them is trusted. */
import { type Fields, own, text } from '../../call/fields.js';

/** The end of a call; `refused`: the person, the runner or a hook did not let it run. */
export type CallOutcome = 'ran' | 'failed' | 'refused';

export interface SessionCall {
  readonly kind: 'call';
  /** The runner's id; joins the call to its result. */
  readonly id: string | null;
  readonly tool: string;
  readonly input: Fields;
  readonly cwd: string | null;
  /** The name of the calling subagent; null for the main agent. */
  readonly agent: string | null;
  readonly session: string | null;
  /** ISO 8601. */
  readonly time: string | null;
}

export type SessionEvent = SessionCall | { readonly kind: 'result'; readonly id: string; readonly outcome: CallOutcome };

/** Reads the lines of one file, in order. */
export type SessionReader = (line: Fields) => readonly SessionEvent[];

export interface SessionFormat {
  /** Absolute paths of the folders that hold transcripts, in this or a lower folder. */
  readonly folders: (home: string, environment: Readonly<Record<string, string | undefined>>) => readonly string[];
  /** Matches the names of transcripts. */
  readonly files: RegExp;
  /** The name of a file above a transcript, at most two folders up, that contains the path of its project. */
  readonly rootFile?: string;
  /** Whether a line is one that only this runner writes. */
  readonly wrote: (line: Fields) => boolean;
  /** @param cwd the folder of the session, if it is known from elsewhere */
  readonly reader: (cwd: string | null) => SessionReader;
}

/** Beginnings of the results by which the runners report a call that did not run, as recorded from them. */
const REFUSED =
  /^(?:<tool_use_error>|The user doesn't want to (?:proceed|take this action)|Permission to use |Claude requested permissions? |(?:Command|Tool call) blocked by PreToolUse hook|Denied by preToolUse hook|PreToolUse:|Tool execution (?:blocked|denied)|policy (?:denied|asks)|\[Operation Cancelled\]|exec command rejected by user)/;

/** @param told the text of the result */
export function outcomeOf(told: string | null, isError: boolean): CallOutcome {
  if (told !== null && REFUSED.test(told.trimStart())) return 'refused';
  return isError ? 'failed' : 'ran';
}

/** Returns the text of a result: a string, or the first text of a list of parts. */
export function toldBy(content: unknown): string | null {
  const [first] = Array.isArray(content) ? content : [content];
  if (typeof first === 'string') return first;
  return typeof first === 'object' && first !== null ? text(first as Fields, 'text') : null;
}

/** Returns a string field that `JSON.parse` reads as an object; null otherwise. */
export function parsedField(fields: Fields, name: string): Fields | null {
  const value = own(fields, name);
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Fields) : null;
  } catch {
    return null;
  }
}
