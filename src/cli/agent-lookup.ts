/** Finding an agent by the name a person gives, and what to say when it cannot be used. */
import type { AgentDefinition } from '../agent/agent.js';
import { buildInventory, type FoundAgent, findAgent } from '../agent/inventory.js';
import type { Workspace } from '../enforce/project/workspace.js';
import { UsageError } from './exit.js';
import { warn } from './terminal.js';

/** One line on stderr when the agent cannot be used; the decision itself says what follows. */
export function tellAgent(workspace: Workspace, name: string): void {
  const found = find(workspace, name);
  if (!found.ok) warn(found.message);
}

/** The agent of that name. Throws UsageError when there is none that can be used. */
export function usableAgent(workspace: Workspace, name: string): AgentDefinition {
  const found = find(workspace, name);
  if (!found.ok) throw new UsageError(found.message);
  return found.record.definition;
}

function find({ agents }: Workspace, name: string): FoundAgent {
  return findAgent(buildInventory(agents), name);
}
