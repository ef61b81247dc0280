/** Calls made outside the session's project: its own allows end at its edge (docs/guarantees.md, 1). */

import type { CallAnalysis } from '../analysis.js';
import type { CommandDecision } from '../decision.js';
import type { Facts } from '../facts.js';
import { holdsEverywhere } from '../line/outside-project.js';
import type { StageVerdict } from '../stages/policy-and-budget.js';

/** Turns the allow of a shell call that is made elsewhere into a question, unless the user's own rules allow every command of it. */
export function placeChecked(verdict: StageVerdict, facts: Facts, analysis: CallAnalysis): StageVerdict {
  if (facts.elsewhere !== true || verdict.decision !== 'allow' || analysis.lines.length === 0) return verdict;
  if (verdict.commands.length > 0 && verdict.commands.every(isMeantEverywhere)) return verdict;
  const message = `it is made in ${facts.cwd}, outside the project ${facts.project}: what is allowed there does not count here`;
  return { ...verdict, decision: 'ask', rule: null, reasons: [{ code: 'place/elsewhere', message }] };
}

function isMeantEverywhere({ rule, inner }: CommandDecision): boolean {
  return rule !== null && holdsEverywhere(rule.layer) && inner.every(isMeantEverywhere);
}
