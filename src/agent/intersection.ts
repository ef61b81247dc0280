/** The intersection of two definitions of one name, used if it is not certain which of them the runner uses. */
import { describeTool } from '../call/catalogue.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import type { AgentCapabilities, AgentDefinition, PermissionsConfig } from './agent.js';
import { composePermissions } from './permissions.js';
import { meetToolLists, toolOfEntry } from './tool-list.js';

/** Returns `left`, narrowed to what `right` also allows. Invalid or disabled if one of them is. */
export function intersectDefinitions(left: AgentDefinition, right: AgentDefinition): AgentDefinition {
  const invalid = left.status === 'invalid' || right.status === 'invalid';
  const disabled = left.status === 'disabled' || right.status === 'disabled';
  return {
    ...left,
    tools: meetToolLists(left.tools, right.tools),
    excludedTools: [...new Set([...left.excludedTools, ...right.excludedTools])],
    permissions: bothPermissions(permissionsWithin(left, right), permissionsWithin(right, left)),
    readOnly: left.readOnly || right.readOnly,
    capabilities:
      left.capabilities === null || right.capabilities === null
        ? (left.capabilities ?? right.capabilities)
        : meetCapabilities(left.capabilities, right.capabilities),
    status: invalid ? 'invalid' : disabled ? 'disabled' : 'active',
    errors: [...left.errors, ...right.errors],
    parts: [...(left.parts ?? [left]), ...(right.parts ?? [right])],
  };
}

function bothPermissions(left: PermissionsConfig | null, right: PermissionsConfig | null): PermissionsConfig | null {
  return left === null || right === null ? (left ?? right) : composePermissions(left, right);
}

/** Returns the rules of one side, without those for tools that the other side lacks: a rule that names a tool adds it to the list. */
function permissionsWithin({ permissions }: AgentDefinition, other: AgentDefinition): PermissionsConfig | null {
  if (permissions === null || other.tools.state === 'absent') return permissions;
  return { ...permissions, rules: permissions.rules.filter((rule) => rule.effect === 'deny' || hasTool(other, rule.tool)) };
}

function hasTool({ tools, permissions }: AgentDefinition, name: string): boolean {
  const listed = tools.state === 'listed' ? tools.tools.map(toolOfEntry) : [];
  const named = permissions?.rules.flatMap(({ effect, tool }) => (effect === 'deny' ? [] : [tool])) ?? [];
  const canonical = describeTool(name).canonical;
  return [...listed, ...named].some((one) => one === name || (!name.includes('*') && toolsCovered(one, 'allow')(canonical)));
}

function meetCapabilities(left: AgentCapabilities, right: AgentCapabilities): AgentCapabilities {
  return {
    mcp: both(left.mcp, right.mcp),
    read: meetGrants(left.read, right.read),
    write: meetGrants(left.write, right.write),
    net: both(left.net, right.net),
    shell: both(left.shell, right.shell),
  };
}

type Grant = AgentCapabilities['read'];

/** `true` leaves the other side unchanged; of two lists, only the common entries are certain. */
function meetGrants(left: Grant, right: Grant): Grant {
  if (left === true) return right;
  if (right === true) return left;
  if (left === false || right === false) return false;
  return both(left, right);
}

function both(left: readonly string[], right: readonly string[]): string[] {
  return left.filter((one) => right.includes(one));
}
