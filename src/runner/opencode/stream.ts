/**
 * OpenCode: `opencode run --format json` as recorded from 1.18. Only the main session is written, and tools only once they have
 * ended. No line is final: the run is completed when the exit code is 0, no error was reported, and the last step ended by itself. A
 * call that is rejected ends a run with exit code 0, after a step that was to be followed by another one.
 */
import { type Fields, own, text } from '../../call/fields.js';
import type { StreamEvent, TokenUsage } from '../stream/stream-event.js';
import {
  completed,
  count,
  failed,
  object,
  type RunnerExit,
  type StreamFormat,
  type StreamParser,
  shortText,
  started,
  summaryOf,
  toolEvent,
  warning,
} from '../stream/stream-format.js';

export const stream: StreamFormat = { ignored: /^\{"type":"reasoning"/, start: opencodeParser };

/** Reasons for which a step ended without a complete answer, with the message for each. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  'tool-calls': 'OpenCode ended after a tool call, without an answer: a call that needs a permission ends the run.',
  length: 'The answer is cut off: it reached the limit of the model.',
  'content-filter': 'The answer is cut off by a content filter.',
  error: 'The last step ended with an error.',
};

function opencodeParser(): StreamParser {
  let message: string | null = null;
  let usage: TokenUsage | null = null;
  let error: string | null = null;
  /** The reason for which the last step ended; null while a step is running. */
  let reason: string | null = null;
  let isStarted = false;

  function read(line: Fields): readonly StreamEvent[] {
    const events = readLine(own(line, 'type'), object(line, 'part'), line);
    const session = shortText(line, 'sessionID');
    if (isStarted || session === null) return events;
    isStarted = true;
    return [started(session, null), ...events];
  }

  function readLine(type: unknown, part: Fields, line: Fields): readonly StreamEvent[] {
    switch (type) {
      case 'step_start':
        reason = null;
        return [];
      case 'text':
        return readText(text(part, 'text'));
      case 'tool_use':
        return [toolOf(part)];
      case 'step_finish':
        reason = text(part, 'reason') ?? 'unknown';
        usage = plus(usage, object(part, 'tokens'));
        return [{ kind: 'usage', usage }];
      case 'error':
        error = errorOf(object(line, 'error'));
        return warning(error);
      default:
        return [];
    }
  }

  function readText(words: string | null): readonly StreamEvent[] {
    if (words === null) return [];
    message = words;
    return [{ kind: 'message', text: words }];
  }

  function end({ code, signal }: RunnerExit): readonly StreamEvent[] {
    if (error !== null && signal === null) return [failed(error, usage)];
    if (code !== 0 || reason === null) return [];
    const cut = Object.hasOwn(CUT_SHORT, reason) ? CUT_SHORT[reason] : undefined;
    return [cut === undefined ? completed(message, usage) : failed(cut, usage)];
  }

  return { read, end };
}

function toolOf(part: Fields): StreamEvent {
  const state = object(part, 'state');
  const phase = own(state, 'status') === 'completed' ? 'completed' : 'failed';
  return toolEvent(shortText(part, 'callID'), text(part, 'tool'), phase, summaryOf(object(state, 'input')));
}

/** Returns the sum: each step has its own counts, and cached and reasoning tokens are counted separately. */
function plus(sum: TokenUsage | null, tokens: Fields): TokenUsage {
  const cache = object(tokens, 'cache');
  const cached = count(cache, 'read');
  return {
    input: (sum?.input ?? 0) + count(tokens, 'input') + cached + count(cache, 'write'),
    cachedInput: (sum?.cachedInput ?? 0) + cached,
    output: (sum?.output ?? 0) + count(tokens, 'output') + count(tokens, 'reasoning'),
  };
}

function errorOf(error: Fields): string {
  const words = text(object(error, 'data'), 'message') ?? text(error, 'message') ?? text(error, 'name');
  return words ?? 'OpenCode reported an error without a message.';
}
