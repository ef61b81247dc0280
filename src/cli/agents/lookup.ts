/** Finding an agent by the name a person gives, and what to say when it cannot be used. */
import type { AgentDefinition } from '../../agent/agent.js';
import { buildInventory, type FoundAgent, findAgent } from '../../agent/inventory.js';
import { normalizeName } from '../../agent/name.js';
import type { Workspace } from '../../project/workspace.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';

/** One line on stderr when the agent cannot be used; the decision itself says what follows. */
export function tellAgent(workspace: Workspace, name: string): void {
  const found = find(workspace, name);
  if (!found.ok) warn(found.message);
}

/** The model that the definition of an agent names; null where it names none, or is not known. */
export function modelOf({ agents }: Workspace, name: string | undefined): string | null {
  return agents.find((agent) => name !== undefined && agent.name === normalizeName(name))?.model ?? null;
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
