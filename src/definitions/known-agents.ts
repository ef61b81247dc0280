/** The agents whose calls are judged by a definition: what was found, by whom it may be used, and what a runner ships. */
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
 * One definition a name, by the inventory's precedence.
 * @param runner whose formats count and whose own agents are known; null: all formats (of a name that several use the first
 *   counts) and no such agents, so that theirs are asked about
 * @param trusted whether the project is: a stranger's file may replace a definition of the user or the runner only to tighten it
 * @param missingTools what a definition without tools means
 * @param everyFormat also definitions in other runners' formats count: `policy run` starts them in any runner
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

/** All definitions, as the engine of each runner counts them: those of a project that is not trusted within those that were there before it. */
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

/** The definitions of a project that is not trusted, within those of the user and of the runner that have their names. */
function withinOthers(
  definitions: readonly AgentDefinition[],
  runner: RunnerId | null,
  missingTools: Policy['agents']['missingTools'],
): readonly AgentDefinition[] {
  const found = definitions.filter(({ scope }) => scope !== 'project');
  const others = [...found, ...(runner === null ? [] : builtInAgents(runner))].map((one) => withStatedTools(one, missingTools));
  return definitions.map((one) => (one.scope === 'project' ? bounded(one, others) : one));
}

/** True when this runner may take the definition for one of its own. */
export function isReadBy({ runner: own, dialect }: Pick<AgentDefinition, 'runner' | 'dialect'>, runner: RunnerId): boolean {
  return own === undefined ? (runnerNamed(runner)?.dialects?.includes(dialect) ?? true) : own === runner;
}

/** "No list" has no bounds that another list could be held to; where it means no tools, it says so. */
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
