/** `policy agents list` and `show`: the inventory for a person, and as JSON. */
import { dirname, join, relative } from 'node:path';
import { unknownAgent, usable } from '../../agent/inventory.js';
import { normalizeName } from '../../agent/name.js';
import type { RunnerRecord } from '../../agent/runner-inventory.js';
import { findFiles } from '../../lint/files/read-files.js';
import { fileKind } from '../../lint/places/file-kind.js';
import { DEFAULT_OPTIONS } from '../../lint/run.js';
import { maskText } from '../../log/record/mask-text.js';
import {
  agentDetails,
  agentList,
  type ListedAgent,
  pluginAgentList,
  type ShownText,
  textList,
  unusableList,
} from '../../report/agents.js';
import { lint } from '../../runner/lint/linter.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printProse, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import { type AgentsHere, definitionsAbove } from './inventory.js';
import { inventoryAsJson } from './inventory-json.js';

/** At most this many conflicts and definitions with errors are reported on stderr. */
const MOST_TOLD = 50;
/** At most this many characters of a description are searched for secrets. */
const LONGEST = 4_096;

/**
 * Lists the agents, and reports on stderr which are unusable and which definitions hide others. Ends with 3 when a file could not be read.
 */
export async function listAgents(args: Arguments, here: AgentsHere): Promise<ExitCode> {
  if (textFlag(args, 'name') !== undefined) throw new UsageError('To see one agent: policy agents show NAME');
  const invalidOnly = switchFlag(args, 'invalid');
  if (switchFlag(args, 'json'))
    await print(inventoryAsJson(here, ({ status }) => !invalidOnly && status === 'active', new Date()));
  else await printProse(listText(args, here, invalidOnly));
  tellProblems(here);
  const above = definitionsAbove(here);
  if (above !== null)
    warn(`note: ${above} has agent definitions; outside a repository, a folder without a policy file is a separate project`);
  return here.unread.length > 0 ? EXIT.error : EXIT.allow;
}

function listText(args: Arguments, here: AgentsHere, invalidOnly: boolean): string {
  const { color } = textOptions();
  const kinds = (['skill', 'command'] as const).filter((kind) => switchFlag(args, `${kind}s`));
  if (kinds.length > 0) return kinds.map((kind) => textList(kind, here.texts.map(shownText), color)).join('\n');
  const all = [...here.inventory.agents.values()].flat();
  if (invalidOnly) return unusableList(all.filter(({ status }) => status !== 'active').map(listed), color);
  const active = all.filter(({ status }) => status === 'active').map(listed);
  return (
    agentList(active, color) + pluginAgentList(here.pluginAgents.filter(({ status }) => status === 'active').map(listed), color)
  );
}

function tellProblems({ inventory, unread }: AgentsHere): void {
  const invalid = [...inventory.agents.values()].flat().filter(({ status }) => status === 'invalid');
  const lines = [
    ...invalid.flatMap(({ definition }) =>
      definition.errors.map(({ source, message }) => `${source.file}:${source.line}:${source.column}: ${shown(message)}`),
    ),
    ...inventory.conflicts.map(conflictLine),
    ...unread.map((what) => `warning: ${what}`),
  ];
  for (const line of lines.slice(0, MOST_TOLD)) warn(line);
  if (lines.length > MOST_TOLD) warn(`… and ${lines.length - MOST_TOLD} more: policy agents list --json, or policy lint`);
}

/** An override is intended; two files for one agent, or an invalid file that hides a valid one, are not. */
function conflictLine({ name, runner, reason, winner, loser, both }: AgentsHere['inventory']['conflicts'][number]): string {
  const who = `${name} (${runner})`;
  if (reason === 'invalid definition' || reason === 'disabled subagent') {
    const what = reason === 'invalid definition' ? 'is invalid' : 'is disabled';
    return `warning: ${who}: ${winner} ${what}, and ${loser} does not replace it (${reason})`;
  }
  if (both) return `warning: ${who}: ${winner} and ${loser} define the same agent; only what both allow applies (${reason})`;
  return `note: ${who}: ${loser} is ignored, ${winner} is used (${reason})`;
}

/** Shows the agents of that name, one per runner. Throws UsageError when none of them can be used. */
export async function showAgent(args: Arguments, here: AgentsHere, query: string): Promise<ExitCode> {
  const name = normalizeName(query);
  const records =
    here.inventory.agents.get(name) ?? here.pluginAgents.filter((one) => normalizeName(one.definition.name) === name);
  const found = records.length === 0 ? [unknownAgent(query)] : records.map(usable);
  const refused = found.flatMap((one) => (one.ok ? [] : [one.message]));
  if (records.length > 0) {
    if (switchFlag(args, 'json')) await print(inventoryAsJson(only(here, records), () => true, new Date()));
    else await printProse(records.map((record) => details(record, here)).join('\n'));
  }
  if (refused.length === found.length) throw new UsageError(...new Set(refused));
  for (const message of new Set(refused)) warn(message);
  return EXIT.allow;
}

