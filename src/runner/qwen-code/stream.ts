/** Qwen Code: `qwen --output-format stream-json` as recorded from 0.15.10. */
import { type Fields, isFields, own } from '../../call/fields.js';
import { blockParser, PARTS_AND_TASKS } from '../stream/content-blocks.js';
import type { TokenUsage } from '../stream/stream-event.js';
import { count, type StreamFormat } from '../stream/stream-format.js';

export const stream: StreamFormat = {
  ignored: PARTS_AND_TASKS,
  start: () => blockParser({ usageOf, totalOf }),
};

/** The names are Claude Code's, but the counts differ: the input includes cached tokens. */
function usageOf(usage: Fields): TokenUsage {
  return {
    input: count(usage, 'input_tokens'),
    cachedInput: count(usage, 'cache_read_input_tokens'),
    output: count(usage, 'output_tokens'),
  };
}

/** Returns the tokens of the whole run. */
function totalOf(result: Fields): TokenUsage | null {
  const usage = own(result, 'usage');
  return isFields(usage) ? usageOf(usage) : null;
}
