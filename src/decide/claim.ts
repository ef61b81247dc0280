/** Claims: what each source of authority says about one call or one command, and how they settle. */
import type { Effect, PermissionRule } from '../rule/permission-rule.js';
import type { Reason, RuleReference } from './decision.js';

/**
 * The order of authority inside a stage: floor and protected > deny (written or preset) > ask (written, protected, secret)
 * > allow (written) > allow (preset) > what is left to preset, tier or default.
 */
export interface Claim {
  readonly effect: Effect;
  readonly rule: PermissionRule | null;
  readonly reason: Reason;
}

/** The verdict of one stage on one call or one command. */
export interface Verdict {
  readonly decision: Effect;
  readonly rule: PermissionRule | null;
  readonly reasons: readonly Reason[];
}

/** Deny claims win over ask claims, ask over allow, whatever their order; with no claim at all the fallback speaks. */
export function settle(claims: readonly Claim[], fallback: () => Claim): Verdict {
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const winners = claims.filter((claim) => claim.effect === effect);
    const first = winners[0];
    if (first)
      return {
        decision: effect,
        rule: winners.find((claim) => claim.rule)?.rule ?? null,
        reasons: winners.map((claim) => claim.reason),
      };
  }
  const last = fallback();
  return { decision: last.effect, rule: last.rule, reasons: [last.reason] };
}

/** How a decision names a rule. */
export function referenceTo(rule: PermissionRule): RuleReference {
  return {
    text: rule.text,
    effect: rule.effect,
    layer: rule.layer,
    file: rule.source.file,
    line: rule.source.line,
    column: rule.source.column,
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
  };
}

/** The claim of a rule that met the call. */
export function ruleClaim(rule: PermissionRule): Claim {
  const origin =
    rule.layer === 'preset'
      ? `preset ${rule.source.file.replace(/^presets\/|\.yaml$/g, '')}`
      : `${rule.source.file}:${rule.source.line}`;
  const verb = rule.effect === 'allow' ? 'allowed' : rule.effect === 'deny' ? 'denied' : 'to be asked';
  const why = rule.reason === undefined ? '' : `: ${rule.reason}`;
  return {
    effect: rule.effect,
    rule,
    reason: { code: `rule/${rule.effect}`, message: `${verb} by ${rule.text} (${origin})${why}` },
  };
}
