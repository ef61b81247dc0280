/** All agents in one view: which definition of a name is used, which ones it hides, and the events of the search. */
import type { Policy } from '../policy/policy.js';
import { type AgentDefinition, DIALECTS, traitsOfDialect } from './agent.js';
import { intersectDefinitions } from './intersection.js';
import { normalizeName, printable } from './name.js';
import { absentToolsMean, toolOfEntry } from './tool-list.js';

export type Scope = AgentDefinition['scope'];

/** Why a definition is not used. */
export type ConflictReason =
  | 'project override'
  | 'managed override'
  | 'duplicate definition'
  | 'invalid definition'
  | 'disabled subagent'
  | 'no active definition available'
  | 'cross-format';

export interface AgentConflict {
  readonly name: string;
  readonly losingScope: Scope;
  readonly reason: ConflictReason;
  /** Files of the definition that is used, and of the one that is not. */
  readonly winner: string;
  readonly loser: string;
  /** It is not certain which of them the runner uses: only what both allow applies. */
  readonly both: boolean;
}

/** An event to log: an override, a duplicate, an unreadable definition, the feature switched off. */
export interface DiscoveryEvent {
  readonly code:
    | 'agent.override'
    | 'agent.duplicate'
    | 'agent.invalid'
    | 'agent.unread'
    | 'agent.disabled'
    | 'agents.off'
    | 'agents.root-missing'
    | 'agents.not-looked-into';
  readonly message: string;
  readonly file: string | null;
}

export interface InventoryRecord {
  readonly definition: AgentDefinition;
  readonly status: AgentDefinition['status'];
  /** The scopes whose definitions of this name it hides. */
  readonly overrides: readonly Scope[];
  readonly effectiveTools: EffectiveTools;
  /** Null: the model of the session that starts it, which is not known here. */
  readonly effectiveModel: string | null;
}

/** The tools of an agent: all of its parent's (`inherited`; `tools` is then empty), or the listed tools; never those in `excluded`. */
export interface EffectiveTools {
  readonly inherited: boolean;
  readonly tools: readonly string[];
  readonly excluded: readonly string[];
}

export interface Inventory {
  /** By normalized name; the definition that is used to judge calls of that name. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly records: ReadonlyMap<string, InventoryRecord>;
  readonly conflicts: readonly AgentConflict[];
  readonly events: readonly DiscoveryEvent[];
}

export interface InventoryOptions {
  /** False: nothing was searched, the inventory is empty. */
  readonly enabled?: boolean;
  /** The model of a definition that names none. */
  readonly defaultModel?: string | null;
  readonly sessionModel?: string | null;
  /** What a definition without tools may use. */
  readonly missingTools?: Policy['agents']['missingTools'];
}

/**
 * Creates one record per normalized name. Of several definitions, the one of the stronger scope is used, even if it is invalid or
 * disabled: a broken project file never brings back the user's looser one. If it is not certain which file the runner uses (two
 * files of one scope, two formats, agent-code's own order), both apply: the record is their intersection.
 * @param definitions in any order
 */
export function buildInventory(definitions: readonly AgentDefinition[], options: InventoryOptions = {}): Inventory {
  if (options.enabled === false) {
    const message = 'Subagents feature is disabled. Set subagents.enabled = true.';
    return { agents: new Map(), records: new Map(), conflicts: [], events: [{ code: 'agents.off', message, file: null }] };
  }
  const agents = new Map<string, AgentDefinition>();
  const records = new Map<string, InventoryRecord>();
  const conflicts: AgentConflict[] = [];
  const events = definitions.flatMap(eventsOf);
  for (const [name, group] of groupByName(definitions)) {
    const resolved = resolve(name, group, conflicts, events);
    agents.set(name, resolved.definition);
    records.set(name, recordOf(resolved, options));
  }
  return { agents, records, conflicts, events };
}

function eventsOf(definition: AgentDefinition): DiscoveryEvent[] {
  const { file } = definition.source;
  const first = definition.errors.find((error) => error.severity !== 'warning');
  if (definition.status === 'invalid')
    return [
      {
        code: first?.code === 'agent/unread' ? 'agent.unread' : 'agent.invalid',
        message: `${definition.rawName}: ${first?.message ?? 'it cannot be read'}`,
        file,
      },
    ];
  if (definition.status === 'disabled') return [{ code: 'agent.disabled', message: `${definition.rawName} is disabled`, file }];
  return [];
}

/** Returns groups in the order of their names; within a group the stronger scope first, then by path. */
function groupByName(definitions: readonly AgentDefinition[]): [string, AgentDefinition[]][] {
  const groups = new Map<string, AgentDefinition[]>();
  for (const definition of definitions) {
    // A plugin's `a:b` has the same lookup key as an agent `a-b`.
    const key = normalizeName(definition.name);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [definition]);
    else group.push(definition);
  }
  for (const group of groups.values()) group.sort(byWeight);
  return [...groups].sort(([left], [right]) => compare(left, right));
}

/** Orders a runner's formats together (in the order of DIALECTS), then by stronger scope, then by path. */
function byWeight(left: AgentDefinition, right: AgentDefinition): number {
  const family = familyOf(left) - familyOf(right);
  return family || rank(left) - rank(right) || compare(left.source.file, right.source.file);
}

function rank(definition: AgentDefinition): number {
  return traitsOfDialect(definition.dialect).scopes.indexOf(definition.scope);
}

