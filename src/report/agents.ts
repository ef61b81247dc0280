/** The list of agents, and one agent in full, in the words of the original document; skills and commands in the same form. */
import { agentLabel, escapeText } from './printing/escape.js';
import { painter } from './printing/paint.js';

export interface ListedAgent {
  readonly name: string;
  readonly description: string | null;
  readonly tools: ListedTools;
  /** The model that it runs with; null: the session's. */
  readonly model: string | null;
  /** The path of its definition. */
  readonly source: string;
  readonly runner: string;
  readonly scope: string;
  readonly status: string;
  /** Scopes whose agents of the same name it hides. */
  readonly overrides: readonly string[];
  /** Why it cannot be used. */
  readonly errors: readonly string[];
}

/** The tools that an agent may use: those of its parent (`inherited`), or `listed`; never `excluded`. */
export interface ListedTools {
  readonly inherited: boolean;
  readonly listed: readonly string[];
  readonly excluded: readonly string[];
}

/** The displayed fields of a skill or a command. */
export interface ShownText {
  readonly kind: 'skill' | 'command';
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
  readonly plugin: { readonly name: string; readonly installed: boolean } | null;
  readonly preApproves: readonly string[];
  readonly runs: number;
  readonly problem: string | null;
}

/** The maximum numbers of characters and entries that are shown; a description may be a megabyte long. */
const LONGEST = { text: 600, entry: 120, entries: 100 };

/** Returns one entry of three lines per agent, with a final line break. */
export function agentList(agents: readonly ListedAgent[], color = false): string {
  if (agents.length === 0) return 'No subagents found.\n';
  return `${painter(color).title('Available subagents:')}\n${agents.map(entry).join('')}`;
}

/** Returns the agents of local plugins that are not installed; empty if there are none. */
export function pluginAgentList(agents: readonly ListedAgent[], color = false): string {
  if (agents.length === 0) return '';
  return `${painter(color).title('In plugins of this repository, once they are installed:')}\n${agents.map(entry).join('')}`;
}

/** Returns the agents that cannot be used, each with the reason. */
export function unusableList(agents: readonly ListedAgent[], color = false): string {
  if (agents.length === 0) return 'Every subagent can be used.\n';
  const lines = agents.map(
    (agent) => `${entry(agent)}${line(`  Status: ${agent.status}`)}${agent.errors.map(errorLine).join('')}`,
  );
  return `${painter(color).title('Subagents that cannot be used:')}\n${lines.join('')}`;
}

function errorLine(error: string): string {
  return line(`  Error: ${cut(error)}`);
}

function entry(agent: ListedAgent): string {
  const override = agent.overrides.length === 0 ? '' : ` (${overridden(agent)})`;
  return [
    `- ${cut(agent.name)}: ${cut(agent.description ?? '')}`.trimEnd() + override,
    `  Tools: ${toolsText(agent.tools, (tools) => `[${tools}]`)}`,
    `  Source: ${agent.source}`,
  ]
    .map(line)
    .join('');
}

function overridden({ overrides }: ListedAgent): string {
  return `overrides ${overrides.join(' and ')}`;
}

function line(text: string): string {
  return `${escapeText(text)}\n`;
}

function toolsText({ inherited, listed, excluded }: ListedTools, write: (tools: string) => string): string {
  if (!inherited) return write(entriesText(listed));
  return excluded.length === 0 ? 'inherited' : `inherited, without ${write(entriesText(excluded))}`;
}

function entriesText(all: readonly string[]): string {
  const shown = all.slice(0, LONGEST.entries).map((one) => cut(one, LONGEST.entry));
  return [...shown, ...(all.length > shown.length ? [`… and ${all.length - shown.length} more`] : [])].join(', ');
}

/** Shortens a long text without splitting a character. */
function cut(text: string, longest = LONGEST.text): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns one agent with its rules and everything to be known about it, with a final line break. */
export function agentDetails(agent: ListedAgent, rules: readonly (readonly [string, string])[]): string {
  const tools = toolsText(agent.tools, (text) => text);
  const rows: readonly (readonly [string, string])[] = [
    ['description', agent.description ?? ''],
    ['status', agent.status],
    ['runner', agent.runner],
    ['scope', agent.overrides.length === 0 ? agent.scope : `${agent.scope} (${overridden(agent)})`],
    ['tools', tools === '' ? 'none' : tools],
    ['source', agent.source],
    ...rules,
    ...agent.errors.map((error) => ['error', error] as const),
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, text]) => `  ${what.padEnd(width)}  ${escapeText(cut(text))}`.trimEnd());
  return `${agentLabel(cut(agent.name), agent.model)}\n${lines.map((text) => `${text}\n`).join('')}`;
}

const HEADS = { skill: 'Skills:', command: 'Commands:' } as const;

/** Returns the skills or the commands, with what each may run without a prompt. With a final line break. */
export function textList(kind: ShownText['kind'], texts: readonly ShownText[], color = false): string {
  const shown = texts.filter((one) => one.kind === kind);
  if (shown.length === 0) return `No ${kind}s found.\n`;
  return `${painter(color).title(HEADS[kind])}\n${shown.map(textEntry).join('')}`;
}

function textEntry({ name, description, file, plugin, preApproves, runs, problem }: ShownText): string {
  return [
    `- ${cut(name)}: ${cut(description ?? '')}`.trimEnd(),
    `  Pre-approves: [${entriesText(preApproves)}]`,
    ...(runs === 0 ? [] : [`  Runs when loaded: ${runs} ${runs === 1 ? 'command' : 'commands'}`]),
    ...(plugin === null || plugin.installed ? [] : [`  Plugin: ${cut(plugin.name)}, not installed`]),
    ...(problem === null ? [] : [`  Error: ${cut(problem)}`]),
    `  Source: ${file}`,
  ]
    .map(line)
    .join('');
}
