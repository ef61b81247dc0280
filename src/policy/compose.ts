/** From the layers' documents to one policy: rules are united, settings resolved, and everything ignored is reported. */
import type { Effect, PermissionRule } from '../rule/pattern/permission-rule.js';
import { inOrder, type Lock, lockOf, type PolicyLayer, ruleRefused } from './layers.js';
import {
  type ComposedPolicy,
  type CustomTool,
  ISOLATIONS,
  type LintIgnore,
  MODES,
  type PolicyNote,
  type PolicyProblem,
  TIERS,
  type Tier,
} from './policy.js';
import { choosePreset, fallbackEffect } from './preset-choice.js';
import { Resolution } from './resolve.js';
import type { Setting } from './settings.js';
import type { SettingKey } from './strictness.js';
import { isTotalRule } from './total-rule.js';

const isOfTheProject = ({ layer, trusted }: PolicyLayer) => trusted && (layer === 'project' || layer === 'local');

export interface ComposeOptions {
  /** The real path of the repository that the policy applies to; null outside a repository. */
  readonly repository: string | null;
  /** A person stated on the command line that this repository is trusted (`--trusted`); then preset all may be used. */
  readonly trustRepository?: boolean;
}

/**
 * Composes layers into one policy. Pure; the result depends on the names and order of the layers, not on where they came from.
 *
 * - Deny and ask rules are united. Allow rules of an untrusted layer are ignored, and its ask rules deny where an ask could
 *   permit what would be denied without them.
 * - Settings: the nearest trusted layer wins, but is never looser than the managed one; once locked, the strictest wins;
 *   untrusted layers can only add restrictions (strictness.ts).
 * - `trustedRepos`, `onAsk`, `mode` and `protected.except` are read from user and managed layers only.
 * - Preset all needs a trusted repository: otherwise a problem, and no preset. Preset develop from the user's own or the managed
 *   policy is read as safe in an untrusted project.
 *
 * Everything ignored gets a note with its place.
 */
export function composePolicy(
  layers: readonly PolicyLayer[],
  options: ComposeOptions,
): { readonly policy: ComposedPolicy; readonly problems: readonly PolicyProblem[] } {
  const ordered = inOrder(layers);
  const lock = lockOf(ordered);
  const { rules, notes } = unite(ordered, lock, strangersAsk(ordered, lock));
  const settings = new Resolution(ordered, lock);
  const { preset, problems, note } = choosePreset(settings, { ...options, hasOwnPolicy: ordered.some(isOfTheProject) });
  const off = agentsOff(settings);
  return {
    policy: {
      rules: off === null ? rules : [...rules, ...noAgents(off, ordered)],
      preset,
      default: MODES.find((mode) => mode === settings.value('default')) ?? null,
      tiers: tiersOf(settings),
      customTools: settings.members('custom_tools').map(({ value }) => value as CustomTool),
      agents: {
        missingTools: choice(settings, 'agents.missingTools', ['dialect', 'deny', 'inherit']),
        off: off?.source ?? null,
      },
      harmlessVariables: texts(settings.list('harmlessVariables')),
      protectedBranches: texts(settings.list('protectedBranches')),
      except: texts(settings.list('protected.except')),
      budget: {
        tokens: limit(settings.value('budget.tokens')),
        calls: limit(settings.value('budget.calls')),
        seconds: limit(settings.value('budget.seconds')),
        perAgent: perAgent(settings, 'budget.perAgent'),
        perAgentCalls: perAgent(settings, 'budget.perAgentCalls'),
        perAgentSeconds: perAgent(settings, 'budget.perAgentSeconds'),
      },
      onAsk: choice(settings, 'onAsk', ['ask', 'deny', 'allow']),
      locked: lock !== null,
      mode: choice(settings, 'mode', ['enforce', 'observe']),
      trustedRepos: texts(settings.list('trustedRepos')),
      sources: ordered.map(({ layer, trusted, document }) => ({ layer, file: document.file, trusted })),
      notes: [...notes, ...settings.notes, ...(note === null ? [] : [note])],
      sequential: {
        mode: choice(settings, 'sequential.mode', ['reject', 'queue']),
        maxConcurrent: limit(settings.value('sequential.maxConcurrent')) ?? 1,
      },
      run: { environment: texts(settings.list('run.environment')) },
      isolation: ISOLATIONS.find((one) => one === settings.value('isolation')) ?? null,
      log: { input: choice(settings, 'log.input', ['masked', 'none', 'full']) },
      hook: { grant: choice(settings, 'hook.grant', ['explicit', 'never']) },
      lint: {
        rules: Object.fromEntries(
          settings
            .members('lint.rules')
            .map(({ member, value }) => [member ?? '', word(value, ['warning', 'off', 'info', 'error'])]),
        ),
        ignores: settings.list('lint.ignores') as readonly LintIgnore[],
      },
    },
    problems,
  };
}

