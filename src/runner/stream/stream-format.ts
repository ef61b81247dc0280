/** What the file of a runner tells about its stream, and what these files share. */
import { type Fields, isFields, own, text } from '../hook/payload.js';
import type { FinalEvent, StreamEvent, TokenUsage } from './stream-event.js';

/** How the process of the runner ended; both null when that is not known. */
export interface RunnerExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Reads the lines of one run, in order. Nothing in them is trusted. */
export interface StreamParser {
  /** @param line a line that is a JSON object */
  read(line: Fields): readonly StreamEvent[];
  /** What is left to say after the last line; the final event where no line is known to be the final one before the stream ends. */
  end(exit: RunnerExit): readonly StreamEvent[];
}

export interface StreamFormat {
  /**
   * Matches beginnings of lines that no event is made of: these are not parsed, which is where the time goes. Any other spelling of
   * the same line is parsed, and comes to nothing.
   */
  readonly ignored: RegExp;
  /** A parser for a new run. */
  start(): StreamParser;
}

const TEXT_LIMIT = 200;
const WARNING_LIMIT = 2000;
/** Calls whose end is awaited; what is beyond is forgotten, the oldest first. */
const OPEN_CALLS = 1000;

/** The text, or its beginning and an ellipsis: no more than `limit` characters. */
export function bounded(value: string, limit = TEXT_LIMIT): string {
  if (value.length <= limit) return value;
  const cut = value.slice(0, limit - 1);
  // Half of a character that takes two code units is left out.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}\u2026`;
}

/** A text field of at most 200 characters; null when it is absent, empty or something else. */
export function shortText(fields: Fields, name: string): string | null {
  const value = text(fields, name);
  return value === null ? null : bounded(value);
}

/** A field that is an object; without members when it is absent or something else. */
export function object(fields: Fields, name: string): Fields {
  const value = own(fields, name);
  return isFields(value) ? value : {};
}

export function objects(fields: Fields, name: string): readonly Fields[] {
  const value = own(fields, name);
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** A number of tokens; 0 when it is absent or no such number. */
export function count(fields: Fields, name: string): number {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export function started(session: string | null, model: string | null): StreamEvent {
  return { kind: 'started', session, model };
}

export function warning(message: string | null): readonly StreamEvent[] {
  return message === null ? [] : [{ kind: 'warning', message: bounded(message, WARNING_LIMIT) }];
}

export function completed(message: string | null, usage: TokenUsage | null): FinalEvent {
  return { kind: 'final', outcome: 'completed', message, usage };
}

export function failed(message: string | null, usage: TokenUsage | null): FinalEvent {
  return { kind: 'final', outcome: 'failed', message, usage };
}

export type ToolPhase = Extract<StreamEvent, { readonly kind: 'tool' }>['phase'];

/** @param tool null when the line does not name it */
export function toolEvent(id: string | null, tool: string | null, phase: ToolPhase, summary: string | null): StreamEvent {
  return { kind: 'tool', id, tool: tool === null ? 'unknown' : bounded(tool), phase, summary };
}

/** Fields of inputs that tell a call from others, the most telling first. */
const TELLING = [
  ...['command', 'file_path', 'filePath', 'absolute_path', 'path', 'notebook_path', 'url', 'pattern', 'query', 'subagent_type'],
  ...['agent_name', 'agent_type', 'skill', 'prompt'],
];

/** The command or the path of a call, or what else tells it from others; null where nothing does. */
export function summaryOf(input: Fields): string | null {
  for (const name of TELLING) {
    const value = shortText(input, name);
    if (value !== null) return value;
  }
  return null;
}

/** The calls that were started, for runners that name the tool only then. */
export interface OpenCalls {
  start(id: string | null, tool: string | null, summary: string | null): StreamEvent;
  end(id: string | null, phase: ToolPhase): StreamEvent;
}

export function openCalls(): OpenCalls {
  const open = new Map<string, { readonly tool: string | null; readonly summary: string | null }>();
  return {
    start(id, tool, summary) {
      if (id !== null) {
        const [oldest] = open.keys();
        if (open.size >= OPEN_CALLS && oldest !== undefined) open.delete(oldest);
        open.set(id, { tool, summary });
      }
      return toolEvent(id, tool, 'started', summary);
    },
    end(id, phase) {
      const call = id === null ? undefined : open.get(id);
      if (id !== null) open.delete(id);
      return toolEvent(id, call?.tool ?? null, phase, call?.summary ?? null);
    },
  };
}
