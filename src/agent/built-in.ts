/** Agents that a runner ships, as definitions, so that their calls are judged like those of other agents. */
import { runnerAgents } from '../call/catalogue.js';
import type { RunnerId } from '../call/tool-call.js';
import type { AgentDefinition } from './agent.js';
import { originOfFormat } from './format.js';
import { intersectDefinitions } from './intersection.js';
import { normalizeName } from './name.js';
import { toolListOf } from './tool-list.js';

/**
 * Returns the built-in agents of a runner. Not part of an inventory: a person's definition of the same name replaces one,
 * whatever its scope (`withBuiltIns`).
 */
export function builtInAgents(runner: RunnerId): AgentDefinition[] {
  const file = `rules/tools/${runner}.yaml`;
  return runnerAgents(runner).map((agent) => ({
    name: normalizeName(agent.name),
    rawName: agent.name,
    description: agent.description ?? null,
    dialect: originOfFormat(runner).dialect,
    scope: 'managed',
    source: { file, line: 1, column: 1 },
    tools: toolListOf(agent.tools ?? null),
    excludedTools: agent.excludes ?? [],
    permissions: null,
    readOnly: agent.readOnly ?? false,
    model: null,
    body: null,
    capabilities: null,
    status: 'active',
    errors: [],
  }));
}

/**
 * Returns `agents` with the runner's built-in agents whose names are not taken, since Claude Code lets a file replace a built-in
 * agent. A definition spelled differently (`explore` next to `Explore`) is a separate agent in Claude Code: as both have the same
 * lookup name here, both apply.
 */
export function withBuiltIns(agents: ReadonlyMap<string, AgentDefinition>, runner: RunnerId): Map<string, AgentDefinition> {
  const all = new Map(agents);
  for (const builtIn of builtInAgents(runner)) {
    const written = agents.get(builtIn.name);
    if (written === undefined) all.set(builtIn.name, builtIn);
    else if (written.rawName !== builtIn.rawName) all.set(builtIn.name, intersectDefinitions(written, builtIn));
  }
  return all;
}
