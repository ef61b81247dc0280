/** Whose permissions are told: the agents that `policy agents list` prints, each with the definition that its runner's hook goes by. */
import type { AgentDefinition } from '../../agent/agent.js';
import { normalizeName } from '../../agent/name.js';
import { inventoryByRunner } from '../../agent/runner-inventory.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { countedDefinitions, knownAgents } from '../../definitions/known-agents.js';
import type { Workspace } from '../../project/workspace.js';

export interface JudgedAgent {
  /** As the runner is asked for it, and where it stands. */
  readonly listed: AgentDefinition;
  /** What its calls are held to. */
  readonly known: AgentDefinition;
}

/** The agents of each runner that has some, in the order of RUNNERS; none where the policy switches subagents off. */
export function agentsByRunner({ definitions, trusted, policy }: Workspace): ReadonlyMap<RunnerId, readonly JudgedAgent[]> {
  const { missingTools, off } = policy.agents;
  if (off !== undefined && off !== null) return new Map();
  const counted = countedDefinitions(definitions, trusted, missingTools);
  const listed = [...inventoryByRunner(counted, { missingTools }).agents.values()]
    .flat()
    .filter(({ status }) => status === 'active');
  const found = new Map<RunnerId, readonly JudgedAgent[]>();
  for (const runner of RUNNERS) {
    const own = listed.filter((record) => record.runner === runner);
    if (own.length === 0) continue;
    const known = new Map(knownAgents(definitions, runner, trusted, missingTools).map((one) => [normalizeName(one.name), one]));
    found.set(
      runner,
      own.map(({ definition }) => ({ listed: definition, known: known.get(normalizeName(definition.name)) ?? definition })),
    );
  }
  return found;
}
