/** What a line of a transcript says about tokens; the formats of the runners that write them. */
import type { TranscriptForm } from '../runner/transcript.js';

/** Tokens of one answer of the model. Lines with the same id speak of the same answer; the last one counts. */
export interface Usage {
  /** Null: `tokens` is the sum of the whole transcript so far. */
  readonly answer: string | null;
  readonly tokens: number;
}

/**
 * The usage that a line tells; null when it tells none. What was read from the runner's cache is not counted: it is the same text
 * again with every call.
 */
export function usageIn(line: string, form: TranscriptForm): Usage | null {
  // Most lines say nothing of it, and some are long.
  if (!line.includes(form === 'claude' ? '"usage"' : '"token_count"')) return null;
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return null;
  }
  return form === 'claude' ? claudeUsage(content) : codexUsage(content);
}

/** `{"type":"assistant","message":{"id":…,"usage":{…}}}` */
function claudeUsage(content: unknown): Usage | null {
  const message = at(content, 'message');
  const usage = at(message, 'usage');
  if (at(content, 'type') !== 'assistant' || typeof usage !== 'object' || usage === null) return null;
  const id = at(message, 'id');
  const tokens = ['input_tokens', 'cache_creation_input_tokens', 'output_tokens'].reduce(
    (sum, name) => sum + amount(at(usage, name)),
    0,
  );
  return { answer: typeof id === 'string' ? id : `line ${tokens}`, tokens };
}

/** `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{…}}}}`: a sum from the beginning. */
function codexUsage(content: unknown): Usage | null {
  const payload = at(content, 'payload');
  const total = at(at(payload, 'info'), 'total_token_usage');
  if (at(payload, 'type') !== 'token_count' || typeof total !== 'object' || total === null) return null;
  const input = Math.max(0, amount(at(total, 'input_tokens')) - amount(at(total, 'cached_input_tokens')));
  return { answer: null, tokens: input + amount(at(total, 'output_tokens')) };
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
