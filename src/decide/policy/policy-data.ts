/**
 * A policy ready for `decide`, and the plain data it is made from. The data is JSON-safe, so a snapshot can store it; loading it
 * needs no YAML, no schema and no pattern compiler.
 */

import type { AgentDefinition, PermissionsConfig } from '../../agent/agent.js';
import { normalizeName } from '../../agent/name.js';
import type { CustomTool, Policy, Preset } from '../../policy/policy.js';
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import { indexRules, type RuleSet } from '../../rule/index/rule-index.js';
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import type { Ruling } from '../ruling/combine.js';
import { type FallbackSubject, rulingByTierOrDefault } from './scope.js';
import { type Restriction, type Restrictions, restrictionsByName, restrictionsFrom } from './spellings.js';

/** The result of `compileToData` for a policy, its agents and an overlay. */
export interface PolicyData {
  /** Without rules: those are in `rules`, compiled, and the preset's in `preset`. */
  readonly policy: Policy;
  readonly rules: readonly CompiledRuleData[];
  readonly preset: readonly CompiledRuleData[];
  readonly except: readonly CompiledRuleData[];
  readonly agents: readonly AgentData[];
  readonly overlay: { readonly config: PermissionsConfig; readonly rules: readonly CompiledRuleData[] } | null;
}

export interface AgentData {
  /** Without its prompt text. */
  readonly definition: AgentDefinition;
  readonly rules: readonly CompiledRuleData[] | null;
  readonly listed: readonly { readonly entry: string; readonly tool: string }[];
  readonly granted: readonly CompiledRuleData[] | null;
  /** The definitions of which it is the intersection. */
  readonly parts?: readonly AgentData[];
}

/** An agent definition, ready to be the ceiling of its calls. */
export interface CompiledAgent {
  readonly definition: AgentDefinition;
  /** The agent's own rules; null if it declares none. */
  readonly rules: RuleSet | null;
  /** The tools that the definition's `tools` list names, with one predicate per entry. */
  readonly listed: readonly { readonly entry: string; readonly tool: string; readonly covers: (canonical: string) => boolean }[];
  /** Rules from `Tool(pattern)` entries of the tool list and from seed 004's capabilities: everything that a listed tool may do. */
  readonly granted: RuleSet | null;
  /** Tools named by the definition's own allow and ask rules; they are treated as listed. */
  readonly named: readonly ((canonical: string) => boolean)[];
  readonly excluded: readonly ((canonical: string) => boolean)[];
  /** Additional ceilings for the same calls. */
  readonly parts: readonly CompiledAgent[];
}

/** The settings of a policy, without its rules. */
export type PolicySettings = Omit<Policy, 'rules' | 'preset'>;
export type PresetSettings = Omit<Preset, 'rules'>;

export interface CompiledPolicy {
  readonly policy: PolicySettings;
  readonly rules: RuleSet;
  /** `rules`, followed by the preset's rules. */
  readonly bodies: readonly RuleSet[];
  /** The rule sets in `bodies` that ask or deny anything. */
  readonly restricting: readonly RuleSet[];
  /** Ask and deny rules that write out a command. */
  readonly restrictions: Restrictions;
  readonly preset: {
    readonly definition: PresetSettings;
    readonly rules: RuleSet;
    /** Whether one of its rules names a tool. */
    readonly names: (canonical: string) => boolean;
  } | null;
  /** Patterns of `protected.except`, compiled as allow rules over every path. */
  readonly except: RuleSet | null;
  readonly customTools: ReadonlyMap<string, CustomTool>;
  /** The ruling on a call that no rule and no preset decides. */
  readonly fallback: (subject: FallbackSubject) => Ruling;
  /** By normalised name; prepared on first use. */
  readonly agent: (name: string) => CompiledAgent | undefined;
  /** An overlay for this call (`--permissions-overlay`): an additional ceiling. */
  readonly overlay: { readonly rules: RuleSet; readonly config: PermissionsConfig } | null;
}

const index = (rules: readonly CompiledRuleData[]): RuleSet => indexRules(rules, toolsCovered);
const restricts = ({ rule }: CompiledRuleData) => rule.effect !== 'allow';
const ruleOf = ({ rule }: CompiledRuleData): PermissionRule => rule;

