/** Rulings: what each authority decides about one call or command, and how rulings are combined. */
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { Reason, RuleReference } from './decision.js';

/**
 * A ruling. Precedence inside a stage: built-in denials and protected paths > deny (written or preset) > ask (written, protected,
 * secret) > allow (written) > allow (preset) > preset, tier or default.
 */
export interface Ruling {
  readonly effect: Effect;
  readonly rule: PermissionRule | null;
  readonly reason: Reason;
  /** A question about something that cannot be known: a written rule that allows the command answers it, a preset does not. */
  readonly yields?: true;
}

/** The verdict of one stage on one call or one command. */
export interface Verdict {
  readonly decision: Effect;
  readonly rule: PermissionRule | null;
  readonly reasons: readonly Reason[];
}

/** Nearly all lists of rulings and reasons are shorter than this. */
export const LINEAR_SEARCH_LIMIT = 32;

/** Combines rulings: deny overrides ask, and ask overrides allow, in any order; `rulings` must not be empty. */
export function combineDenyOverrides(rulings: readonly Ruling[]): Verdict {
  const only = rulings[0];
  if (rulings.length === 1 && only !== undefined) return { decision: only.effect, rule: only.rule, reasons: [only.reason] };
  let decision: Effect = 'allow';
  for (const { effect } of rulings) {
    if (effect === 'deny') decision = 'deny';
    else if (effect === 'ask' && decision === 'allow') decision = 'ask';
  }
  let rule: PermissionRule | null = null;
  // Searching a short list is faster than creating a set.
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

/** Cached, because a rule's message never changes. */
const wordings = new WeakMap<PermissionRule, { readonly ruling: Ruling; readonly reference: RuleReference }>();

function wordingOf(rule: PermissionRule) {
  let wording = wordings.get(rule);
  if (wording === undefined) {
    wording = { ruling: newRuling(rule), reference: describe(rule) };
    wordings.set(rule, wording);
  }
  return wording;
}

/** The reference to a rule in a decision. */
export function referenceTo(rule: PermissionRule): RuleReference {
  return wordingOf(rule).reference;
}

/** The ruling of a rule that matched the call. */
export function rulingOfRule(rule: PermissionRule): Ruling {
  return wordingOf(rule).ruling;
}

/** An ask instead of the rule's own effect: the call may touch what an ask or deny rule is about, but that is known only at run time. */
export function uncertainRuling(rule: PermissionRule, how = 'it may match'): Ruling {
  const verb = rule.effect === 'deny' ? 'denies' : 'asks';
  return {
    effect: 'ask',
    rule,
    reason: { code: 'rule/uncertain', message: `${how} ${rule.text} (${originOf(rule)}), which ${verb}` },
  };
}

/** Like `uncertainRuling`, for a command that rewrites files in a folder. */
export function holdingRuling(rule: PermissionRule, folder: string): Ruling {
  return uncertainRuling(rule, `it may rewrite matching files in ${folder}`);
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
  const verb = { allow: 'allows', ask: 'asks for', deny: 'denies' }[rule.effect];
  const why = rule.reason === undefined ? '' : `: ${rule.reason}`;
  return {
    effect: rule.effect,
    rule,
    reason: { code: `rule/${rule.effect}`, message: `${origin} ${verb} ${rule.text}${why}` },
  };
}
