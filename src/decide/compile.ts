/** From a composed policy and its agents to what `decide` runs on: rules indexed, agents ready to be a ceiling. */

import type { AgentDefinition, PermissionsConfig } from '../agent/agent.js';
import { normalizeName } from '../agent/name.js';
import { toolsCovered } from '../call/catalogue.js';
import type { CustomTool, Policy, Preset } from '../policy/policy.js';
import type { PermissionRule } from '../rule/permission-rule.js';
import { compileRules, type RuleSet } from '../rule/rule-set.js';
import type { Claim } from './claim.js';
import { type FallbackSubject, policyFallback } from './scope.js';
import { type ClusterRules, clusterRules } from './spellings.js';

/** A rule set with what happens when none of its rules speaks. */
export interface CompiledAgent {
  readonly definition: AgentDefinition;
  /** The agent's own rules; null when it declares none. */
  readonly rules: RuleSet | null;
  /** What the definition's `tools` list names, one predicate per entry. */
  readonly listed: readonly { readonly entry: string; readonly tool: string; readonly covers: (canonical: string) => boolean }[];
  /** Rules made from `Tool(pattern)` entries of the tool list and from seed 004's capabilities: all a listed tool may do. */
  readonly granted: RuleSet | null;
  /** Tools named by the definition's own allow and ask rules; they count as listed. */
  readonly named: readonly ((canonical: string) => boolean)[];
  readonly excluded: readonly ((canonical: string) => boolean)[];
}

export interface CompiledPolicy {
  readonly policy: Policy;
  readonly rules: RuleSet;
  /** `rules`, and behind them those of the preset. */
  readonly bodies: readonly RuleSet[];
  /** Those of them that ask or deny anything. */
  readonly restricting: readonly RuleSet[];
  /** Ask and deny rules that write out short options. */
  readonly clusters: ClusterRules;
  readonly preset: {
    readonly definition: Preset;
    readonly rules: RuleSet;
    readonly named: readonly ((canonical: string) => boolean)[];
  } | null;
  /** Patterns of `protected.except`, compiled as allow rules over every path. */
  readonly except: RuleSet | null;
  readonly customTools: ReadonlyMap<string, CustomTool>;
  /** What happens to a call that no rule and no preset settles. */
  readonly fallback: (subject: FallbackSubject) => Claim;
  readonly agents: ReadonlyMap<string, CompiledAgent>;
  /** An overlay given for this call (`--permissions-overlay`): a further ceiling. */
  readonly overlay: { readonly rules: RuleSet; readonly config: PermissionsConfig } | null;
}

function index(rules: readonly PermissionRule[]): RuleSet {
  return compileRules(rules, toolsCovered);
}

/** Compiles a policy for `decide`; `agents` are all definitions that may call, `overlay` is an extra ceiling. */
export function compilePolicy(
  policy: Policy,
  agents: readonly AgentDefinition[] = [],
  overlay: PermissionsConfig | null = null,
): CompiledPolicy {
  const preset = policy.preset;
  const customTools = new Map(policy.customTools.map((tool) => [tool.name.toLowerCase(), tool]));
  const rules = index(policy.rules);
  const presetRules = preset && index(preset.rules);
  return {
    policy,
    rules,
    bodies: presetRules === null ? [rules] : [rules, presetRules],
    clusters: clusterRules([...policy.rules, ...(preset?.rules ?? [])]),
    restricting: [
      ...(policy.rules.some(restricts) ? [rules] : []),
      ...(presetRules !== null && preset?.rules.some(restricts) ? [presetRules] : []),
    ],
    preset: preset &&
      presetRules && {
        definition: preset,
        rules: presetRules,
        named: preset.rules.map((rule) => toolsCovered(rule.tool, rule.effect)),
      },
    except: policy.except.length > 0 ? index(policy.except.map(exception)) : null,
    customTools,
    fallback: policyFallback(policy, customTools),
    agents: new Map(agents.map((agent) => [normalizeName(agent.name), compileAgent(agent)])),
    overlay: overlay && { config: overlay, rules: index(overlay.rules) },
  };
}

const restricts = (rule: PermissionRule) => rule.effect !== 'allow';

function exception(pattern: string): PermissionRule {
  return {
    effect: 'allow',
    tool: '*',
    pattern,
    text: pattern,
    layer: 'user',
    source: { file: 'protected.except', line: 1, column: 1 },
  };
}

/** Prepares one agent definition to be the ceiling of its calls. */
function compileAgent(definition: AgentDefinition): CompiledAgent {
  const entries = definition.tools.state === 'listed' ? definition.tools.tools : [];
  const listed = entries.map((entry) => ({ entry, tool: toolOf(entry), covers: toolsCovered(toolOf(entry), 'allow') }));
  const restricted = [...entries.flatMap((entry) => listRule(entry, definition)), ...capabilityRules(definition)];
  const own = definition.permissions?.rules ?? [];
  return {
    definition,
    rules: definition.permissions && index(own),
    listed,
    granted: restricted.length > 0 || definition.capabilities ? index(restricted) : null,
    named: own.filter((rule) => rule.effect !== 'deny').map((rule) => toolsCovered(rule.tool, 'allow')),
    excluded: definition.excludedTools.map((tool) => toolsCovered(toolOf(tool), 'deny')),
  };
}

function toolOf(entry: string): string {
  const open = entry.indexOf('(');
  return (open < 0 ? entry : entry.slice(0, open)).trim();
}

/** `Bash(git diff:*)` in a tool list grants that much of the tool; a bare name grants all of it. */
function listRule(entry: string, definition: AgentDefinition): PermissionRule[] {
  const open = entry.indexOf('(');
  const close = entry.lastIndexOf(')');
  const pattern = open < 0 || close < open ? null : entry.slice(open + 1, close).trim();
  return [agentRule('allow', toolOf(entry), pattern === '' ? null : pattern, definition)];
}

/** Seed 004 (R272): `tools.shell.exec`, `tools.fs`, `tools.net` as rules. */
function capabilityRules(definition: AgentDefinition): PermissionRule[] {
  const capabilities = definition.capabilities;
  if (!capabilities) return [];
  const rules: PermissionRule[] = [];
  const paths = (tool: string, grant: boolean | readonly string[]) => {
    if (grant === true) rules.push(agentRule('allow', tool, '**', definition));
    else if (grant !== false)
      for (const path of grant)
        rules.push(agentRule('allow', tool, `${path.replace(/^\.\//, '/').replace(/\/$/, '')}/**`, definition));
  };
  paths('Read', capabilities.read);
  paths('Edit', capabilities.write);
  for (const tool of ['Grep', 'Glob', 'LS'])
    if (capabilities.read !== false) rules.push(agentRule('allow', tool, null, definition));
  for (const command of capabilities.shell) rules.push(agentRule('allow', 'Bash', `${command} *`, definition));
  for (const url of capabilities.net) rules.push(agentRule('allow', 'WebFetch', url, definition));
  for (const tool of capabilities.mcp) rules.push(agentRule('allow', tool, null, definition));
  return rules;
}

function agentRule(effect: 'allow', tool: string, pattern: string | null, definition: AgentDefinition): PermissionRule {
  return {
    effect,
    tool,
    pattern,
    text: pattern === null ? tool : `${tool}(${pattern})`,
    layer: 'agent',
    source: definition.source,
  };
}
