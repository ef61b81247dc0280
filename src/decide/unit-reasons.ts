/** Why a command that nothing allowed is asked about: whatever kept an allow away, in the order in which it can be put right. */
import type { Command, GrammarIssue } from '../command/command.js';
import type { Claim, Verdict } from './claim.js';
import type { Reason } from './decision.js';
import type { Scope } from './scope.js';
import type { Unit } from './unit.js';
import { isNull, staticWords } from './unit-allowance.js';

/** The verdict that no claim gave: the fallback, explained by whatever kept an allow away. */
export function unclaimed(unit: Unit, provenReads: boolean): Verdict {
  const claim = fallbackClaim(unit.command, unit.scope, provenReads);
  if (claim.effect === 'allow') return { decision: 'allow', rule: claim.rule, reasons: [claim.reason] };
  const reasons: Reason[] = unit.issues.map((issue) => issueReason(issue));
  if (reasons.length === 0) reasons.push(...placeReasons(unit));
  for (const one of unit.inner) if (one.decision !== 'allow') reasons.push(...one.reasons);
  return { decision: claim.effect, rule: claim.rule, reasons: reasons.length > 0 ? reasons : [claim.reason] };
}

/** The reason that an issue of the grammar gives. */
export function issueReason(issue: GrammarIssue, prefix = ''): Reason {
  return { code: issue.code, message: `${prefix}${issue.message}`, span: issue.span };
}

/** A default that allows still does not cover what only the shell can know, nor writes to files. */
function fallbackClaim(command: Command, scope: Scope, provenReads: boolean): Claim {
  const claim = scope.fallback({ tool: scope.analysis.tool, provenReads, inProject: false });
  if (claim.effect !== 'allow' || (staticWords(command) !== null && !writesFile(command))) return claim;
  return UNSEEN;
}

const UNSEEN: Claim = {
  effect: 'ask',
  rule: null,
  reason: {
    code: 'default/unseen',
    message: 'the default does not cover words that only the shell knows, nor redirections to files',
  },
};

function writesFile(command: Command): boolean {
  return command.invocation.redirections.some(
    (one) => one.direction !== 'duplicate' && one.direction !== 'here' && one.target?.value !== '/dev/null',
  );
}

/** Why a command that only looks was not proven to stay inside the project. */
function placeReasons({ command, scope, paths }: Unit): Reason[] {
  if (!command.verdict.known || scope.preset?.definition.provenReads !== true) return [];
  const reasons: Reason[] = [];
  for (const { reference, real, inProject } of paths) {
    if (inProject || isNull(reference)) continue;
    const known = real !== null || reference.globRoot !== null;
    const message = known ? `${reference.text} lies outside the project` : `where ${reference.text} leads is not certain`;
    reasons.push({
      code: known ? 'path/outside-project' : 'path/uncertain',
      message,
      ...(reference.span && { span: reference.span }),
    });
  }
  return reasons;
}
