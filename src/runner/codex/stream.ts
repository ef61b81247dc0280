/**
 * Codex: `codex exec --json` as recorded from 0.98 to 0.169, and both formats of 0.42.
 *
 * - 0.98 and later: `thread.started`, items, and `turn.completed` or `turn.failed` as the final line. Messages also come before
 *   calls, so none is final by itself. A call that a hook denied leaves no line at all.
 * - 0.42 with `--experimental-json`: items have `item_type`, and `assistant_message` is final immediately (R132).
 * - 0.42 with `--json`: `{"id":…,"msg":{…}}`. No line is final: the run is completed when the exit code is 0 and the last thing that
 *   was said is no error.
 *
 * Counts are sums over the thread without those of its subagents; the input holds what came from the cache.
 */
import { type Fields, isFields, own, text } from '../../call/fields.js';
import type { StreamEvent, TokenUsage } from '../stream/stream-event.js';
import {
  bounded,
  completed,
  count,
  failed,
  object,
  objects,
  openCalls,
  type RunnerExit,
  type StreamFormat,
  type StreamParser,
  shortText,
  started,
  type ToolPhase,
  toolEvent,
  warning,
} from '../stream/stream-format.js';

export const stream: StreamFormat = {
  ignored: /^\{"type":"(?:turn\.started|item\.updated|item\.plan\.delta)"/,
  start: codexParser,
};

const UNFINISHED: ReadonlySet<unknown> = new Set(['failed', 'declined']);

function codexParser(): StreamParser {
  const calls = openCalls();
  let message: string | null = null;
  /** The message of the last `error` line; null once a message follows. */
  let error: string | null = null;
  let usage: TokenUsage | null = null;
  let hasFinalLine = true;

  function said(words: string | null): readonly StreamEvent[] {
    if (words === null) return [];
    message = words;
    error = null;
    return [{ kind: 'message', text: words }];
  }

  function erred(words: string | null): readonly StreamEvent[] {
    error = words ?? 'Codex reported an error without a message.';
    return warning(error);
  }

  function read(line: Fields): readonly StreamEvent[] {
    const envelope = own(line, 'msg');
    if (isFields(envelope)) {
      hasFinalLine = false;
      return readMessage(envelope);
    }
    switch (own(line, 'type')) {
      case 'thread.started':
        return [started(shortText(line, 'thread_id'), null)];
      case 'session.created':
        return [started(shortText(line, 'session_id'), null)];
      case 'item.started':
        return toolsOf(object(line, 'item'), 'started');
      case 'item.completed':
        return readItem(object(line, 'item'));
      case 'error':
        return erred(text(line, 'message'));
      case 'turn.completed':
        usage = usageOf(own(line, 'usage')) ?? usage;
        return [completed(message, usage)];
      case 'turn.failed':
        return [failed(text(object(line, 'error'), 'message') ?? error, usage)];
      case undefined:
        // The first line of 0.42 is a summary of the configuration.
        return text(line, 'sandbox') === null ? [] : [started(null, shortText(line, 'model'))];
      default:
        return [];
    }
  }

  function readItem(item: Fields): readonly StreamEvent[] {
    const type = typeOf(item);
    if (type === 'agent_message') return said(text(item, 'text'));
    if (type === 'assistant_message') return [...said(text(item, 'text')), completed(message, usage)];
    if (type === 'error') return warning(text(item, 'message'));
    return toolsOf(item, UNFINISHED.has(own(item, 'status')) ? 'failed' : 'completed');
  }

  /** Reads a line of 0.42 with `--json`. */
  function readMessage(event: Fields): readonly StreamEvent[] {
    const id = shortText(event, 'call_id');
    switch (own(event, 'type')) {
      case 'session_configured':
        return [started(shortText(event, 'session_id'), shortText(event, 'model'))];
      case 'agent_message':
        return said(text(event, 'message'));
      case 'exec_command_begin':
        return [calls.start(id, 'command_execution', commandOf(own(event, 'command')))];
      case 'exec_command_end':
        return [calls.end(id, own(event, 'exit_code') === 0 ? 'completed' : 'failed')];
      case 'patch_apply_begin':
        return [calls.start(id, 'file_change', pathsOf(Object.keys(object(event, 'changes'))))];
      case 'patch_apply_end':
        return [calls.end(id, own(event, 'success') === true ? 'completed' : 'failed')];
      case 'mcp_tool_call_begin':
        return [calls.start(id, mcpName(object(event, 'invocation')), null)];
      case 'mcp_tool_call_end':
        return [calls.end(id, own(object(event, 'result'), 'Ok') === undefined ? 'failed' : 'completed')];
      case 'token_count':
        return counted(usageOf(own(object(event, 'info'), 'total_token_usage')));
      case 'stream_error':
        return warning(text(event, 'message'));
      case 'error':
        return erred(text(event, 'message'));
      case 'turn_aborted':
        return [failed(`The turn was ended: ${text(event, 'reason') ?? 'no reason given'}.`, usage)];
      case 'task_complete':
        return error === null ? [completed(text(event, 'last_agent_message') ?? message, usage)] : [failed(error, usage)];
      default:
        return [];
    }
  }

  function counted(total: TokenUsage | null): readonly StreamEvent[] {
    if (total === null || same(total, usage)) return [];
    usage = total;
    return [{ kind: 'usage', usage }];
  }

  function end({ code, signal }: RunnerExit): readonly StreamEvent[] {
    if (error !== null && signal === null) return [failed(error, usage)];
    return !hasFinalLine && code === 0 ? [completed(message, usage)] : [];
  }

  return { read, end };
}

/** Returns the item's type: `type` today, `item_type` in 0.42. */
function typeOf(item: Fields): string | null {
  return text(item, 'type') ?? text(item, 'item_type');
}

/** Returns the tool event of an item; none if the item is no tool call. */
function toolsOf(item: Fields, phase: ToolPhase): readonly StreamEvent[] {
  const type = typeOf(item);
  const event = (tool: string | null, summary: string | null) => [toolEvent(shortText(item, 'id'), tool, phase, summary)];
  switch (type) {
    case 'command_execution':
      return event(type, shortText(item, 'command'));
    case 'file_change':
      return event(type, pathsOf(objects(item, 'changes').map((change) => shortText(change, 'path') ?? '')));
    case 'mcp_tool_call':
      return event(mcpName(item), null);
    case 'collab_tool_call':
      return event(text(item, 'tool'), shortText(item, 'prompt'));
    case 'web_search':
      return event(type, shortText(item, 'query'));
    default:
      // Among the other items, only tool calls have a status.
      return type === null || text(item, 'status') === null ? [] : event(type, null);
  }
}

function mcpName(call: Fields): string | null {
  const server = text(call, 'server');
  const tool = text(call, 'tool');
  return server === null || tool === null ? tool : `mcp__${server}__${tool}`;
}

function pathsOf(paths: readonly string[]): string | null {
  return paths.length === 0 ? null : bounded(paths.slice(0, 50).join(', '));
}

/** Returns the command line for a command that is a list of arguments. */
function commandOf(command: unknown): string | null {
  return Array.isArray(command) && command.length > 0 ? bounded(command.slice(0, 50).map(String).join(' ')) : null;
}

function usageOf(value: unknown): TokenUsage | null {
  if (!isFields(value)) return null;
  return {
    input: count(value, 'input_tokens'),
    cachedInput: count(value, 'cached_input_tokens'),
    output: count(value, 'output_tokens'),
  };
}

function same(one: TokenUsage, other: TokenUsage | null): boolean {
  return one.input === other?.input && one.cachedInput === other.cachedInput && one.output === other.output;
}
