/**
 * Streams of messages made of content blocks: the `stream-json` of Claude Code, which Qwen Code writes in the same way.
 *
 * Each turn ends with a `result`. The end of a background task begins another turn, so that a run may have several (recorded from
 * Claude Code 2.1.329). The last `result` is the final event, so that event is returned when the stream ends.
 */
import { type Fields, isFields, own, text } from '../../call/fields.js';
import type { FinalEvent, StreamEvent, TokenUsage } from './stream-event.js';
import {
  completed,
  count,
  failed,
  object,
  objects,
  openCalls,
  type StreamParser,
  shortText,
  started,
  summaryOf,
} from './stream-format.js';

/** Maximum number of agents that are tracked at a time. */
const AGENTS = 1000;

const MOST_REFUSED = 1000;

/** Matches lines about part of a message, which `--include-partial-messages` adds, and about hooks and background tasks. */
export const PARTS_AND_TASKS = /^\{"type":"(?:stream_event"|system","subtype":"(?:hook|task|background_tasks)_)/;

export interface BlockFormat {
  /** Returns the tokens of a `usage` field. */
  readonly usageOf: (usage: Fields) => TokenUsage;
  /** Returns the tokens of the whole run from a `result`; null if it does not state them. */
  readonly totalOf: (result: Fields) => TokenUsage | null;
}

export function blockParser({ usageOf, totalOf }: BlockFormat): StreamParser {
  const calls = openCalls();
  const total = runningTotal();
  const refused = new Set<string>();
  let result: FinalEvent | null = null;

  function read(line: Fields): readonly StreamEvent[] {
    switch (own(line, 'type')) {
      case 'system':
        return own(line, 'subtype') === 'init' ? [started(shortText(line, 'session_id'), shortText(line, 'model'))] : [];
      case 'assistant':
        return readAnswer(object(line, 'message'), text(line, 'parent_tool_use_id'));
      case 'user':
        return objects(object(line, 'message'), 'content').flatMap((block) => readResult(block));
      case 'result':
        for (const call of objects(line, 'permission_denials')) {
          const id = shortText(call, 'tool_use_id');
          if (id !== null && refused.size < MOST_REFUSED) refused.add(id);
        }
        result = finalOf(line, totalOf(line) ?? total.so());
        return [];
      default:
        return [];
    }
  }

  /** @param parent the call that started the speaking subagent; null for the main agent */
  function readAnswer(message: Fields, parent: string | null): readonly StreamEvent[] {
    const blocks = objects(message, 'content').flatMap((block) => readBlock(block, parent));
    const usage = own(message, 'usage');
    return isFields(usage) ? [...blocks, ...total.add(parent ?? '', text(message, 'id'), usageOf(usage))] : blocks;
  }

  function readBlock(block: Fields, parent: string | null): readonly StreamEvent[] {
    const type = own(block, 'type');
    if (type === 'tool_use') return [calls.start(shortText(block, 'id'), text(block, 'name'), summaryOf(object(block, 'input')))];
    const words = type === 'text' && parent === null ? text(block, 'text') : null;
    return words === null ? [] : [{ kind: 'message', text: words }];
  }

  function readResult(block: Fields): readonly StreamEvent[] {
    if (own(block, 'type') !== 'tool_result') return [];
    return [calls.end(shortText(block, 'tool_use_id'), own(block, 'is_error') === true ? 'failed' : 'completed')];
  }

  const final = (): readonly FinalEvent[] =>
    result === null ? [] : [refused.size === 0 ? result : { ...result, refused: [...refused] }];
  return { read, end: final };
}

function finalOf(line: Fields, usage: TokenUsage | null): FinalEvent {
  const words = text(line, 'result');
  if (own(line, 'subtype') === 'success' && own(line, 'is_error') !== true) return completed(words, usage);
  const errors = own(line, 'errors');
  const all = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('\n') : '';
  return failed(words ?? (all || (text(object(line, 'error'), 'message') ?? text(line, 'subtype'))), usage);
}

interface RunningTotal {
  /**
   * Adds the usage of an answer. A line is written for each block of the answer, and each states the usage of the whole answer: of the
   * lines with the same id, the last one is used. Output is counted before it is complete, so the sum is too low until the result.
   */
  add(agent: string, id: string | null, usage: TokenUsage): readonly StreamEvent[];
  so(): TokenUsage | null;
}

const NOTHING: TokenUsage = { input: 0, cachedInput: 0, output: 0 };

function runningTotal(): RunningTotal {
  /** The last answer of each agent; an agent finishes one answer before it begins another. */
  const last = new Map<string, { readonly id: string | null; readonly usage: TokenUsage }>();
  let sum: TokenUsage | null = null;
  return {
    add(agent, id, usage) {
      const before = last.get(agent);
      const former = id !== null && before?.id === id ? before.usage : NOTHING;
      const next = plus(plus(sum ?? NOTHING, usage), former, -1);
      const isNew =
        sum === null || next.input !== sum.input || next.output !== sum.output || next.cachedInput !== sum.cachedInput;
      last.delete(agent);
      const [oldest] = last.keys();
      if (last.size >= AGENTS && oldest !== undefined) last.delete(oldest);
      last.set(agent, { id, usage });
      sum = next;
      return isNew ? [{ kind: 'usage', usage: next }] : [];
    },
    so: () => sum,
  };
}

function plus(one: TokenUsage, other: TokenUsage, sign: 1 | -1 = 1): TokenUsage {
  return {
    input: one.input + sign * other.input,
    cachedInput: one.cachedInput + sign * other.cachedInput,
    output: one.output + sign * other.output,
  };
}

export function sumOf(one: TokenUsage, other: TokenUsage): TokenUsage {
  return plus(one, other);
}

/** Reads the counts of Anthropic's API, whose `input_tokens` excludes tokens read from a cache or written to one. */
export function anthropicUsage(usage: Fields): TokenUsage {
  const cachedInput = count(usage, 'cache_read_input_tokens');
  const input = count(usage, 'input_tokens') + count(usage, 'cache_creation_input_tokens') + cachedInput;
  return { input, cachedInput, output: count(usage, 'output_tokens') };
}