/** Compares by code units, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Resolved {
  readonly definition: AgentDefinition;
  readonly overrides: readonly Scope[];
}

function resolve(
  name: string,
  group: readonly AgentDefinition[],
  conflicts: AgentConflict[],
  events: DiscoveryEvent[],
): Resolved {
  const [winner, ...losers] = group;
  if (winner === undefined) throw new RangeError('a group has at least one definition');
  let definition = winner;
  const overrides = new Set<Scope>();
  const anyActive = group.some((one) => one.status === 'active');
  for (const loser of losers) {
    // Another runner's agent of the same name does not conflict; a caller that judges for one runner passes only definitions that it reads.
    if (familyOf(loser) !== familyOf(winner)) continue;
    const reason = reasonOf(winner, loser, anyActive);
    const files = { winner: winner.source.file, loser: loser.source.file };
    const both = isUncertain(winner, loser);
    conflicts.push({ name, losingScope: loser.scope, reason, ...files, both });
    if (loser.scope !== winner.scope) overrides.add(loser.scope);
    if (both) definition = intersectDefinitions(definition, loser);
    const code = loser.scope === winner.scope ? 'agent.duplicate' : 'agent.override';
    const message = `${name}: ${files.winner} ${both ? 'and' : 'hides'} ${files.loser} (${reason})${both ? '; only what both allow counts' : ''}`;
    events.push({ code, message, file: files.loser });
    if (code === 'agent.override') definition = { ...definition, override: message };
  }
  return { definition, overrides: [...overrides] };
}

/** True if the runner might use the other file, or treats them as two agents (`Reviewer` and `reviewer`). */
function isUncertain(winner: AgentDefinition, loser: AgentDefinition): boolean {
  return (
    winner.dialect !== loser.dialect ||
    winner.scope === loser.scope ||
    traitsOfDialect(winner.dialect).isOrderOpen === true ||
    winner.rawName !== loser.rawName
  );
}

/** Returns the family of a definition: the formats of one runner belong together. */
function familyOf({ dialect, runner = traitsOfDialect(dialect).runner }: AgentDefinition): number {
  const first = DIALECTS.find((one) => traitsOfDialect(one).runner === runner);
  return DIALECTS.indexOf(first ?? dialect);
}

function reasonOf(winner: AgentDefinition, loser: AgentDefinition, anyActive: boolean): ConflictReason {
  if (winner.dialect !== loser.dialect) return 'cross-format';
  if (!anyActive) return 'no active definition available';
  if (winner.status === 'invalid') return 'invalid definition';
  if (winner.status === 'disabled') return 'disabled subagent';
  if (winner.scope === loser.scope) return 'duplicate definition';
  return winner.scope === 'managed' ? 'managed override' : 'project override';
}

function recordOf({ definition, overrides }: Resolved, options: InventoryOptions): InventoryRecord {
  // Claude Code's name for the model of the session.
  const written = definition.model === 'inherit' ? null : (definition.model ?? options.defaultModel);
  return {
    definition,
    status: definition.status,
    overrides,
    effectiveTools: effectiveTools(definition, options.missingTools ?? 'dialect'),
    effectiveModel: written ?? options.sessionModel ?? null,
  };
}

/** Returns no tools for an unusable definition; for the intersection of several, only those that each of them may use. */
function effectiveTools(definition: AgentDefinition, missingTools: Policy['agents']['missingTools']): EffectiveTools {
  const hasNone =
    definition.status !== 'active' ||
    (definition.parts ?? [definition]).some(
      ({ tools, dialect }) =>
        tools.state === 'empty' || (tools.state === 'absent' && absentToolsMean(dialect, missingTools) === 'empty'),
    );
  const excluded = new Set(definition.excludedTools);
  const listed = hasNone || definition.tools.state !== 'listed' ? [] : definition.tools.tools;
  return {
    inherited: !hasNone && definition.tools.state === 'absent',
    tools: listed.filter((entry) => !excluded.has(toolOfEntry(entry))),
    excluded: [...excluded],
  };
}

export type FoundAgent<Found extends InventoryRecord = InventoryRecord> =
  | { readonly ok: true; readonly record: Found }
  | {
      readonly ok: false;
      readonly code: 'UNKNOWN_SUBAGENT' | 'INVALID_SUBAGENT' | 'DISABLED_SUBAGENT';
      readonly message: string;
    };

/** Finds the agent that a person means by `query`; compares normalized names. */
export function findAgent(inventory: Inventory, query: string): FoundAgent {
  const record = inventory.records.get(normalizeName(query));
  return record === undefined ? unknownAgent(query) : usable(record);
}

/** Returns the error for a name without a definition. */
export function unknownAgent(query: string): FoundAgent {
  const message = `No subagent named '${printable(query)}'. Run \`policy agents list\`.`;
  return { ok: false, code: 'UNKNOWN_SUBAGENT', message };
}

/** Returns the record, or the reason why it cannot be used. */
export function usable<Found extends InventoryRecord>(record: Found): FoundAgent<Found> {
  const { name, status, errors } = record.definition;
  if (status === 'disabled') return { ok: false, code: 'DISABLED_SUBAGENT', message: `Subagent '${name}' is disabled.` };
  if (status === 'active') return { ok: true, record };
  const first = errors.find((error) => error.severity !== 'warning');
  const missing = /^agent\/(name|description)-missing$/.exec(first?.code ?? '')?.[1];
  const what = missing === undefined ? (first?.message ?? 'it cannot be read') : `missing ${missing} field`;
  return { ok: false, code: 'INVALID_SUBAGENT', message: `Subagent '${name}' invalid: ${what.replace(/\.$/, '')}.` };
}
