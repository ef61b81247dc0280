/** The settings of rules/risky-settings.yaml in the files of a project, by the lint rule that reports them. */
import { isFields } from '../../call/fields.js';
import { data } from '../../generated/data.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { ConfigFile } from '../files/files.js';
import type { LintProject } from './project.js';

export interface RiskyValue {
  readonly file: ConfigFile;
  readonly data: NonNullable<ConfigFile['data']>;
  readonly pointer: string;
  /** The last name of the pointer. */
  readonly key: string;
  readonly value: string | number | boolean;
  /** Completes "KEY …": the effect of the setting. */
  readonly says: string;
}

interface SettingRule {
  readonly at: readonly string[];
  readonly if: string | boolean | readonly string[];
  readonly except?: readonly string[];
  readonly lint?: string;
  readonly says: string;
}

/** At most this many values of one file are examined. */
const MOST = 200;

const settingsOf = data('risky-settings') as {
  readonly runners: Readonly<Record<string, { readonly settings: readonly SettingRule[] }>>;
};

/** Returns every value that the data assigns to a rule, in all settings files of runners. */
export function riskyValues(project: LintProject, ruleId: string): RiskyValue[] {
  return project.configs.flatMap((file) => {
    const { runner, data: located, config } = file;
    if (runner === null || located === null || !SETTINGS.has(config) || !Object.hasOwn(settingsOf.runners, runner)) return [];
    const rules = settingsOf.runners[runner]?.settings.filter(({ lint }) => lint === ruleId) ?? [];
    const found = rules.flatMap((rule) =>
      rule.at
        .flatMap((at) => valuesAt(located.root, at.split('.'), ''))
        .flatMap(({ pointer, value }): RiskyValue[] => {
          const list = rule.if === 'without-defaults' && Array.isArray(value) && !value.includes('$defaults');
          if (!list && !(isScalar(value) && isRisky(value, rule))) return [];
          return [
            {
              file,
              data: located,
              pointer,
              key: pointer.slice(pointer.lastIndexOf('/') + 1),
              value: isScalar(value) ? value : '',
              says: rule.says,
            },
          ];
        }),
    );
    return found.slice(0, MOST);
  });
}

/** Kinds of files that contain a runner's settings, as opposed to its hooks, plugins and policies. */
const SETTINGS: ReadonlySet<string> = new Set(['claude-settings', 'gemini-settings', 'qwen-settings', 'opencode-config']);

interface Found {
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns the values at a path of names, in which `*` is any name, `[*]` the name `*` and `[]` every member of a list. */
function valuesAt(value: unknown, names: readonly string[], pointer: string): Found[] {
  const [name, ...rest] = names;
  if (name === undefined) return [{ pointer, value }];
  if (name === '[]')
    return Array.isArray(value)
      ? value.slice(0, MOST).flatMap((one: unknown, at) => valuesAt(one, rest, pointerTo(pointer, at)))
      : [];
  if (!isFields(value)) return [];
  const keys = name === '*' ? Object.keys(value).slice(0, MOST) : [name === '[*]' ? '*' : name];
  return keys.flatMap((key) => (Object.hasOwn(value, key) ? valuesAt(value[key], rest, pointerTo(pointer, key)) : []));
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isRisky(value: string | number | boolean, { if: wanted, except = [] }: SettingRule): boolean {
  if (typeof value === 'string' && except.includes(value)) return false;
  if (wanted === 'any') return value !== '' && value !== false;
  if (wanted === 'address') return value !== '' && value !== false;
  if (wanted === 'search-path') return typeof value === 'string' && !/^\$(?:PATH|\{PATH\}):[^$]*$/.test(value);
  return Array.isArray(wanted) ? wanted.includes(String(value)) : value === wanted;
}
