/** The inventory as JSON, with the field names of its original specification (schemas/agent-inventory.schema.json). */
import { resolve } from 'node:path';
import type { AgentDefinition } from '../../agent/agent.js';
import type { AgentConflict, DiscoveryEvent } from '../../agent/inventory.js';
import type { RunnerRecord } from '../../agent/runner-inventory.js';
import { toolOfEntry } from '../../agent/tool-list.js';
import { runnerTools } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { ListedText } from '../../enforce/agents/skills-and-commands.js';
import { maskText } from '../../log/record/mask-text.js';
import { agentLabel, jsonText } from '../../report/printing/escape.js';
import type { AgentsHere } from './inventory.js';

/** Maximum number of UTF-16 units of a text or list entry, and of entries of a list, in the output. */
const LONGEST = { text: 4_096, entry: 512, entries: 1_000 };

/** @param wanted selects the agents to include */
export function inventoryAsJson(here: AgentsHere, wanted: (record: RunnerRecord) => boolean, now: Date): string {
  const { project, inventory, pluginAgents, texts, events } = here;
  const all = [...inventory.agents.values()].flat();
  const chosen = [...inventory.agents].map(([name, records]) => [name, records.filter(wanted)] as const);
  return jsonText({
    version: 1,
    enabled: true,
    subagents: Object.fromEntries(
      chosen.flatMap(([name, records]) => (records.length === 0 ? [] : [[name, ofOneName(records, project)]])),
    ),
    unusable: all.filter(({ status }) => status !== 'active').map((record) => recordAsJson(record, project)),
    not_installed: pluginAgents.map((record) => recordAsJson(record, project)),
    conflicts: inventory.conflicts.map((conflict) => conflictAsJson(conflict, project)),
    skills: texts.filter(({ kind }) => kind === 'skill').map((one) => textAsJson(one, project)),
    commands: texts.filter(({ kind }) => kind === 'command').map((one) => textAsJson(one, project)),
    discovery_events: events.map((event) => eventAsJson(event, project, now)),
  });
}

/** Returns the output when subagents are switched off: nothing was searched. */
export function disabledAsJson(message: string, off: string, now: Date): string {
  const event = { code: 'agents.off', path: off, message, ts: now.toISOString() };
  const none = { unusable: [], not_installed: [], conflicts: [], skills: [], commands: [] };
  return jsonText({ version: 1, enabled: false, subagents: {}, ...none, discovery_events: [event] });
}

/** Returns the agent of the first runner that has one of that name, with those of other runners next to it. */
function ofOneName([first, ...others]: readonly RunnerRecord[], project: string): object {
  if (first === undefined) throw new RangeError('a name has at least one agent');
  return { ...recordAsJson(first, project), of_other_runners: others.map((record) => recordAsJson(record, project)) };
}

function recordAsJson(record: RunnerRecord, project: string): object {
  const { definition, effectiveTools, effectiveModel, overrides, runner, status } = record;
  return {
    name: definition.name,
    label: agentLabel(told(definition.name), effectiveModel),
    runner,
    status,
    definition: definitionAsJson(definition, project),
    effective_tools: toolsOf(record),
    inherited: effectiveTools.inherited,
    excluded_tools: entries(effectiveTools.excluded),
    effective_model: effectiveModel === null ? null : told(effectiveModel),
    overrides: overrides.length > 0,
    overridden_scopes: overrides,
  };
}

/** Returns the tools of an agent; one that inherits has all tools of its runner except those that it excludes. */
function toolsOf({ effectiveTools: { inherited, tools, excluded }, runner }: RunnerRecord): readonly string[] {
  if (!inherited) return entries(tools);
  const without = new Set(excluded.map(toolOfEntry));
  return runnerTools(runner)
    .map(({ name }) => name)
    .filter((name) => !without.has(name));
}

function definitionAsJson(definition: AgentDefinition, project: string): object {
  const { name, rawName, description, dialect, runner, scope, tools, model, errors } = definition;
  return {
    name,
    raw_name: told(rawName, LONGEST.entry),
    description: description === null ? null : told(description),
    format: runner ?? dialect,
    tools: tools.state === 'absent' ? null : entries(tools.state === 'empty' ? [] : tools.tools),
    model: model === null ? null : told(model, LONGEST.entry),
    scope,
    source_path: resolve(project, definition.source.file),
    validation_errors: errors
      .filter(({ severity }) => severity !== 'warning')
      .slice(0, LONGEST.entries)
      .map(({ message }) => told(message)),
  };
}

function conflictAsJson(conflict: AgentConflict & { readonly runner: RunnerId }, project: string): object {
  const { name, runner, losingScope, reason, winner, loser, both } = conflict;
  const files = { winner: resolve(project, winner), loser: resolve(project, loser) };
  return { name, runner, losing_scope: losingScope, reason, ...files, both_apply: both };
}

function textAsJson({ file, preApproves, description, ...text }: ListedText, project: string): object {
  const { name, runner, scope, plugin, runs, problem } = text;
  return {
    name: told(name, LONGEST.entry),
    description: description === null ? null : told(description),
    runner,
    scope,
    source_path: resolve(project, file),
    plugin: plugin === null ? null : { name: told(plugin.name, LONGEST.entry), installed: plugin.installed },
    pre_approves: entries(preApproves),
    runs_commands: runs,
    problem: problem === null ? null : told(problem),
  };
}

function eventAsJson({ code, message, file }: DiscoveryEvent, project: string, now: Date): object {
  return { code, path: file === null ? null : resolve(project, file), message: told(message), ts: now.toISOString() };
}

function entries(all: readonly string[]): readonly string[] {
  return all.slice(0, LONGEST.entries).map((one) => told(one, LONGEST.entry));
}

function told(text: string, longest = LONGEST.text): string {
  return maskText(text.slice(0, longest).replace(/[\ud800-\udbff]$/, ''));
}
