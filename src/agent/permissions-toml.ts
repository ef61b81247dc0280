/** Permissions as TOML: the overlay file that agent-code accepts with `--permissions-overlay`. */

import { isFields } from '../call/fields.js';
import { MODES, type Mode, type PolicyProblem } from '../policy/policy.js';
import { parseLocated } from '../policy/read/located.js';
import { pointerTo } from '../policy/read/pointer.js';
import { parseEntry, printEntry } from '../rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../rule/pattern/permission-rule.js';
import type { PermissionsConfig } from './agent.js';
import { complain, type Fields, fieldReader, fieldsOf, listAt } from './fields.js';

/** Returns the TOML of permissions; `permissionsFromToml` returns the same permissions (apart from places). */
export function permissionsToToml(permissions: PermissionsConfig): string {
  const lines = ['[permissions]', `default_mode = ${basicString(permissions.defaultMode)}`];
  if (permissions.allowedTools !== null) lines.push(`allowed_tools = ${listOf(permissions.allowedTools)}`);
  if (permissions.disallowedTools.length > 0) lines.push(`disallowed_tools = ${listOf(permissions.disallowedTools)}`);
  for (const { tool, pattern, effect } of permissions.rules) {
    lines.push('', '[[permissions.rules]]', `tool = ${basicString(tool)}`);
    if (pattern !== null) lines.push(`pattern = ${basicString(pattern)}`);
    lines.push(`action = ${basicString(effect)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns a TOML basic string: JSON's escapes, plus DEL, and no lone surrogates. */
function basicString(text: string): string {
  const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  return JSON.stringify(whole).replaceAll('\u007f', '\\u007f');
}

function listOf(texts: readonly string[]): string {
  return `[${texts.map(basicString).join(', ')}]`;
}

/** `permissions` is null if and only if there are problems. */
export interface ReadPermissions {
  readonly permissions: PermissionsConfig | null;
  readonly problems: readonly PolicyProblem[];
}

/**
 * Reads an overlay file. Everything unreadable is a problem: an overlay that falls back to the parent's permissions would
 * silently loosen them. Never throws.
 */
export function permissionsFromToml(text: string, file: string): ReadPermissions {
  const located = parseLocated(text, 'toml');
  if (!located.ok) {
    const { code, message, line, column } = located.problem;
    return { permissions: null, problems: [{ code, message, source: { file, line, column } }] };
  }
  const reader = fieldReader(located, file, 1);
  const root = fieldsOf(located.data, '', reader);
  onlyKeys(root, ['permissions']);
  const table = root.data.get('permissions');
  if (!isFields(table)) {
    const message = 'An overlay has a table [permissions]; without it there is nothing to apply.';
    complain(root, 'permissions', 'overlay/no-permissions', message);
    return { permissions: null, problems: reader.problems };
  }
  const fields = fieldsOf(table, '/permissions', reader);
  onlyKeys(fields, ['default_mode', 'allowed_tools', 'disallowed_tools', 'rules']);
  const permissions = {
    rules: rulesAt(fields, file),
    defaultMode: modeAt(fields, 'default_mode') ?? 'ask',
    allowedTools: listAt(fields, 'allowed_tools')?.map((item) => item.text) ?? null,
    disallowedTools: listAt(fields, 'disallowed_tools')?.map((item) => item.text) ?? [],
  };
  return reader.problems.length > 0 ? { permissions: null, problems: reader.problems } : { permissions, problems: [] };
}

function onlyKeys(fields: Fields, known: readonly string[]): void {
  for (const key of fields.data.keys())
    if (!known.includes(key))
      complain(
        fields,
        key,
        'overlay/unknown-key',
        `Unknown key ${JSON.stringify(key.slice(0, 80))}; known here: ${known.join(', ')}.`,
      );
}

/** Returns the mode at a key; null if it is absent. An unknown one is a mistake, and is treated as `deny`. */
export function modeAt(fields: Fields, key: string): Mode | null {
  const value = fields.data.get(key);
  if (value === undefined) return null;
  const mode = MODES.find((one) => one === value);
  if (mode !== undefined) return mode;
  complain(
    fields,
    key,
    'agent/unknown-mode',
    `Unknown mode ${JSON.stringify(value)?.slice(0, 80)}; known are ${MODES.join(', ')}.`,
  );
  return 'deny';
}

/** A rule's action: upstream allows any mode there; modes that are no effects are mapped to the stricter neighbor. */
const ACTIONS: Readonly<Record<Mode, Effect>> = {
  allow: 'allow',
  ask: 'ask',
  deny: 'deny',
  plan: 'deny',
  accept_edits: 'ask',
  auto: 'ask',
};

function rulesAt(fields: Fields, file: string): PermissionRule[] {
  const value = fields.data.get('rules');
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    complain(fields, 'rules', 'overlay/not-a-list', '`rules` has to be a list of tables: [[permissions.rules]].');
    return [];
  }
  const rules: PermissionRule[] = [];
  for (const [index, item] of value.entries()) {
    const rule = ruleOf(fieldsOf(item, pointerTo(`${fields.pointer}/rules`, index), fields.reader), file);
    if (rule !== null) rules.push(rule);
  }
  return rules;
}

function ruleOf(fields: Fields, file: string): PermissionRule | null {
  onlyKeys(fields, ['tool', 'pattern', 'action']);
  const tool = fields.data.get('tool');
  const pattern = fields.data.get('pattern') ?? null;
  const action = modeAt(fields, 'action');
  if (typeof tool !== 'string' || (pattern !== null && typeof pattern !== 'string')) {
    complain(fields, 'tool', 'overlay/rule', 'A rule has a text `tool`, and may have a text `pattern`.');
    return null;
  }
  if (action === null) {
    complain(fields, 'action', 'overlay/rule', 'A rule has an `action`: allow, ask or deny.');
    return null;
  }
  const text = printEntry({ tool, pattern });
  const entry = parseEntry(text);
  if (!entry.ok) {
    complain(fields, 'tool', entry.code, entry.message);
    return null;
  }
  if (entry.tool !== tool.trim()) {
    complain(fields, 'tool', 'overlay/rule', 'A `tool` is a name alone; its pattern stands under `pattern`.');
    return null;
  }
  const { line, column } = fields.reader.keyAt(`${fields.pointer}/tool`);
  return {
    effect: ACTIONS[action],
    tool: entry.tool,
    pattern: entry.pattern,
    text,
    layer: 'overlay',
    source: { file, line, column },
  };
}
