/** The agents of each runner separately: another runner's agent of the same name hides none and replaces none. */
import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import { type AgentDefinition, traitsOfDialect } from './agent.js';
import {
  type AgentConflict,
  buildInventory,
  type DiscoveryEvent,
  type InventoryOptions,
  type InventoryRecord,
} from './inventory.js';

export interface RunnerRecord extends InventoryRecord {
  readonly runner: RunnerId;
}

export interface RunnerInventory {
  /** By normalized name; the agents of all runners with that name, in the order of RUNNERS. */
  readonly agents: ReadonlyMap<string, readonly RunnerRecord[]>;
  readonly conflicts: readonly (AgentConflict & { readonly runner: RunnerId })[];
  readonly events: readonly DiscoveryEvent[];
}

export interface RunnerInventoryOptions extends Pick<InventoryOptions, 'sessionModel' | 'missingTools'> {
  /** The model of a definition for that runner that names none. */
  readonly defaultModels?: Readonly<Partial<Record<RunnerId, string | null>>>;
}

/** Returns the runner that reads a definition in its own format. */
export function runnerOf({ runner, dialect }: Pick<AgentDefinition, 'runner' | 'dialect'>): RunnerId {
  return runner ?? traitsOfDialect(dialect).runner;
}

/** @param definitions in any order */
export function inventoryByRunner(
  definitions: readonly AgentDefinition[],
  { defaultModels = {}, ...options }: RunnerInventoryOptions = {},
): RunnerInventory {
  const agents = new Map<string, RunnerRecord[]>();
  const conflicts: (AgentConflict & { readonly runner: RunnerId })[] = [];
  const events: DiscoveryEvent[] = [];
  for (const runner of RUNNERS) {
    const own = definitions.filter((one) => runnerOf(one) === runner);
    const inventory = buildInventory(own, { ...options, defaultModel: defaultModels[runner] ?? null });
    for (const [name, record] of inventory.records) agents.set(name, [...(agents.get(name) ?? []), { ...record, runner }]);
    conflicts.push(...inventory.conflicts.map((conflict) => ({ ...conflict, runner })));
    events.push(...inventory.events);
  }
  return { agents: new Map([...agents].sort(([left], [right]) => (left < right ? -1 : 1))), conflicts, events };
}
