/** Reasons to ask even though the policy stage allows: an environment variable, or a call made outside the project. */
import type { CallAnalysis } from '../flow/analysis.js';
import { hazardMessage, hazardousVariable } from '../guards/environment.js';
import { holdsEverywhere } from '../proofs/outside-project.js';
import type { Ruling } from '../ruling/combine.js';
import type { CommandDecision } from '../ruling/decision.js';
import type { Facts } from '../ruling/facts.js';

/**
 * The question about a call that is otherwise allowed; null for most calls.
 * @param commands the verdicts on the commands of its lines
 */
export function reservation(facts: Facts, analysis: CallAnalysis, commands: readonly CommandDecision[]): Ruling | null {
  return environmentRuling(facts, analysis) ?? outsideRuling(facts, analysis, commands);
}

/** Variables that make programs run other programs (docs/guarantees.md, 2). */
function environmentRuling(facts: Facts, analysis: CallAnalysis): Ruling | null {
  const variable = hazardousVariable(facts, analysis);
  return variable === undefined ? null : question('environment/executes', hazardMessage(variable));
}

/** The project's own allows end at its edge, unless the user's own rules allow every command there (docs/guarantees.md, 1). */
function outsideRuling(facts: Facts, analysis: CallAnalysis, commands: readonly CommandDecision[]): Ruling | null {
  if (facts.elsewhere !== true || analysis.lines.length === 0) return null;
  if (commands.length > 0 && commands.every(isMeantEverywhere)) return null;
  return question(
    'place/elsewhere',
    `it is made in ${facts.cwd}, outside the project ${facts.project}, where the project's allow rules do not apply`,
  );
}

function isMeantEverywhere({ rule, inner }: CommandDecision): boolean {
  return rule !== null && holdsEverywhere(rule.layer) && inner.every(isMeantEverywhere);
}

function question(code: string, message: string): Ruling {
  return { effect: 'ask', rule: null, reason: { code, message } };
}