function only(here: AgentsHere, records: readonly RunnerRecord[]): AgentsHere {
  const files = new Set(records.map(({ definition }) => definition.source.file));
  const isPart = (file: string | null) => file !== null && files.has(file);
  const names = new Set(records.map(({ definition }) => normalizeName(definition.name)));
  const { agents, conflicts } = here.inventory;
  return {
    ...here,
    inventory: {
      agents: new Map([...agents].filter(([name]) => names.has(name))),
      conflicts: conflicts.filter((one) => names.has(one.name)),
      events: [],
    },
    pluginAgents: here.pluginAgents.filter((one) => names.has(normalizeName(one.definition.name))),
    texts: [],
    events: here.events.filter(({ file, message }) => isPart(file) || [...names].some((name) => message.startsWith(`${name}: `))),
  };
}

function details(record: RunnerRecord, here: AgentsHere): string {
  const { definition, runner } = record;
  const conflicts = here.inventory.conflicts.filter(
    (one) => one.runner === runner && one.name === normalizeName(definition.name),
  );
  const linted = lintRows(record, here);
  const agent = listed(record);
  // Most errors that make a definition invalid also have a lint rule, whose finding has the place.
  const errors = agent.errors.filter((error) => !linted.some(([, text]) => text.includes(error.replace(/\.$/, ''))));
  return agentDetails({ ...agent, errors }, [
    ...(here.pluginAgents.includes(record) ? [['plugin', 'not installed'] as const] : []),
    ...ownRules(record),
    ...conflicts.map((one) => ['conflict', conflictText(one)] as const),
    ...linted,
  ]);
}

function conflictText({ reason, winner, loser, both }: AgentsHere['inventory']['conflicts'][number]): string {
  return both ? `${winner} and ${loser} both apply (${reason})` : `${loser} is ignored (${reason})`;
}

/** Returns the agent's own rules as `effect rule` rows. */
function ownRules({ definition }: RunnerRecord): readonly (readonly [string, string])[] {
  const { permissions, readOnly, readsOnly, capabilities } = definition;
  return [
    ...(readOnly || readsOnly === true ? [['read only', 'yes'] as const] : []),
    ...(capabilities === null ? [] : [['shell', capabilities.shell.join(', ') || 'none'] as const]),
    ...(permissions === null ? [] : [['otherwise', permissions.defaultMode] as const]),
    ...(permissions?.rules ?? []).map(({ effect, text }) => [effect, shown(text)] as const),
  ];
}

/** Returns the lint findings in the agent's file alone. */
function lintRows({ definition }: RunnerRecord, { project }: AgentsHere): readonly (readonly [string, string])[] {
  const { file } = definition.source;
  const [root, path] = definition.scope === 'project' ? [project, file] : [rootOf(file), relative(rootOf(file), file)];
  const found = findFiles(root, { kindOf: fileKind, isNamed: () => true, starts: [path] });
  const { findings } = lint(found, { ...DEFAULT_OPTIONS, persona: 'reviewer', today: new Date().toISOString().slice(0, 10) });
  return findings.map(({ severity, ruleId, message, location }) => [
    severity,
    `${location.line}:${location.column} ${message} (${ruleId})`,
  ]);
}

/** Returns the folder that contains the runner's own folder: `/home/ann` for `/home/ann/.claude/agents/a.md`. */
function rootOf(file: string): string {
  const at = file.search(/\/\.[^/]+\/(?:[^/]+\/)*agents?\//);
  return at > 0 ? file.slice(0, at) : join(dirname(file), '..');
}

function listed(record: RunnerRecord): ListedAgent {
  const { definition, effectiveTools, effectiveModel, overrides, runner, status } = record;
  const { name, rawName, description, scope, source, errors } = definition;
  return {
    name: name === '' ? shown(rawName) : name,
    description: description === null ? null : shown(description),
    tools: { inherited: effectiveTools.inherited, listed: effectiveTools.tools.map(shown), excluded: effectiveTools.excluded },
    model: effectiveModel,
    source: source.file,
    ...{ runner, scope, status, overrides },
    errors: errors.filter(({ severity }) => severity !== 'warning').map(({ message }) => shown(message)),
  };
}

function shownText(text: ShownText): ShownText {
  const { name, description, preApproves } = text;
  const masked = { name: shown(name), preApproves: preApproves.map(shown) };
  return { ...text, ...masked, description: description === null ? null : shown(description) };
}

/** Returns the beginning of a text, with secrets masked. */
function shown(text: string): string {
  return maskText(text.slice(0, LONGEST));
}
