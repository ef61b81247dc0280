/** The token usage in a line of a transcript, in the formats of the runners that write transcripts. */
import type { TranscriptForm } from '../runner/hook/transcript.js';

export type Usage =
  /**
   * Tokens of one answer of the model. Lines with the same id describe the same answer, and the last one applies; `id` null: the
   * only line about it. `agent`: the subagent that asked, if a session's transcript identifies it.
   */
  | { readonly kind: 'answer'; readonly id: string | null; readonly tokens: number; readonly agent: string | null }
  /** The tokens of the whole transcript so far. */
  | { readonly kind: 'sum'; readonly tokens: number }
  /** The agent of this transcript began at this time, in milliseconds since 1970. */
  | { readonly kind: 'began'; readonly at: number };

/** Most lines contain no usage, and some are long: only those with one of these strings are parsed. */
const WORDS: Readonly<Record<TranscriptForm, readonly string[]>> = {
  claude: ['"usage"'],
  codex: ['"token_count"'],
  gemini: ['"tokens"', '"startTime"'],
  qwen: ['qwen-code.api_response'],
};

/**
 * The usage in a line; null if it contains none. Input and output are counted, including thoughts and tokens written to the
 * model's cache, but not tokens read from the cache: these are the same text again with every call.
 */
export function usageIn(line: string, form: TranscriptForm): Usage | null {
  if (!WORDS[form].some((word) => line.includes(word))) return null;
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    // Cut off, or not one of the runner's lines.
    return null;
  }
  return READERS[form](content);
}

const READERS: Readonly<Record<TranscriptForm, (content: unknown) => Usage | null>> = {
  claude: claudeUsage,
  codex: codexUsage,
  gemini: geminiUsage,
  qwen: qwenUsage,
};

/**
 * `{"type":"assistant","message":{"id":…,"usage":{…}}}`: one line for each part of an answer, each with the usage of the whole.
 * `input_tokens` does not include tokens from the cache.
 */
function claudeUsage(content: unknown): Usage | null {
  const message = at(content, 'message');
  const usage = at(message, 'usage');
  if (at(content, 'type') !== 'assistant' || !isObject(usage)) return null;
  const id = at(message, 'id');
  const tokens = sumOf(usage, ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']);
  return { kind: 'answer', id: typeof id === 'string' ? id : null, tokens, agent: null };
}

/**
 * `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{…}}}}`: a sum since the beginning. Its input
 * includes tokens from the cache, and its output includes thoughts.
 */
function codexUsage(content: unknown): Usage | null {
  const payload = at(content, 'payload');
  const total = at(at(payload, 'info'), 'total_token_usage');
  if (at(payload, 'type') !== 'token_count' || !isObject(total)) return null;
  const input = Math.max(0, amount(at(total, 'input_tokens')) - amount(at(total, 'cached_input_tokens')));
  return { kind: 'sum', tokens: input + amount(at(total, 'output_tokens')) };
}

/**
 * `{"type":"gemini","id":…,"tokens":{…}}`, once when the answer arrived and again with the results of its calls. The first line
 * of a subagent's transcript is `{"kind":"subagent","startTime":…}`.
 */
function geminiUsage(content: unknown): Usage | null {
  const began = at(content, 'kind') === 'subagent' ? Date.parse(String(at(content, 'startTime'))) : Number.NaN;
  if (Number.isFinite(began)) return { kind: 'began', at: began };
  const tokens = at(content, 'tokens');
  if (at(content, 'type') !== 'gemini' || !isObject(tokens)) return null;
  const input = Math.max(0, amount(at(tokens, 'input')) - amount(at(tokens, 'cached')));
  const id = at(content, 'id');
  const all = input + sumOf(tokens, ['output', 'thoughts', 'tool']);
  return { kind: 'answer', id: typeof id === 'string' ? id : null, tokens: all, agent: null };
}

/**
 * `{"systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response",…}}}`: one line for each answer, including those of
 * subagents. The total includes thoughts, which some services count as part of the output and some separately.
 */
function qwenUsage(content: unknown): Usage | null {
  const event = at(at(content, 'systemPayload'), 'uiEvent');
  if (!isObject(event) || at(event, 'event.name') !== 'qwen-code.api_response') return null;
  const parts = sumOf(event, ['input_token_count', 'output_token_count']);
  const all = Math.max(parts, amount(at(event, 'total_token_count')));
  const agent = at(event, 'subagent_type') ?? at(event, 'subagent_name');
  const tokens = Math.max(0, all - amount(at(event, 'cached_content_token_count')));
  return { kind: 'answer', id: null, tokens, agent: typeof agent === 'string' ? agent : null };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function at(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function sumOf(value: object, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + amount(at(value, name)), 0);
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
