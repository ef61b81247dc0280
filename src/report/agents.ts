/** The list of agents, and one agent in full, in the words of the original. */
import { escapeText } from './escape.js';

/** What is shown of an agent. */
export interface ListedAgent {
  readonly name: string;
  readonly description: string | null;
  /** Null when the definition does not say. */
  readonly tools: readonly string[] | null;
  readonly model: string | null;
  /** Path of its definition. */
  readonly source: string;
  readonly status: string;
}

/** How an agent is named everywhere: its name, and its model when one is set. */
export function agentLabel(name: string, model: string | null): string {
  return escapeText(model === null || model === '' ? name : `${name} · model: ${model}`);
}

/** One entry of three lines per agent, with a final line break. */
export function agentList(agents: readonly ListedAgent[]): string {
  if (agents.length === 0) return 'No subagents found.\n';
  return `Available subagents:\n${agents.map(entry).join('')}`;
}

function entry(agent: ListedAgent): string {
  const lines = [
    `- ${agent.name}: ${agent.description ?? ''}`.trimEnd(),
    `  Tools: ${agent.tools === null ? 'not stated' : `[${agent.tools.join(', ')}]`}`,
    `  Source: ${agent.source}`,
  ];
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

/** One agent with its rules, with a final line break. */
export function agentDetails(agent: ListedAgent, rules: readonly (readonly [string, string])[]): string {
  const rows: readonly (readonly [string, string])[] = [
    ['description', agent.description ?? ''],
    ['status', agent.status],
    ['tools', agent.tools === null ? 'not stated' : agent.tools.join(', ')],
    ['source', agent.source],
    ...rules,
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, text]) => `  ${what.padEnd(width)}  ${escapeText(text)}`.trimEnd());
  return `${agentLabel(agent.name, agent.model)}\n${lines.map((line) => `${line}\n`).join('')}`;
}
