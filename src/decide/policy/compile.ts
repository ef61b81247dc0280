/** Compiles a composed policy and its agents for `decide`. It uses micromatch and so is not part of the hook's code path. */

import type { AgentDefinition, PermissionsConfig } from '../../agent/agent.js';
import type { Policy } from '../../policy/policy.js';
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { compileAll } from '../../rule/rule-set.js';
import { type AgentData, type CompiledPolicy, type PolicyData, readyPolicy, toolOf } from './policy-data.js';

export type { CompiledAgent, CompiledPolicy } from './policy-data.js';

const compiled = (rules: readonly PermissionRule[]): CompiledRuleData[] => compileAll(rules, toolsCovered);

/** Compiles a policy for `decide`; `agents` are all definitions that may call, `overlay` is an additional ceiling. */
export function compilePolicy(
  policy: Policy,
  agents: readonly AgentDefinition[] = [],
  overlay: PermissionsConfig | null = null,
): CompiledPolicy {
  return readyPolicy(compileToData(policy, agents, overlay));
}

/** The first half of `compilePolicy`: everything that a snapshot has to contain, with every pattern compiled. */
export function compileToData(policy: Policy, agents: readonly AgentDefinition[], overlay: PermissionsConfig | null): PolicyData {
  return {
    policy: { ...policy, rules: [], preset: policy.preset && { ...policy.preset, rules: [] } },
    rules: compiled(policy.rules),
    preset: compiled(policy.preset?.rules ?? []),
    except: compiled(policy.except.map(exception)),
    agents: agents.map(agentData),
    overlay: overlay && { config: overlay, rules: compiled(overlay.rules) },
  };
}

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

/** Prepares one agent definition as the ceiling of its calls. */
export function agentData({ parts, ...definition }: AgentDefinition): AgentData {
  const entries = definition.tools.state === 'listed' ? definition.tools.tools : [];
  const restricted = [...entries.flatMap((entry) => listRule(entry, definition)), ...capabilityRules(definition)];
  return {
    definition: { ...definition, body: null },
    rules: definition.permissions && compiled(definition.permissions.rules),
    listed: entries.map((entry) => ({ entry, tool: toolOf(entry) })),
    granted: restricted.length > 0 || definition.capabilities ? compiled(restricted) : null,
    ...(parts !== undefined && { parts: parts.map(agentData) }),
  };
}

/** `Bash(git diff:*)` in a tool list grants only that part of the tool; a bare name grants all of it. */
function listRule(entry: string, definition: AgentDefinition): PermissionRule[] {
  const open = entry.indexOf('(');
  const close = entry.lastIndexOf(')');
  const pattern = open < 0 || close < open ? null : entry.slice(open + 1, close).trim();
  return [agentRule('allow', toolOf(entry), pattern === '' ? null : pattern, definition)];
}

/** Seed 004: `tools.shell.exec`, `tools.fs`, `tools.net` as rules. */
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
