/** The inventory that `policy agents list` and `show` print: agents of every runner, skills, commands, and what happened on the way. */
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
  /** Agents of plugins that lie in the project and are not installed. */
  readonly pluginAgents: readonly RunnerRecord[];
  readonly texts: readonly ListedText[];
  readonly events: readonly DiscoveryEvent[];
  /** What was not looked into or could not be read, each a sentence. */
  readonly unread: readonly string[];
}

/** Said on stderr, exit code 1, when subagents are switched off. */
export const DISABLED = 'Subagents feature is disabled. Set subagents.enabled = true.';

/** The switches that hold here; what of them cannot be read is said. Looks into no folder of agents. */
export function settingsHere(workspace: Workspace): SubagentSettings {
  const settings = subagentSettings(homedir(), process.env, workspace.policy.agents.off ?? null);
  for (const problem of settings.problems) warn(`note: ${problem}`);
  return settings;
}

/** The workspace without its agents: whether they may be looked for is told by what is in it. Throws UsageError. */
export function openWithoutAgents(args: Arguments): Workspace {
  return open(args, false);
}

/** Everything that is found for the flags --runner and --scope. */
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

/** A folder above with definitions, of which a project that has none and is no repository knows nothing; null without one. */
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

/** A file that several runners read is each runner's. */
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

/** Folders that are not there, or could not be looked into. */
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
