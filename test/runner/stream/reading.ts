/** Reading streams in tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { streamFormatOf } from '../../../src/runner/launched.js';
import type { FinalEvent, StreamEvent } from '../../../src/runner/stream/stream-event.js';
import type { RunnerExit } from '../../../src/runner/stream/stream-format.js';
import { type StreamReader, streamReader } from '../../../src/runner/stream/stream-reader.js';

const FIXTURES = 'test/fixtures/streams';

export const OK: RunnerExit = { code: 0, signal: null };
export const KILLED: RunnerExit = { code: null, signal: 'SIGKILL' };

export interface Recording {
  readonly runner: RunnerId;
  readonly file: string;
  readonly bytes: Buffer;
}

/** All recorded streams. */
export const recordings: readonly Recording[] = readdirSync(FIXTURES).flatMap((runner) =>
  readdirSync(join(FIXTURES, runner)).map((file) => ({
    ...{ runner: runner as RunnerId, file },
    bytes: readFileSync(join(FIXTURES, runner, file)),
  })),
);

export function recording(runner: RunnerId, file: string): Buffer {
  return readFileSync(join(FIXTURES, runner, file));
}

export function readerOf(runner: RunnerId, lineLimit?: number, valueLimit?: number): StreamReader {
  const format = streamFormatOf(runner);
  if (format === undefined) throw new Error(`no stream of ${runner}`);
  return streamReader(format, { ...(lineLimit !== undefined && { lineLimit }), ...(valueLimit !== undefined && { valueLimit }) });
}

/** The events of a whole run that is read in these chunks. */
export function eventsOf(runner: RunnerId, chunks: readonly Uint8Array[], exit: RunnerExit = OK): readonly StreamEvent[] {
  const reader = readerOf(runner);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end(exit)];
}

/** The events of a run that writes these lines, each a JSON value or a text as it is. */
export function eventsOfLines(runner: RunnerId, lines: readonly unknown[], exit: RunnerExit = OK): readonly StreamEvent[] {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return eventsOf(runner, [Buffer.from(text)], exit);
}

export function finalsOf(events: readonly StreamEvent[]): readonly FinalEvent[] {
  return events.filter((event) => event.kind === 'final');
}

/** The only final event. */
export function finalOf(events: readonly StreamEvent[]): FinalEvent {
  const [final, ...others] = finalsOf(events);
  if (final === undefined || others.length > 0) throw new Error(`${others.length + (final ? 1 : 0)} final events`);
  return final;
}

export function warningsOf(events: readonly StreamEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []));
}
