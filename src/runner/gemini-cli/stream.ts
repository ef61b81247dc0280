/** Gemini CLI: `gemini --output-format stream-json` as recorded from 0.61. Its last line is a `result`; its counts include all agents. */
import { type Fields, isFields, own, text } from '../../call/fields.js';
import type { StreamEvent, TokenUsage } from '../stream/stream-event.js';
import {
  completed,
  count,
  failed,
  object,
  openCalls,
  type StreamFormat,
  type StreamParser,
  shortText,
  started,
  summaryOf,
  warning,
} from '../stream/stream-format.js';

/** No lines are ignored: a message ends at the next line of another kind. */
export const stream: StreamFormat = { ignored: /^(?!)/, start: geminiParser };

/** Maximum number of characters of a message; parts beyond that are dropped. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;

function geminiParser(): StreamParser {
  const calls = openCalls();
  /** The parts of an unfinished message: the runner writes a line for each part, and none at the end. */
  let parts: string[] = [];
  let length = 0;
  let message: string | null = null;

  function read(line: Fields): readonly StreamEvent[] {
    switch (own(line, 'type')) {
      case 'init':
        return [started(shortText(line, 'session_id'), shortText(line, 'model'))];
      case 'message':
        return readMessage(line);
      case 'tool_use':
        return [
          ...whole(),
          calls.start(shortText(line, 'tool_id'), text(line, 'tool_name'), summaryOf(object(line, 'parameters'))),
        ];
      case 'tool_result':
        return [...whole(), calls.end(shortText(line, 'tool_id'), own(line, 'status') === 'success' ? 'completed' : 'failed')];
      case 'error':
        return warning(text(line, 'message'));
      case 'result':
        return [...whole(), finalOf(line)];
      default:
        return [];
    }
  }

  function readMessage(line: Fields): readonly StreamEvent[] {
    if (own(line, 'role') !== 'assistant') return whole();
    const before = own(line, 'delta') === true ? [] : whole();
    const part = text(line, 'content') ?? '';
    if (length + part.length <= MESSAGE_LIMIT) {
      parts.push(part);
      length += part.length;
    }
    return own(line, 'delta') === true ? before : [...before, ...whole()];
  }

  /** Returns the message that the parts so far make up. */
  function whole(): readonly StreamEvent[] {
    const words = parts.join('');
    parts = [];
    length = 0;
    if (words === '') return [];
    message = words;
    return [{ kind: 'message', text: words }];
  }

  function finalOf(line: Fields) {
    const stats = own(line, 'stats');
    const usage = isFields(stats) ? usageOf(stats) : null;
    if (own(line, 'status') === 'success') return completed(message, usage);
    return failed(text(object(line, 'error'), 'message') ?? 'Gemini CLI reported an error without a message.', usage);
  }

  return { read, end: whole };
}

/** `input_tokens` includes `cached`. */
function usageOf(stats: Fields): TokenUsage {
  return { input: count(stats, 'input_tokens'), cachedInput: count(stats, 'cached'), output: count(stats, 'output_tokens') };
}
