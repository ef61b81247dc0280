/** Claude Code: `claude -p --output-format stream-json --verbose` as recorded from 2.1.197 and 2.1.329. */
import { type Fields, isFields, own } from '../../call/fields.js';
import { anthropicUsage, blockParser, PARTS_AND_TASKS, sumOf } from '../stream/content-blocks.js';
import { GOAL_REFUSED, type StreamEvent, type TokenUsage } from '../stream/stream-event.js';
import { count, object, type StreamFormat } from '../stream/stream-format.js';

export const stream: StreamFormat = {
  ignored: PARTS_AND_TASKS,
  start: () => {
    const parser = blockParser({ usageOf: anthropicUsage, totalOf });
    return { read: (line) => parser.read(line), end: (exit) => parser.end(exit).map(orRefused) };
  },
};

const BLOCKED = 'UserPromptExpansion operation blocked by hook:\n';

/** The runner reports a goal that the hook refused as a success, without having asked a model (2.1.197 and 2.1.330). */
function orRefused(event: StreamEvent): StreamEvent {
  if (event.kind !== 'final' || !event.message?.startsWith(BLOCKED)) return event;
  const why = event.message.slice(BLOCKED.length).replace(/\n+Original prompt: .*$/s, '');
  return { ...event, outcome: 'failed', message: `${GOAL_REFUSED}${why}` };
}

/**
 * `usage` of a result covers the main agent in one turn; `modelUsage` covers all agents from the beginning. Subagents of
 * subagents write no lines, so only this includes their tokens.
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
