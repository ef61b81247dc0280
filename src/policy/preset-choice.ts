/** The preset of a composed policy: which one applies, whether it needs trust, and what remains of an untrusted one. */
import { type Effect, strictest } from '../rule/pattern/permission-rule.js';
import { note } from './layers.js';
import { type Mode, type PolicyNote, type PolicyProblem, PRESETS, type Preset, TIERS } from './policy.js';
import { presetNamed, requiresTrust } from './presets.js';
import type { Resolution } from './resolve.js';

export interface PresetChoice {
  readonly preset: Preset | null;
  readonly problems: readonly PolicyProblem[];
  /** Set when a preset was reduced to its restrictions. */
  readonly note: PolicyNote | null;
}

interface TrustOptions {
  readonly repository: string | null;
  readonly trustRepository?: boolean;
}

/**
 * Chooses the preset. Preset all for a repository that is neither in `trustedRepos` nor trusted on the command line is a problem and yields
 * no preset. A preset that only untrusted layers wrote is reduced so that it permits nothing that would not be permitted without it.
 */
export function choosePreset(settings: Resolution, options: TrustOptions & { readonly hasOwnPolicy: boolean }): PresetChoice {
  const resolved = settings.get('preset');
  const name = PRESETS.find((one) => one === resolved?.setting.value);
  if (resolved === undefined || name === undefined) return { preset: null, problems: [], note: null };
  const { source } = resolved.setting;
  if (requiresTrust(name) && !isTrusted(settings.list('trustedRepos'), options)) {
    const message =
      'Preset all needs a trusted repository; put its real path under trustedRepos in your user policy, or choose preset safe.';
    return { preset: null, problems: [{ code: 'preset/all-untrusted', message, source }], note: null };
  }
  if (
    name === 'develop' &&
    (resolved.layer === 'user' || resolved.layer === 'managed') &&
    !options.hasOwnPolicy &&
    !isTrusted(settings.list('trustedRepos'), options)
  )
    return { preset: presetNamed('safe'), problems: [], note: note('preset/develop-untrusted', STRANGER, source) };
  const preset = presetNamed(name);
  if (!resolved.untrusted) return { preset, problems: [], note: null };
  const limited = restricting(preset, fallbackEffect(settings));
  const message = `Preset ${name} comes from a file that is not trusted; it only restricts what would pass without it.`;
  return { preset: limited, problems: [], note: note('layer/untrusted-preset', message, source) };
}

function isTrusted(trustedRepos: readonly unknown[], options: TrustOptions): boolean {
  if (options.trustRepository === true) return true;
  const { repository } = options;
  return repository !== null && trustedRepos.some((path) => withoutSlash(String(path)) === withoutSlash(repository));
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Develop runs the project's code, and in a freshly cloned repository that code is a stranger's. */
const STRANGER =
  'Preset develop counts as safe here: it would run the code of a project that nobody trusts yet; `policy init` or `policy trust` changes that.';

/**
 * The preset with its allowances lowered to the effect of the rest of the policy, and without proven reads and those of this
 * machine's services.
 */
function restricting(preset: Preset, effect: Effect): Preset {
  const rules = preset.rules.map((rule) => ({ ...rule, effect: strictest([rule.effect, effect]) }));
  return { ...preset, rules, provenReads: false, loopbackReads: false, temporary: false, leaves: null };
}

const EFFECT_OF_MODE: Readonly<Record<Mode, Effect>> = {
  allow: 'allow',
  auto: 'ask',
  accept_edits: 'ask',
  ask: 'ask',
  plan: 'deny',
  deny: 'deny',
};

/**
 * The strictest effect that tiers and default can have on a call that a preset's rule names. If neither is written, the
 * allowances of readOnly and inspect (project reads, the session's notes) are allowed anyway.
 */
export function fallbackEffect(settings: Resolution): Effect {
  const mode = settings.value('default');
  const effects = Object.entries(EFFECT_OF_MODE).flatMap(([name, effect]) => (name === mode ? [effect] : []));
  for (const tier of TIERS) {
    const value = settings.value(`tiers.${tier}`);
    if (value === 'ask' || value === 'deny') effects.push(value);
  }
  return strictest(effects);
}
