/** Finds an agent by the name that a person gives, and explains why it cannot be used. */
import type { AgentDefinition } from '../../agent/agent.js';
import { buildInventory, type FoundAgent, findAgent } from '../../agent/inventory.js';
import { normalizeName } from '../../agent/name.js';
import type { Workspace } from '../../project/workspace.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';

/** Prints one line on stderr when the agent cannot be used; the decision itself states the consequences. */
export function tellAgent(workspace: Workspace, name: string): void {
  const found = find(workspace, name);
  if (!found.ok) warn(found.message);
}

/** Returns the model that the definition of an agent names; null if it names none, or the agent is unknown. */
export function modelOf({ agents }: Workspace, name: string | undefined): string | null {
  return agents.find((agent) => name !== undefined && agent.name === normalizeName(name))?.model ?? null;
}

/** Returns the agent of that name. Throws UsageError when there is no usable one. */
export function usableAgent(workspace: Workspace, name: string): AgentDefinition {
  const found = find(workspace, name);
  if (!found.ok) throw new UsageError(found.message);
  return found.record.definition;
}

function find({ agents }: Workspace, name: string): FoundAgent {
  return findAgent(buildInventory(agents), name);
}
