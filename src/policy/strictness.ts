/** Which of two values of a setting is stricter: the table behind trust, the lock and managed bounds. */
import { MODES, PRESETS } from './policy.js';

/** Represents "no layer wrote it" wherever a value is compared. */
export const UNWRITTEN = Symbol('unwritten');

/**
 * The nature of a setting:
 * - `choice`: `stricter` maps a value to all values that it is at least as strict as; values not listed cannot be compared.
 * - `limit`: a number; lower is stricter, unwritten means `unwritten`.
 * - `union`: a list; every layer may add to it. `adding` states whether an entry tightens or loosens.
 * - `free`: no order; only trusted layers may write it.
 */
export type StrictnessOrder =
  | { readonly kind: 'choice'; readonly stricter: ReadonlyMap<unknown, ReadonlySet<unknown>>; readonly bypass: readonly string[] }
  | { readonly kind: 'limit'; readonly unwritten: number }
  | { readonly kind: 'union'; readonly adding: 'tightens' | 'loosens' }
  | { readonly kind: 'free' };

/** Settings that a repository may never write for itself, trusted or not. */
export const MANAGERS_ONLY: ReadonlySet<SettingKey> = new Set<SettingKey>(['mode', 'onAsk', 'trustedRepos', 'protected.except']);

/**
 * Dotted names of all settings; each member of a map (`budget.perAgent`, `lint.rules`) or named list (`custom_tools`) is a
 * separate setting.
 */
export type SettingKey = keyof typeof SETTINGS;

/** A total order from strict to loose. */
function chain(order: readonly unknown[], bypass: readonly string[] = []): StrictnessOrder {
  return { kind: 'choice', stricter: new Map(order.map((value, at) => [value, new Set(order.slice(at + 1))])), bypass };
}

/**
 * Modes have no total order: `plan` permits reads that `ask` asks about, and denies commands that `ask` asks about. Each is
 * listed with the modes that allow and ask at least as much for every call.
 */
const MODE_ORDER: StrictnessOrder = {
  kind: 'choice',
  stricter: new Map<unknown, ReadonlySet<unknown>>([
    ['deny', new Set([...MODES.filter((mode) => mode !== 'deny'), UNWRITTEN])],
    ['ask', new Set([UNWRITTEN, 'accept_edits', 'auto', 'allow'])],
    ['plan', new Set(['auto', 'allow'])],
    ['accept_edits', new Set(['auto', 'allow'])],
    ['auto', new Set(['allow'])],
    ['allow', new Set()],
  ]),
  bypass: ['allow', 'auto'],
};

// An unwritten tier falls through to the default; resolve.ts decides what is stricter than that.
const TIER: StrictnessOrder = chain(['deny', 'ask', 'allow'], []);

export const SETTINGS = {
  // Over no preset, preset-choice.ts lets readOnly and inspect only restrict.
  preset: chain([PRESETS[0], PRESETS[1], UNWRITTEN, PRESETS[2], PRESETS[3], PRESETS[4]], ['all']),
  default: MODE_ORDER,
  mode: chain(['enforce', UNWRITTEN, 'observe'], ['observe']),
  onAsk: chain(['deny', 'ask', UNWRITTEN, 'allow'], ['allow']),
  protectedBranches: { kind: 'union', adding: 'tightens' },
  harmlessVariables: { kind: 'union', adding: 'loosens' },
  trustedRepos: { kind: 'union', adding: 'loosens' },
  'protected.except': { kind: 'union', adding: 'loosens' },
  'agents.enabled': chain([false, UNWRITTEN, true]),
  'agents.missingTools': chain(['deny', 'dialect', UNWRITTEN, 'inherit']),
  'sequential.mode': chain(['reject', UNWRITTEN, 'queue']),
  'sequential.maxConcurrent': { kind: 'limit', unwritten: 1 },
  'run.environment': { kind: 'union', adding: 'loosens' },
  'budget.tokens': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'budget.calls': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'budget.seconds': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'budget.perAgent': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'budget.perAgentCalls': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'budget.perAgentSeconds': { kind: 'limit', unwritten: Number.POSITIVE_INFINITY },
  'tiers.safe': TIER,
  'tiers.moderate': TIER,
  'tiers.dangerous': TIER,
  // Compared by tier; an undeclared tool is left to the shipped tables, so declaring it is not stricter.
  custom_tools: chain([UNWRITTEN, 'dangerous', 'moderate', 'safe']),
  'security.disable_bypass_permissions': chain([true, UNWRITTEN, false]),
  'hook.grant': chain(['never', UNWRITTEN, 'explicit']),
  // A declaration, which decides no call; that of an untrusted layer does not apply.
  isolation: { kind: 'free' },
  'log.input': { kind: 'free' },
  'lint.rules': { kind: 'free' },
  'lint.ignores': { kind: 'union', adding: 'loosens' },
} as const satisfies Readonly<Record<string, StrictnessOrder>>;

/** True if `left` is certainly stricter than `right` for this setting; false also if they cannot be compared. */
export function isStricter(nature: StrictnessOrder, left: unknown, right: unknown): boolean {
  if (nature.kind === 'limit') {
    const numberOf = (value: unknown) => (typeof value === 'number' ? value : nature.unwritten);
    return numberOf(left) < numberOf(right);
  }
  return nature.kind === 'choice' && nature.stricter.get(left)?.has(right) === true;
}
