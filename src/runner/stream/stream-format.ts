/** What a runner's file defines about its stream, and what these files share. */
import { type Fields, isFields, own, text } from '../../call/fields.js';
import type { FinalEvent, StreamEvent, TokenUsage } from './stream-event.js';

/** How the runner's process ended; both null if not known. */
export interface RunnerExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Reads the lines of one run, in order. Nothing in them is trusted. */
export interface StreamParser {
  /** @param line contains a JSON object */
  read(line: Fields): readonly StreamEvent[];
  /**
   * Returns the remaining events after the last line, including the final event if no line was known to be final before the stream ended.
   */
  end(exit: RunnerExit): readonly StreamEvent[];
}

export interface StreamFormat {
  /**
   * Matches beginnings of lines that produce no event: these are not parsed, since parsing takes most of the time. Any other
   * spelling of the same line is parsed and produces nothing.
   */
  readonly ignored: RegExp;
  /** Returns a parser for a new run. */
  start(): StreamParser;
}

const TEXT_LIMIT = 200;
const WARNING_LIMIT = 2000;
/** Maximum number of calls whose end is awaited; beyond that, the oldest are forgotten. */
const OPEN_CALLS = 1000;

/** Returns the string, or its beginning with an ellipsis: at most `limit` characters. */
export function bounded(value: string, limit = TEXT_LIMIT): string {
  if (value.length <= limit) return value;
  const cut = value.slice(0, limit - 1);
  // Half of a surrogate pair is left out.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}\u2026`;
}

/** Returns a string field, cut to 200 characters; null if it is absent, empty or anything else. */
export function shortText(fields: Fields, name: string): string | null {
  const value = text(fields, name);
  return value === null ? null : bounded(value);
}

/** Returns a field that is an object; an empty object if it is absent or anything else. */
export function object(fields: Fields, name: string): Fields {
  const value = own(fields, name);
  return isFields(value) ? value : {};
}

export function objects(fields: Fields, name: string): readonly Fields[] {
  const value = own(fields, name);
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Returns a number of tokens; 0 if it is absent or no such number. */
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

/** @param tool null if the line does not name it */
export function toolEvent(id: string | null, tool: string | null, phase: ToolPhase, summary: string | null): StreamEvent {
  return { kind: 'tool', id, tool: tool === null ? 'unknown' : bounded(tool), phase, summary };
}

/** Input fields that identify a call, the most telling first. */
const TELLING = [
  ...['command', 'file_path', 'filePath', 'absolute_path', 'path', 'notebook_path', 'url', 'pattern', 'query', 'subagent_type'],
  ...['agent_name', 'agent_type', 'skill', 'prompt'],
];

/** Returns the command or path of a call, or whatever else identifies it; null if nothing does. */
export function summaryOf(input: Fields): string | null {
  for (const name of TELLING) {
    const value = shortText(input, name);
    if (value !== null) return value;
  }
  return null;
}

/** The calls that have started, for runners that name the tool only at the start. */
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
