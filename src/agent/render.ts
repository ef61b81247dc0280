/** The prompt of an agent for a goal: its instructions, the goal, and only the tools that it may use. */
import { describeTool } from '../call/catalogue.js';
import type { RunnerId } from '../call/tool-call.js';
import { data } from '../generated/data.js';

export interface Rendered {
  readonly name: string;
  readonly instructions: string;
  readonly goal: string;
  /** Entries as listed in the definition (`Bash(git *)`); null: the tools of the session. */
  readonly tools: readonly string[] | null;
  /** Never included, even if they are listed. */
  readonly excluded: readonly string[];
  readonly runner: RunnerId;
}

/** Returns text for a model, in Markdown, with a final line break. */
export function renderPrompt({ name, instructions, goal, tools, excluded, runner }: Rendered): string {
  const allowed = tools?.filter((entry) => !excluded.includes(toolOf(entry))) ?? null;
  const lines = allowed === null ? ['The tools of the session.'] : allowed.map((entry) => toolLine(entry, runner));
  const parts = [
    `# ${name}`,
    ...(instructions.trim() === '' ? [] : [instructions.trim()]),
    `## Goal\n\n${goal.trim()}`,
    `## Tools\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What tools do, in words of their own (rules/tool-words.yaml). */
const does = () => data('tool-words') as Readonly<Record<string, string>>;

function toolLine(entry: string, runner: RunnerId): string {
  const tool = toolOf(entry);
  const [, pattern = ''] = /^[^(]*\((.*)\)$/s.exec(entry) ?? [];
  const { canonical, mcp } = describeTool(tool, runner);
  const said =
    does()[canonical] ?? (mcp === null ? 'as its own description says' : `calls ${mcp.tool} of the MCP server ${mcp.server}`);
  return `- ${tool}: ${said}${pattern === '' || pattern === '*' ? '' : `; only ${pattern}`}`;
}

function toolOf(entry: string): string {
  return entry.replace(/\(.*$/s, '').trim();
}
