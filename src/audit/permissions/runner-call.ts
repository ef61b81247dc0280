/** A call of the corpus in the form of one runner: its names of tools and fields, its settings, an agent that it ships. */
import { describeTool, mcpToolName, runnerAgents, runnerTools } from '../../call/catalogue.js';
import type { Runner } from '../../runner/hook/runner.js';
import type { PermissionCall } from '../model/table.js';
import type { CapabilityCall } from './corpus.js';

interface Places {
  readonly project: string;
  readonly home: string;
}

/** Returns the call; null if the runner has no such tool. */
export function runnerCall(call: CapabilityCall, runner: Runner, places: Places): PermissionCall | null {
  const made = call.mcp === undefined ? toolCall(call, runner, places) : mcpCall(call, call.mcp, runner, places);
  return made === null ? null : { id: call.id, class: call.class, runner: runner.id, ...made };
}

type Made = Pick<PermissionCall, 'tool' | 'input' | 'label'>;

function toolCall({ tool = '', subject = '', input = {}, label }: CapabilityCall, runner: Runner, places: Places): Made | null {
  const name = toolName(tool, runner);
  if (name === null) return null;
  const field = tool === 'Agent' ? runner.sampleTools.agent[1] : describeTool(name, runner.id).subjects[0]?.fields[0];
  const filled = { ...placed(input, runner, places), ...(field !== undefined && { [field]: place(subject, runner, places) }) };
  const shown = place(subject, runner, SHORT);
  return { tool: name, input: filled, label: label ?? (tool === 'Bash' ? shown : `${name} ${shown}`) };
}

function mcpCall(
  { input = {}, label }: CapabilityCall,
  { server, tool }: NonNullable<CapabilityCall['mcp']>,
  runner: Runner,
  places: Places,
): Made {
  const name = mcpToolName(runner.id, server, tool);
  return { tool: name, input: placed(input, runner, places), label: label ?? name };
}

/** Returns the runner's name for a canonical tool: the name in its samples, or else the first one that is still in use. */
function toolName(canonical: string, { id, sampleTools }: Runner): string | null {
  if (canonical === 'Bash') return sampleTools.shell;
  if (canonical === 'Agent') return sampleTools.agent[0];
  const own = runnerTools(id).find((tool) => (tool.canonical ?? tool.name) === canonical && tool.retired !== true);
  return own?.name ?? null;
}

/** Places in the short form shown to people. */
const SHORT: Places = { project: '.', home: '~' };

function placed(input: NonNullable<CapabilityCall['input']>, runner: Runner, places: Places): PermissionCall['input'] {
  const entries = Object.entries(input).map(([field, value]) => [
    field,
    typeof value === 'string' ? place(value, runner, places) : value,
  ]);
  return Object.fromEntries(entries);
}

function place(text: string, runner: Runner, { project, home }: Places): string {
  const values: Readonly<Record<string, string>> = {
    project,
    home,
    settings: runner.places.project?.path ?? runner.settings('').file,
    agent: runnerAgents(runner.id)[0]?.name ?? 'general-purpose',
  };
  return text.replace(/\{(project|home|settings|agent)\}/g, (_, name: string) => values[name] ?? '');
}
