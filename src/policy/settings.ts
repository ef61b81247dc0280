/** A validated policy file as a flat list of settings, each with its place. */
import type { SourcePosition } from '../rule/pattern/permission-rule.js';
import { pointerTo } from './read/pointer.js';
import { SETTINGS, type SettingKey } from './strictness.js';

export interface Setting {
  readonly key: SettingKey;
  /** The entry of a map or named list (`researcher` of budget.perAgent); null for all others. */
  readonly member: string | null;
  /** As in the schema; for `custom_tools` one whole entry, for lists the whole list. */
  readonly value: unknown;
  readonly source: SourcePosition;
}

const BY_MEMBER: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'budget.perAgent',
  'budget.perAgentCalls',
  'budget.perAgentSeconds',
  'lint.rules',
]);

/** Flattens `data`, which the schema has accepted; `place` returns the position of a JSON pointer's value. */
export function settingsOf(data: Readonly<Record<string, unknown>>, place: (pointer: string) => SourcePosition): Setting[] {
  return settingKeys().flatMap((key): Setting[] => {
    const pointer = `/${key.replace('.', '/')}`;
    const value = memberAt(data, key);
    if (value === undefined) return [];
    if (BY_MEMBER.has(key))
      return members(value).map(([name, inner]) => ({
        key,
        member: name,
        value: inner,
        source: place(pointerTo(pointer, name)),
      }));
    if (key === 'custom_tools')
      return tools(value).map(([name, tool], index) => ({
        key,
        member: name,
        value: tool,
        source: place(pointerTo(pointer, index)),
      }));
    return [{ key, member: null, value, source: place(pointer) }];
  });
}

/** All setting names; `Object.keys` loses their type. */
export function settingKeys(): SettingKey[] {
  return Object.keys(SETTINGS).filter((key): key is SettingKey => Object.hasOwn(SETTINGS, key));
}

/** The value at a dotted name, own members only. */
function memberAt(data: Readonly<Record<string, unknown>>, key: string): unknown {
  let value: unknown = data;
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

function members(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function tools(value: unknown): [string, unknown][] {
  if (!Array.isArray(value)) return [];
  return value.map((tool: unknown) => [String(memberAt(Object(tool), 'name')), tool]);
}
