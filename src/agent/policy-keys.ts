/** The keys with which a definition restricts itself; the same in every dialect. */
import { parseEntry } from '../rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../rule/pattern/permission-rule.js';
import type { PermissionsConfig, ToolList } from './agent.js';
import { complain, type Fields, flagAt, listAt } from './fields.js';
import { buildPermissions } from './permissions.js';
import { modeAt } from './permissions-toml.js';
import { toolListOf } from './tool-list.js';

export const POLICY_KEYS: readonly string[] = [
  'include_tools',
  'exclude_tools',
  'read_only',
  'permission_mode',
  'allow',
  'deny',
  'ask',
];

/** The values of these keys. */
export interface OwnPolicy {
  readonly include: ToolList;
  readonly exclude: readonly string[];
  readonly readOnly: boolean;
  readonly permissions: PermissionsConfig | null;
}

/**
 * Reads the keys of one map: the top level of agent-code's dialect, the map `policy:` of every dialect. A mistake in any of them
 * is an error, since a misunderstood restriction would be lost.
 */
export function readOwnPolicy(fields: Fields): OwnPolicy {
  const include = listAt(fields, 'include_tools');
  return {
    include: toolListOf(include?.map((item) => item.text) ?? null),
    exclude: listAt(fields, 'exclude_tools')?.map((item) => item.text.trim()) ?? [],
    readOnly: flagAt(fields, 'read_only', true) ?? false,
    permissions: buildPermissions({
      mode: modeAt(fields, 'permission_mode'),
      allow: rulesAt(fields, 'allow'),
      deny: rulesAt(fields, 'deny'),
      ask: rulesAt(fields, 'ask'),
    }),
  };
}

/** Unknown keys in the map `policy:` are errors: a misspelled `denny` must not be silently ignored. */
export function refuseOtherKeys(fields: Fields): void {
  for (const key of fields.data.keys())
    if (!POLICY_KEYS.includes(key))
      complain(
        fields,
        key,
        'agent/unknown-policy-key',
        `Unknown key ${JSON.stringify(key.slice(0, 80))}; known here: ${POLICY_KEYS.join(', ')}.`,
      );
}

function rulesAt(fields: Fields, effect: Effect): PermissionRule[] {
  const rules: PermissionRule[] = [];
  for (const item of listAt(fields, effect) ?? []) {
    const entry = parseEntry(item.text);
    if (entry.ok)
      rules.push({
        effect,
        tool: entry.tool,
        pattern: entry.pattern,
        text: item.text.trim(),
        layer: 'agent',
        source: item.at(0),
      });
    else
      fields.reader.problems.push({ code: entry.code, message: entry.message, source: item.at(entry.offset), severity: 'error' });
  }
  return rules;
}
