/** The agents whose calls are judged by a definition: definitions that were found and may be used, and agents that a runner ships. */
import type { AgentDefinition } from '../agent/agent.js';
import { builtInAgents, withBuiltIns } from '../agent/built-in.js';
import { intersectDefinitions } from '../agent/intersection.js';
import { buildInventory } from '../agent/inventory.js';
import { runnerOf } from '../agent/runner-inventory.js';
import { absentToolsMean } from '../agent/tool-list.js';
import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import type { Policy } from '../policy/policy.js';
import { runnerNamed } from '../runner/runners.js';

/**
 * Returns one definition for each name, by the inventory's precedence.
 * @param runner whose formats are read and whose own agents are known; null: all formats (for a name that several use, the first
 * applies) and no such agents, so that calls of these are asked about
 * @param trusted whether the project is trusted: an untrusted project's file can only add restrictions to a definition of the
 * user or the runner
 * @param missingTools the meaning of a definition without tools
 * @param everyFormat also reads definitions in other runners' formats: `policy run` starts them in any runner
 */
export function knownAgents(
  definitions: readonly AgentDefinition[],
  runner: RunnerId | null,
  trusted: boolean,
  missingTools: Policy['agents']['missingTools'],
  everyFormat = false,
): AgentDefinition[] {
  const read = definitions.filter((one) => everyFormat || runner === null || isReadBy(one, runner));
  const { agents } = buildInventory(trusted ? read : withinOthers(read, runner, missingTools));
  return [...(runner === null ? agents : withBuiltIns(agents, runner)).values()];
}

/** Returns all definitions as they apply in each runner: those of an untrusted project are restricted by those that existed before. */
export function countedDefinitions(
  definitions: readonly AgentDefinition[],
  trusted: boolean,
  missingTools: Policy['agents']['missingTools'],
): readonly AgentDefinition[] {
  if (trusted) return definitions;
  return RUNNERS.flatMap((runner) => {
    const own = definitions.filter((one) => runnerOf(one) === runner);
    return withinOthers(own, runner, missingTools);
  });
}

/** The definitions of an untrusted project, restricted by those of the user and the runner with the same names. */
function withinOthers(
  definitions: readonly AgentDefinition[],
  runner: RunnerId | null,
  missingTools: Policy['agents']['missingTools'],
): readonly AgentDefinition[] {
  const found = definitions.filter(({ scope }) => scope !== 'project');
  const others = [...found, ...(runner === null ? [] : builtInAgents(runner))].map((one) => withStatedTools(one, missingTools));
  return definitions.map((one) => (one.scope === 'project' ? bounded(one, others) : one));
}

/** True if this runner may read the definition as one of its own. */
export function isReadBy({ runner: own, dialect }: Pick<AgentDefinition, 'runner' | 'dialect'>, runner: RunnerId): boolean {
  return own === undefined ? (runnerNamed(runner)?.dialects?.includes(dialect) ?? true) : own === runner;
}

/** A missing tool list has no limits to which another list could be held; if it means no tools, an empty list makes that explicit. */
function withStatedTools(definition: AgentDefinition, missingTools: Policy['agents']['missingTools']): AgentDefinition {
  if (definition.tools.state !== 'absent') return definition;
  const inherits = absentToolsMean(definition.dialect, missingTools) === 'inherit';
  return inherits ? definition : { ...definition, tools: { state: 'empty' } };
}

function bounded(definition: AgentDefinition, others: readonly AgentDefinition[]): AgentDefinition {
  return others
    .filter(({ name, dialect }) => name === definition.name && dialect === definition.dialect)
    .reduce(intersectDefinitions, definition);
}
