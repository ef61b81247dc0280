/** Claude Code: `claude -p --output-format stream-json --verbose` as recorded from 2.1.197 and 2.1.329. */
import { type Fields, isFields, own } from '../payload.js';
import { anthropicUsage, blockParser, PARTS_AND_TASKS, sumOf } from './content-blocks.js';
import type { TokenUsage } from './stream-event.js';
import { count, object, type StreamFormat } from './stream-format.js';

export const claudeCode: StreamFormat = {
  ignored: PARTS_AND_TASKS,
  start: () => blockParser({ usageOf: anthropicUsage, totalOf }),
};

/**
 * `usage` of a result is about the main agent in one turn; `modelUsage` is about all agents from the beginning. Subagents of subagents
 * write no lines, so this is the only place that counts them.
 */
function totalOf(result: Fields): TokenUsage | null {
  const models = Object.values(object(result, 'modelUsage')).filter(isFields);
  if (models.length > 0) return models.map(ofModel).reduce(sumOf);
  const usage = own(result, 'usage');
  return isFields(usage) ? anthropicUsage(usage) : null;
}

function ofModel(model: Fields): TokenUsage {
  const cachedInput = count(model, 'cacheReadInputTokens');
  const input = count(model, 'inputTokens') + count(model, 'cacheCreationInputTokens') + cachedInput;
  return { input, cachedInput, output: count(model, 'outputTokens') };
}
