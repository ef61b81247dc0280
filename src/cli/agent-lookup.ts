/** Finding an agent by the name a person gives, and what to say when it cannot be used (R178). */
import type { AgentDefinition } from '../agent/agent.js';
import { normalizeName } from '../agent/name.js';
import type { Workspace } from '../enforce/workspace.js';
import { UsageError } from './exit.js';
import { warn } from './terminal.js';

/** One line on stderr when the agent is unknown or its definition is invalid; the decision itself says what follows. */
export function tellAgent(workspace: Workspace, name: string): void {
  const complaint = complaintAbout(find(workspace, name), name);
  if (complaint !== null) warn(complaint);
}

/** The agent of that name. Throws UsageError when there is none, or its definition is invalid. */
export function usableAgent(workspace: Workspace, name: string): AgentDefinition {
  const agent = find(workspace, name);
  const complaint = complaintAbout(agent, name);
  if (agent === undefined || complaint !== null) throw new UsageError(complaint ?? name);
  return agent;
}

function find({ agents }: Workspace, name: string): AgentDefinition | undefined {
  return agents.find((agent) => agent.name === normalizeName(name));
}

/** R178 in its own words, with our command in place of the original's. */
function complaintAbout(agent: AgentDefinition | undefined, name: string): string | null {
  if (agent === undefined) return `No subagent named '${name}'. Run \`policy agents list\`.`;
  if (agent.status !== 'invalid') return null;
  return `Subagent '${agent.name}' invalid: ${agent.errors.map(({ message }) => briefly(message)).join('; ')}.`;
}

/** `description is required` (R142) is `missing description field` here (R178); other sentences lose their full stop. */
function briefly(message: string): string {
  return message.replace(/^(\w+) is required$/, 'missing $1 field').replace(/\.$/, '');
}
