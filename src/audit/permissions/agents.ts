/**
 * The agents whose permissions are reported: those that `policy agents list` prints, each with the definition that its runner's
 * hook follows.
 */
import type { AgentDefinition } from '../../agent/agent.js';
import { normalizeName } from '../../agent/name.js';
import { inventoryByRunner } from '../../agent/runner-inventory.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { countedDefinitions, knownAgents } from '../../definitions/known-agents.js';
import type { Workspace } from '../../project/workspace.js';

export interface JudgedAgent {
  /** The definition by which the runner is asked for the agent, with its place. */
  readonly listed: AgentDefinition;
  /** The definition that limits its calls. */
  readonly known: AgentDefinition;
}

/** Returns the agents of each runner that has some, in the order of RUNNERS; empty if the policy disables subagents. */
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