/** Indexes a policy's data for all look-ups of `decide`. */
export function readyPolicy(data: PolicyData): CompiledPolicy {
  const { preset } = data.policy;
  let restrictions: ReadonlyMap<string, readonly Restriction<PermissionRule>[]> | null = null;
  return assembled({
    policy: data.policy,
    rules: index(data.rules),
    restricts: data.rules.some(restricts),
    preset: preset && {
      definition: preset,
      rules: index(data.preset),
      restricts: data.preset.some(restricts),
      named: data.preset.map(({ rule }) => [rule.tool, rule.effect]),
    },
    except: data.except.length > 0 ? index(data.except) : null,
    restrictions: (name) => {
      restrictions ??= restrictionsByName([...data.rules, ...data.preset].map(ruleOf), (rule) => rule);
      return restrictions.get(name);
    },
    agents: agentsByName(data.agents),
    overlay: data.overlay && { config: data.overlay.config, rules: index(data.overlay.rules) },
  });
}

/** The parts of a compiled policy, wherever its rules are stored. */
export interface PolicyParts {
  readonly policy: PolicySettings;
  readonly rules: RuleSet;
  /** Whether any of the rules asks or denies. */
  readonly restricts: boolean;
  readonly preset: {
    readonly definition: PresetSettings;
    readonly rules: RuleSet;
    readonly restricts: boolean;
    readonly named: readonly (readonly [tool: string, effect: Effect])[];
  } | null;
  readonly except: RuleSet | null;
  readonly restrictions: (name: string) => readonly Restriction<PermissionRule>[] | undefined;
  readonly agents: (name: string) => AgentData | undefined;
  readonly overlay: CompiledPolicy['overlay'];
}

export function assembled({
  policy,
  rules,
  restricts,
  preset,
  except,
  restrictions,
  agents,
  overlay,
}: PolicyParts): CompiledPolicy {
  const customTools = new Map(policy.customTools.map((tool) => [tool.name.toLowerCase(), tool]));
  return {
    policy,
    rules,
    bodies: preset === null ? [rules] : [rules, preset.rules],
    restrictions: restrictionsFrom(restrictions),
    restricting: [...(restricts ? [rules] : []), ...(preset?.restricts ? [preset.rules] : [])],
    preset: preset && {
      definition: preset.definition,
      rules: preset.rules,
      names: (canonical) => preset.named.some(([tool, effect]) => toolsCovered(tool, effect)(canonical)),
    },
    except,
    customTools,
    fallback: rulingByTierOrDefault(policy, customTools),
    agent: readyAgents(agents),
    overlay,
  };
}

/** The definitions by normalised name; of several with the same name, the last. */
function agentsByName(agents: readonly AgentData[]): PolicyParts['agents'] {
  let byName: ReadonlyMap<string, AgentData> | null = null;
  return (name) => {
    byName ??= new Map(agents.map((agent) => [normalizeName(agent.definition.name), agent]));
    return byName.get(name);
  };
}

/** Prepares agents one by one: a call has at most one agent, and a project may have hundreds. */
function readyAgents(agents: PolicyParts['agents']): CompiledPolicy['agent'] {
  const ready = new Map<string, CompiledAgent>();
  return (name) => {
    const known = ready.get(name);
    if (known !== undefined) return known;
    const found = agents(name);
    if (found === undefined) return undefined;
    const agent = readyAgent(found);
    ready.set(name, agent);
    return agent;
  };
}

function readyAgent({ definition, rules, listed, granted, parts }: AgentData): CompiledAgent {
  const own = definition.permissions?.rules ?? [];
  return {
    definition,
    rules: rules && index(rules),
    listed: listed.map(({ entry, tool }) => ({ entry, tool, covers: toolsCovered(tool, 'allow') })),
    granted: granted && index(granted),
    named: own.filter((rule) => rule.effect !== 'deny').map((rule) => toolsCovered(rule.tool, 'allow')),
    excluded: definition.excludedTools.map((tool) => toolsCovered(toolOf(tool), 'deny')),
    parts: parts?.map(readyAgent) ?? [],
  };
}

/** The tool that an entry of a tool list names. */
export function toolOf(entry: string): string {
  const open = entry.indexOf('(');
  return (open < 0 ? entry : entry.slice(0, open)).trim();
}