/** The rules of all layers that apply, and a note for each rule that does not. */
function unite(
  ordered: readonly PolicyLayer[],
  lock: Lock | null,
  ask: Effect,
): { rules: PermissionRule[]; notes: PolicyNote[] } {
  const rules: PermissionRule[] = [];
  const notes: PolicyNote[] = [];
  for (const layer of ordered) {
    for (const rule of layer.document.rules) {
      const refused = ruleRefused(rule, layer, lock, isTotalRule);
      if (refused !== null) notes.push(refused);
      else rules.push(rule.effect === 'ask' && ask !== 'ask' && !layer.trusted ? { ...rule, effect: ask } : rule);
    }
  }
  return { rules, notes };
}

/**
 * The effect of an ask rule from an untrusted layer. A written ask overrides tiers and default, so over a default that denies, it
 * would let a person be asked where nothing was to be asked; there it denies.
 */
function strangersAsk(ordered: readonly PolicyLayer[], lock: Lock | null): Effect {
  const trusted = ordered.filter((layer) => layer.trusted);
  if (trusted.length === ordered.length) return 'ask';
  return fallbackEffect(new Resolution(trusted, lock)) === 'deny' ? 'deny' : 'ask';
}

/** The setting that disables subagents; null if none does. */
function agentsOff(settings: Resolution): Setting | null {
  const enabled = settings.get('agents.enabled')?.setting;
  return enabled?.value === false ? enabled : null;
}

/**
 * The rules that deny every call which starts or wakes a subagent, once subagents are disabled; everything else about agents
 * stays the same.
 */
function noAgents({ source }: Setting, layers: readonly PolicyLayer[]): PermissionRule[] {
  const layer = layers.find(({ document }) => document.file === source.file)?.layer ?? 'managed';
  return ['Agent', 'ResumeAgent'].map((tool) => ({
    effect: 'deny',
    tool,
    pattern: null,
    text: tool,
    layer,
    source,
    reason: 'Subagents feature is disabled (agents.enabled: false).',
  }));
}

function tiersOf(settings: Resolution): Partial<Record<Tier, Effect>> {
  const tiers: Partial<Record<Tier, Effect>> = {};
  for (const tier of TIERS) {
    const value = settings.value(`tiers.${tier}`);
    if (value !== undefined) tiers[tier] = word(value, ['deny', 'ask', 'allow']);
  }
  return tiers;
}

/** The value of a setting with a fixed set of words; the first of `words` if no layer wrote it. */
function choice<Word extends string>(settings: Resolution, key: SettingKey, words: readonly [Word, ...Word[]]): Word {
  return word(settings.value(key), words);
}

/** The schema has checked the words; any other value is read as the first. */
function word<Word extends string>(value: unknown, words: readonly [Word, ...Word[]]): Word {
  return words.find((one) => one === value) ?? words[0];
}

/** The limits of each agent, by name. */
function perAgent(settings: Resolution, key: SettingKey): Readonly<Record<string, number>> {
  return Object.fromEntries(settings.members(key).map(({ member, value }) => [member ?? '', Number(value)]));
}

function limit(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function texts(values: readonly unknown[]): string[] {
  return values.map(String);
}
