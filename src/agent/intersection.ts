/** What two definitions of one name have in common: used where it is not certain which of them the runner takes (C20). */
import type { AgentCapabilities, AgentDefinition } from './agent.js';
import { composePermissions } from './permissions.js';
import { meetToolLists } from './tool-list.js';

/** `left`, narrowed so that nothing passes that `right` would not let pass. Invalid or disabled when one of them is. */
export function intersectDefinitions(left: AgentDefinition, right: AgentDefinition): AgentDefinition {
  const invalid = left.status === 'invalid' || right.status === 'invalid';
  const disabled = left.status === 'disabled' || right.status === 'disabled';
  return {
    ...left,
    tools: meetToolLists(left.tools, right.tools),
    excludedTools: [...new Set([...left.excludedTools, ...right.excludedTools])],
    permissions:
      left.permissions === null || right.permissions === null
        ? (left.permissions ?? right.permissions)
        : composePermissions(left.permissions, right.permissions),
    readOnly: left.readOnly || right.readOnly,
    capabilities:
      left.capabilities === null || right.capabilities === null
        ? (left.capabilities ?? right.capabilities)
        : meetCapabilities(left.capabilities, right.capabilities),
    status: invalid ? 'invalid' : disabled ? 'disabled' : 'active',
    errors: [...left.errors, ...right.errors],
  };
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

/** `true` leaves the other side as it is; of two lists only what is written in both is certain. */
function meetGrants(left: Grant, right: Grant): Grant {
  if (left === true) return right;
  if (right === true) return left;
  if (left === false || right === false) return false;
  return both(left, right);
}

function both(left: readonly string[], right: readonly string[]): string[] {
  return left.filter((one) => right.includes(one));
}
