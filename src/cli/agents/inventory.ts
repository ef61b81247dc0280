/** The inventory that `policy agents list` and `show` print: agents of every runner, skills, commands, and the events of the search. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentDefinition } from '../../agent/agent.js';
import { allAgentFolders } from '../../agent/folders.js';
import type { DiscoveryEvent } from '../../agent/inventory.js';
import {
  inventoryByRunner,
  type RunnerInventory,
  type RunnerInventoryOptions,
  type RunnerRecord,
} from '../../agent/runner-inventory.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { type FoundAgents, isUnread, readAgents } from '../../definitions/files.js';
import { countedDefinitions } from '../../definitions/known-agents.js';
import { type SubagentSettings, subagentSettings } from '../../definitions/subagent-settings.js';
import { repositoryTop } from '../../disk/git/directory.js';
import { type ListedText, skillsAndCommands } from '../../enforce/agents/skills-and-commands.js';
import type { Workspace } from '../../project/workspace.js';
import { open } from '../place/open.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag } from '../words/arguments.js';

export const SCOPES = ['project', 'user', 'all'] as const;

export interface AgentsHere {
  /** Real path. */
  readonly project: string;
  readonly inventory: RunnerInventory;
  /** Agents of plugins that are in the project and not installed. */
  readonly pluginAgents: readonly RunnerRecord[];
  readonly texts: readonly ListedText[];
  readonly events: readonly DiscoveryEvent[];
  /** Places that were not searched or could not be read, one sentence each. */
  readonly unread: readonly string[];
}

/** Printed on stderr, with exit code 1, when subagents are switched off. */
export const DISABLED = 'Subagents feature is disabled. Set subagents.enabled = true.';

/** Returns the subagent settings that apply here; warns about those that cannot be read. Reads no folder of agents. */
export function settingsHere(workspace: Workspace): SubagentSettings {
  const settings = subagentSettings(homedir(), process.env, workspace.policy.agents.off ?? null);
  for (const problem of settings.problems) warn(`note: ${problem}`);
  return settings;
}

/** Opens the workspace without its agents, since its policy decides whether they may be searched for. Throws UsageError. */
export function openWithoutAgents(args: Arguments): Workspace {
  return open(args, false);
}

/** Returns everything that is found for the flags --runner and --scope. */
export function agentsHere(args: Arguments, workspace: Workspace, settings: SubagentSettings): AgentsHere {
  const { project, home } = workspace.surroundings;
  const { missingTools } = workspace.policy.agents;
  const found = readAgents(project, home, null);
  const options = { missingTools, defaultModels: { codex: settings.defaultModel } };
  const inventory = inventoryByRunner(countedDefinitions(found.definitions, workspace.trusted, missingTools), options);
  const { texts, pluginAgents, incomplete } = skillsAndCommands(project, home);
  const wanted = wantedBy(args);
  return {
    project,
    inventory: narrowed(inventory, wanted),
    pluginAgents: uninstalled(
      pluginAgents.map(({ definition }) => definition),
      options,
    ).filter(wanted),
    texts: texts.filter(({ runner, scope }) => wanted({ runner, definition: { scope } })),
    events: [...inventory.events, ...lookedFor(found)],
    unread: [...unreadOf(found), ...incomplete],
  };
}

/**
 * Returns a folder above with agent definitions, which a project without definitions of its own and without a repository does not
 * use; null if there is none.
 */
export function definitionsAbove({ project, inventory }: AgentsHere): string | null {
  const own = [...inventory.agents.values()].flat().some(({ definition }) => definition.scope === 'project');
  if (own || repositoryTop(project) !== null) return null;
  const folders = allAgentFolders().map(({ folder }) => folder);
  const home = homedir();
  for (let above = dirname(project); above !== dirname(above) && above !== home; above = dirname(above))
    if (folders.some((folder) => existsSync(join(above, folder)))) return above;
  return null;
}

function uninstalled(definitions: readonly AgentDefinition[], options: RunnerInventoryOptions): readonly RunnerRecord[] {
  return [...inventoryByRunner(definitions, options).agents.values()].flat();
}

type Wanted = (one: { readonly runner: RunnerId | null; readonly definition: Pick<AgentDefinition, 'scope'> }) => boolean;

/** A file that several runners read belongs to each of them. */
function wantedBy(args: Arguments): Wanted {
  const wantedRunner = choiceFlag(args, 'runner', RUNNERS);
  const wantedScope = choiceFlag(args, 'scope', SCOPES) ?? 'all';
  return ({ runner, definition }) =>
    (wantedRunner === undefined || runner === null || runner === wantedRunner) &&
    (wantedScope === 'all' || (definition.scope === 'project') === (wantedScope === 'project'));
}

function narrowed({ agents, conflicts, events }: RunnerInventory, wanted: Wanted): RunnerInventory {
  const kept = [...agents].map(([name, records]) => [name, records.filter(wanted)] as const);
  const left = new Map(kept.filter(([, records]) => records.length > 0));
  const isLeft = (name: string, runner: RunnerId) => left.get(name)?.some((record) => record.runner === runner) === true;
  return { agents: left, conflicts: conflicts.filter(({ name, runner }) => isLeft(name, runner)), events };
}

/** Returns an event for each folder that is missing or could not be searched. */
function lookedFor({ missing, notes }: FoundAgents): readonly DiscoveryEvent[] {
  return [
    ...missing.map(
      (folder): DiscoveryEvent => ({ code: 'agents.root-missing', message: `There is no folder ${folder}.`, file: folder }),
    ),
    ...notes.map(({ message }): DiscoveryEvent => ({ code: 'agents.not-looked-into', message, file: null })),
  ];
}

function unreadOf({ definitions, notes }: FoundAgents): readonly string[] {
  const files = definitions.filter(isUnread).flatMap(({ errors }) => errors.map(({ message }) => message));
  return [...files, ...notes.map(({ message }) => message)];
}
