/** Rulings: what each source of authority says about one call or one command, and how they are combined. */
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { Reason, RuleReference } from './decision.js';

/**
 * The order of authority inside a stage: built-in denials and protected paths > deny (written or preset) > ask (written, protected, secret)
 * > allow (written) > allow (preset) > what is left to preset, tier or default.
 */
export interface Ruling {
  readonly effect: Effect;
  readonly rule: PermissionRule | null;
  readonly reason: Reason;
  /** A question about what cannot be known: a written rule that allows the command answers it, no preset does. */
  readonly yields?: true;
}

/** The verdict of one stage on one call or one command. */
export interface Verdict {
  readonly decision: Effect;
  readonly rule: PermissionRule | null;
  readonly reasons: readonly Reason[];
}

/** Nearly all lists of rulings and reasons are shorter. */
export const LINEAR_SEARCH_LIMIT = 32;

/** Deny wins over ask, and ask over allow, whatever their order; `rulings` must not be empty. */
export function combineDenyOverrides(rulings: readonly Ruling[]): Verdict {
  const only = rulings[0];
  if (rulings.length === 1 && only !== undefined) return { decision: only.effect, rule: only.rule, reasons: [only.reason] };
  let decision: Effect = 'allow';
  for (const { effect } of rulings) {
    if (effect === 'deny') decision = 'deny';
    else if (effect === 'ask' && decision === 'allow') decision = 'ask';
  }
  let rule: PermissionRule | null = null;
  // A list is searched faster than a set is made, as long as it is short.
  const seen = rulings.length > LINEAR_SEARCH_LIMIT ? new Set<Reason>() : null;
  const reasons: Reason[] = [];
  for (const ruling of rulings) {
    if (ruling.effect !== decision) continue;
    rule ??= ruling.rule;
    if (seen === null ? reasons.includes(ruling.reason) : seen.has(ruling.reason)) continue;
    seen?.add(ruling.reason);
    reasons.push(ruling.reason);
  }
  return { decision, rule, reasons };
}

/** What a rule says never changes, so it is worded once. */
const wordings = new WeakMap<PermissionRule, { readonly ruling: Ruling; readonly reference: RuleReference }>();

function wordingOf(rule: PermissionRule) {
  let wording = wordings.get(rule);
  if (wording === undefined) {
    wording = { ruling: newRuling(rule), reference: describe(rule) };
    wordings.set(rule, wording);
  }
  return wording;
}

/** How a decision names a rule. */
export function referenceTo(rule: PermissionRule): RuleReference {
  return wordingOf(rule).reference;
}

/** The ruling of a rule that met the call. */
export function rulingOfRule(rule: PermissionRule): Ruling {
  return wordingOf(rule).ruling;
}

/** A question instead: the call may touch what an ask or deny rule is about, and only the shell or the file system knows. */
export function uncertainRuling(rule: PermissionRule, how = 'it may match'): Ruling {
  const verb = rule.effect === 'deny' ? 'denies' : 'asks';
  return {
    effect: 'ask',
    rule,
    reason: { code: 'rule/uncertain', message: `${how} ${rule.text} (${originOf(rule)}), which ${verb}` },
  };
}

/** The same for what rewrites files in a folder. */
export function holdingRuling(rule: PermissionRule, folder: string): Ruling {
  return uncertainRuling(rule, `it may rewrite files in ${folder} that match`);
}

function originOf({ layer, source: { file, line } }: PermissionRule): string {
  return layer === 'preset' ? `preset ${file.replace(/^presets\/|\.yaml$/g, '')}` : `${file}:${line}`;
}

function describe({ text, effect, layer, source, reason }: PermissionRule): RuleReference {
  const { file, line, column } = source;
  return { text, effect, layer, file, line, column, ...(reason === undefined ? {} : { reason }) };
}

function newRuling(rule: PermissionRule): Ruling {
  const origin = originOf(rule);
  const verb = { allow: 'allowed', ask: 'asked about', deny: 'denied' }[rule.effect];
  const why = rule.reason === undefined ? '' : `: ${rule.reason}`;
  return {
    effect: rule.effect,
    rule,
    reason: { code: `rule/${rule.effect}`, message: `${verb} by ${rule.text} (${origin})${why}` },
  };
}
