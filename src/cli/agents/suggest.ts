/**
 * `policy agents suggest TEXT` and `render NAME`: the agents that fit a task, and the prompt that an agent would get. Neither
 * starts anything.
 */
import { normalizeName } from '../../agent/name.js';
import { renderPrompt } from '../../agent/render.js';
import { suggestAgents } from '../../agent/suggest.js';
import { RUNNERS } from '../../call/tool-call.js';
import { suggestionText } from '../../report/launch.js';
import { escapeText, jsonLine } from '../../report/printing/escape.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';
import type { AgentsHere } from './inventory.js';

/** @param discovery `manual`: the user wants no suggestions */
export async function suggest(
  args: Arguments,
  { inventory }: AgentsHere,
  discovery: 'auto' | 'manual',
  task: string,
): Promise<ExitCode> {
  const agents = [...inventory.agents].flatMap(([name, records]) => {
    const active = records.find(({ status }) => status === 'active');
    return active === undefined ? [] : [{ name, description: active.definition.description }];
  });
  const suggestions = discovery === 'manual' ? [] : suggestAgents(task, agents);
  if (switchFlag(args, 'json')) {
    await print(jsonLine({ version: 1, suggestions }));
    return EXIT.allow;
  }
  if (discovery === 'manual')
    warn('note: `discovery = "manual"` under [subagents] in ~/.codex/config.toml: no agent is suggested');
  await print(suggestionText(suggestions));
  return EXIT.allow;
}

/** Throws UsageError for an agent that is unknown or cannot be used. */
export async function render(args: Arguments, { inventory }: AgentsHere, name: string): Promise<ExitCode> {
  const records = inventory.agents.get(normalizeName(name)) ?? [];
  const runner = choiceFlag(args, 'runner', RUNNERS);
  const found = records.find((one) => one.status === 'active' && (runner === undefined || one.runner === runner));
  if (found === undefined) throw new UsageError(`No usable subagent is named '${name}'. Run \`policy agents list\`.`);
  const goal = textFlag(args, 'goal');
  if (goal === undefined) throw new UsageError('Say what the agent should do: policy agents render NAME --goal TEXT');
  const { definition, effectiveTools } = found;
  const text = renderPrompt({
    name: definition.name,
    instructions: definition.body ?? '',
    goal,
    tools: effectiveTools.inherited ? null : effectiveTools.tools,
    excluded: effectiveTools.excluded,
    runner: found.runner,
  });
  await print(text.split('\n').map(escapeText).join('\n'));
  return EXIT.allow;
}
