/**
 * Copilot CLI: `copilot … --output-format json` as recorded from 1.0.102. Its last line is a `result` with the exit code, the
 * only line that names the session. No line contains token counts.
 */
import { type Fields, own, text } from '../../call/fields.js';
import type { FinalEvent, StreamEvent } from '../stream/stream-event.js';
import {
  completed,
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

export const stream: StreamFormat = {
  ignored:
    /^\{"type":"(?:assistant\.(?:idle|message_(?:delta|start)|tool_call_delta|turn_(?:end|start))|model\.|subagent\.|user\.message|session\.(?:background_tasks_changed|mcp_servers_loaded|skills_loaded)|tool\.(?:execution_partial_result|shell_output))/,
  start: copilotParser,
};

function copilotParser(): StreamParser {
  const calls = openCalls();
  let message: string | null = null;
  let error: string | null = null;

  function read(line: Fields): readonly StreamEvent[] {
    const data = object(line, 'data');
    switch (own(line, 'type')) {
      case 'session.tools_updated':
        return [started(null, shortText(data, 'model'))];
      case 'assistant.message':
        return readMessage(data, text(line, 'agentId') === null);
      case 'tool.execution_start':
        return [calls.start(shortText(data, 'toolCallId'), text(data, 'toolName'), summaryOf(object(data, 'arguments')))];
      case 'tool.execution_complete':
        return [calls.end(shortText(data, 'toolCallId'), own(data, 'success') === true ? 'completed' : 'failed')];
      // Not recorded: named as in the runner's documentation.
      case 'session.error':
        error = text(data, 'message');
        return warning(error);
      case 'session.warning':
        return warning(text(data, 'message'));
      case 'result':
        return [finalOf(line)];
      default:
        return [];
    }
  }

  /** A message that only calls tools is empty. */
  function readMessage(data: Fields, isMain: boolean): readonly StreamEvent[] {
    const words = isMain ? text(data, 'content') : null;
    if (words === null) return [];
    message = words;
    return [{ kind: 'message', text: words }];
  }

  function finalOf(line: Fields): FinalEvent {
    const code = own(line, 'exitCode');
    if (code === 0) return completed(message, null);
    const named = typeof code === 'number' ? `exit code ${code}` : 'no exit code';
    return failed(error ?? `Copilot CLI ended with ${named}.`, null);
  }

  return { read, end: () => [] };
}
