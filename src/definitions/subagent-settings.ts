/**
 * Switches for subagents outside the policy: `[subagents]` in the user's `~/.codex/config.toml` (`enabled`, `default_model`, `discovery`),
 * and the variables that override its `enabled`. Only commands that a person types read them: the hook uses nothing from the environment.
 */
import { join } from 'node:path';
import { envBool } from '../agent/feature-flag.js';
import { readText } from '../disk/read.js';
import { type Located, parseLocated } from '../policy/read/located.js';
import type { SourcePosition } from '../rule/pattern/permission-rule.js';

export interface SubagentSettings {
  /** Where subagents are switched off, as text for a person; null: they are on. */
  readonly off: string | null;
  /** The model of Codex agents that name none. */
  readonly defaultModel: string | null;
  /** `manual`: no agent is suggested. */
  readonly discovery: 'auto' | 'manual';
  /** Settings that could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/** The program's own variable comes first. */
const VARIABLES = ['POLICY_SUBAGENTS_ENABLED', 'CODEX_SUBAGENTS_ENABLED'] as const;
const DISCOVERY = ['auto', 'manual'] as const;

/**
 * Reads the switches.
 * @param policyOff where the policy switches subagents off: no variable or other file switches them on again
 */
export function subagentSettings(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  policyOff: SourcePosition | null,
): SubagentSettings {
  const problems: string[] = [];
  const { enabled, ...rest } = codexSettings(join(home, '.codex', 'config.toml'), problems);
  const fromEnvironment = switchOf(environment, problems);
  const off = policyOff === null ? null : `${policyOff.file}:${policyOff.line}`;
  return { off: off ?? (fromEnvironment ?? enabled).off, ...rest, problems };
}

interface Switch {
  /** Where it is switched off; null: it is on. */
  readonly off: string | null;
}

function switchOf(environment: Readonly<Record<string, string | undefined>>, problems: string[]): Switch | null {
  for (const name of VARIABLES) {
    const value = environment[name];
    if (value === undefined || value === '') continue;
    const on = envBool(value);
    if (on !== null) return { off: on ? null : name };
    problems.push(`${name} is ${JSON.stringify(value.slice(0, 40))}; it has to be 1 or 0, so it is ignored`);
  }
  return null;
}

const ON: Switch = { off: null };
const DEFAULTS = { enabled: ON, defaultModel: null, discovery: 'auto' } as const;

function codexSettings(
  file: string,
  problems: string[],
): Pick<SubagentSettings, 'defaultModel' | 'discovery'> & { readonly enabled: Switch } {
  const text = readText(file);
  if (!text.ok) {
    if (text.code !== 'missing') problems.push(`${file} ${text.message}; its [subagents] are not known`);
    return DEFAULTS;
  }
  const read = parseLocated(text.text, 'toml');
  if (!read.ok) {
    problems.push(`${file}:${read.problem.line}: ${read.problem.message} Its [subagents] are not known.`);
    return DEFAULTS;
  }
  const settings = fieldOf(read.data, 'subagents');
  const wrong = (key: string, has: string) =>
    problems.push(`${file}:${read.keyAt(`/subagents/${key}`).line}: subagents.${key} has to be ${has}; it is ignored`);
  return {
    enabled: enabledOf(settings, file, read, wrong),
    defaultModel: modelOf(settings, wrong),
    discovery: discoveryOf(settings, wrong),
  };
}

type Complain = (key: string, has: string) => void;

function enabledOf(settings: unknown, file: string, read: Located, wrong: Complain): Switch {
  const value = fieldOf(settings, 'enabled');
  if (value === false) return { off: `${file}:${read.keyAt('/subagents/enabled').line}` };
  if (value !== undefined && value !== true) wrong('enabled', 'true or false');
  return ON;
}

function modelOf(settings: unknown, wrong: Complain): string | null {
  const value = fieldOf(settings, 'default_model');
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (value !== undefined) wrong('default_model', 'text');
  return null;
}

function discoveryOf(settings: unknown, wrong: Complain): SubagentSettings['discovery'] {
  const value = fieldOf(settings, 'discovery');
  const known = DISCOVERY.find((one) => one === value);
  if (value !== undefined && known === undefined) wrong('discovery', 'auto or manual');
  return known ?? 'auto';
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
