/** An agent's own permissions: built from entries, composed so that they only add restrictions, or replaced by another agent's. */
import { describeTool } from '../call/catalogue.js';
import type { Mode } from '../policy/policy.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import type { PermissionsConfig } from './agent.js';
import { meetTools } from './tool-list.js';

export { permissionsFromToml, permissionsToToml } from './permissions-toml.js';

/** The permission keys of a definition; null for an absent key. */
export interface PermissionFields {
  readonly mode: Mode | null;
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
}

/**
 * Returns the permissions of a definition: null if it has none (it inherits), mode `ask` if it names none, rules in the order
 * allow, deny, ask (the order has no meaning).
 */
export function buildPermissions({ mode, allow, deny, ask }: PermissionFields): PermissionsConfig | null {
  if (mode === null && allow.length === 0 && deny.length === 0 && ask.length === 0) return null;
  return { rules: [...allow, ...deny, ...ask], defaultMode: mode ?? 'ask', allowedTools: null, disallowedTools: [] };
}

/**
 * Restricts `host` by `overlay`: no call is granted more than by either of them. Deny and ask rules are united; an allow rule
 * stays if the other side allows at least as much; tool lists are intersected (null is unrestricted, an empty list allows none);
 * the mode is the stricter one.
 */
export function composePermissions(host: PermissionsConfig, overlay: PermissionsConfig): PermissionsConfig {
  const closing = [...host.rules, ...overlay.rules].filter((rule) => rule.effect !== 'allow');
  const opening = [...allowsWithin(host, overlay), ...allowsWithin(overlay, host)];
  return {
    rules: unique([
      ...closing.filter((rule) => rule.effect === 'deny'),
      ...closing.filter((rule) => rule.effect === 'ask'),
      ...opening,
    ]),
    defaultMode: stricterMode(host.defaultMode, overlay.defaultMode),
    allowedTools: meetAllowed(host.allowedTools, overlay.allowedTools),
    disallowedTools: [...new Set([...host.disallowedTools, ...overlay.disallowedTools])],
  };
}

/** The complete replacement of the original design; the caller refuses it if the policy is locked. */
export function replacePermissions(_host: PermissionsConfig, overlay: PermissionsConfig): PermissionsConfig {
  return overlay;
}

function meetAllowed(left: readonly string[] | null, right: readonly string[] | null): readonly string[] | null {
  if (left === null || right === null) return left ?? right;
  return meetTools(left, right);
}

/** Returns the allow rules of one side that the other side grants as well. */
function allowsWithin(from: PermissionsConfig, other: PermissionsConfig): PermissionRule[] {
  return from.rules.filter((rule) => rule.effect === 'allow' && grants(other, rule));
}

function grants(config: PermissionsConfig, rule: PermissionRule): boolean {
  if (config.defaultMode === 'allow') return true;
  const { known, access, harmless } = describeTool(rule.tool);
  if (known && (config.defaultMode === 'plan' || config.defaultMode === 'auto') && (access === 'read' || harmless)) return true;
  if (known && (config.defaultMode === 'accept_edits' || config.defaultMode === 'auto') && access === 'write') return true;
  return config.rules.some((other) => other.effect === 'allow' && covers(other, rule));
}

/** True if `outer` certainly allows everything that `inner` does; in doubt the inner rule is dropped. */
function covers(outer: PermissionRule, inner: PermissionRule): boolean {
  if (outer.tool.toLowerCase() === inner.tool.toLowerCase() && outer.pattern === inner.pattern) return true;
  if (inner.tool.includes('*') && outer.tool !== '*') return false;
  if (!toolsCovered(outer.tool, 'allow')(describeTool(inner.tool).canonical) && outer.tool !== '*') return false;
  if (outer.pattern === null) return true;
  if (inner.pattern === null) return false;
  if (outer.pattern === inner.pattern) return true;
  // `git *` covers `git log *`, `src/**` covers `src/a/**`; a pattern with `..` is covered by none.
  const prefix = /^([^*?[\]{}\\!]+[ /])\*\*?$/.exec(outer.pattern)?.[1];
  return prefix !== undefined && inner.pattern.startsWith(prefix) && !inner.pattern.includes('..');
}

/** The kinds of calls that each mode allows, as sets: a mode is stricter than another if its set is a subset. */
const PASSES: Readonly<Record<Mode, readonly string[]>> = {
  allow: ['read', 'write', 'shell', 'ask'],
  auto: ['read', 'write', 'ask'],
  accept_edits: ['write', 'ask'],
  ask: ['ask'],
  plan: ['read'],
  deny: [],
};

/**
 * Returns the loosest mode that allows only what both modes allow. `plan` allows reads where `ask` asks, and denies where `ask`
 * asks: neither is a subset of the other, so their combination is `deny`.
 */
export function stricterMode(left: Mode, right: Mode): Mode {
  const both = PASSES[left].filter((what) => PASSES[right].includes(what));
  const modes: readonly Mode[] = ['allow', 'auto', 'accept_edits', 'plan', 'ask', 'deny'];
  return modes.find((mode) => PASSES[mode].length <= both.length && PASSES[mode].every((what) => both.includes(what))) ?? 'deny';
}

function unique(rules: readonly PermissionRule[]): PermissionRule[] {
  const seen = new Set<string>();
  return rules.filter((rule) => {
    const key = JSON.stringify([rule.effect, rule.tool, rule.pattern]);
    return !seen.has(key) && seen.add(key);
  });
}
