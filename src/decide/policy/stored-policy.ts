/** A compiled policy in a key-value store: written as a whole, read by only the few values that a call needs. */
import { normalizeName } from '../../agent/name.js';
import { toolEffects } from '../../call/catalogue.js';
import { keysOfRuleTool, keysOfTool } from '../../call/open-names.js';
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import { knownToolsCovered, toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { isFields, isList, isTexts } from '../../rule/store/entries.js';
import type { Store } from '../../rule/store/node.js';
import { type StoredRuleSet, storedRuleSet } from '../../rule/store/rules.js';
import { type Put, storeRules } from '../../rule/store/store.js';
import {
  type AgentData,
  assembled,
  type CompiledPolicy,
  type PolicyData,
  type PolicySettings,
  type PresetSettings,
} from './policy-data.js';
import { type Restriction, restrictionsByName } from './spellings.js';

/** The rule sets in the store. */
const RULES = 'r';
const PRESET = 'p';
const EXCEPT = 'e';

/** The data needed to read a store: JSON-safe, and small however many rules there are. */
export interface StoredPolicy {
  readonly policy: PolicySettings;
  /** Whether any of the rules asks or denies. */
  readonly restricts: boolean;
  readonly preset: {
    readonly definition: PresetSettings;
    readonly restricts: boolean;
    readonly named: readonly (readonly [tool: string, effect: Effect])[];
  } | null;
  readonly except: boolean;
  readonly restrictions: boolean;
}

const agentKey = (name: string) => `a\0${name}`;
const restrictionKey = (name: string) => `c\0${name}`;
const restricts = ({ rule }: CompiledRuleData) => rule.effect !== 'allow';

type RuleAt = readonly [set: string, number: number];

/**
 * Writes everything into a store, each key once, and returns the data needed to read it. An overlay belongs to one call and is
 * never stored.
 */
export function policyToStore(data: PolicyData, put: Put): StoredPolicy {
  const { rules: _, preset, ...policy } = data.policy;
  const own = data.rules.length;
  const restrictions = restrictionsByName(
    [...data.rules, ...data.preset].map(({ rule }) => rule),
    (_rule, number): RuleAt => (number < own ? [RULES, number] : [PRESET, number - own]),
  );
  putValues(data, restrictions, put);
  return {
    policy,
    restricts: data.rules.some(restricts),
    preset: preset && presetToStore(preset, data.preset),
    except: data.except.length > 0,
    restrictions: restrictions.size > 0,
  };
}

function presetToStore({ rules: _, ...definition }: PresetSettings & { rules: unknown }, rules: readonly CompiledRuleData[]) {
  const named = new Map(rules.map(({ rule }) => [`${rule.effect} ${rule.tool}`, [rule.tool, rule.effect] as const]));
  return { definition, restricts: rules.some(restricts), named: [...named.values()] };
}

function putValues(data: PolicyData, restrictions: ReadonlyMap<string, readonly Restriction<RuleAt>[]>, put: Put): void {
  const tools = { known: knownToolsCovered, names: [...toolEffects().names], keysOf: keysOfRuleTool };
  storeRules(RULES, data.rules, tools, put);
  if (data.policy.preset !== null) storeRules(PRESET, data.preset, tools, put);
  if (data.except.length > 0) storeRules(EXCEPT, data.except, tools, put);
  for (const [name, rules] of restrictions) put(restrictionKey(name), rules);
  const agents = new Map(data.agents.map((agent) => [normalizeName(agent.definition.name), agent]));
  for (const [name, agent] of agents) put(agentKey(name), agent);
}

/** A policy from a store written by `policyToStore`, ready to decide. */
export function storedPolicy(stored: StoredPolicy, store: Store): CompiledPolicy {
  const sought = { covers: toolsCovered, keysOf: keysOfTool };
  const rules = storedRuleSet(store, RULES, sought);
  const preset = stored.preset && { ...stored.preset, found: storedRuleSet(store, PRESET, sought) };
  return assembled({
    policy: stored.policy,
    rules: rules.rules,
    restricts: stored.restricts,
    preset: preset && { ...preset, rules: preset.found.rules },
    except: stored.except ? storedRuleSet(store, EXCEPT, sought).rules : null,
    restrictions: stored.restrictions ? (name) => restrictionsNamed(store, name, rules, preset?.found) : () => undefined,
    agents: (name) => agentNamed(store, name),
    overlay: null,
  });
}

function restrictionsNamed(store: Store, name: string, rules: StoredRuleSet, preset: StoredRuleSet | undefined) {
  const key = restrictionKey(name);
  const value = store.get(key);
  if (value === undefined) return undefined;
  if (!isList(value) || !value.every(isRestriction)) return store.damaged(key);
  return value.map(({ rule: [set, number], ...written }): Restriction<PermissionRule> => {
    const from = set === RULES ? rules : (preset ?? store.damaged(key));
    return { rule: from.ruleOf(number).rule, ...written };
  });
}

function isRestriction(value: unknown): value is Restriction<RuleAt> {
  if (!isFields(value) || typeof value.open !== 'boolean' || !isTexts(value.words) || !isList(value.rule)) return false;
  const { spelled } = value;
  const isSpelled =
    isFields(spelled) &&
    [spelled.path, spelled.table, spelled.unknown].every(isTexts) &&
    isList(spelled.options) &&
    isList(spelled.operands);
  if (spelled !== null && !isSpelled) return false;
  const [set, number] = value.rule;
  return (set === RULES || set === PRESET) && typeof number === 'number';
}

function agentNamed(store: Store, name: string): AgentData | undefined {
  const key = agentKey(name);
  const value = store.get(key);
  return value === undefined || isAgent(value) ? value : store.damaged(key);
}

/** Only a shallow check: it distinguishes an agent from other values, since a stored agent was written completely. */
function isAgent(value: unknown): value is AgentData {
  return isFields(value) && isFields(value.definition) && isList(value.listed);
}
