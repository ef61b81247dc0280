/** The remedy for a decision made in dry mode. */
import type { ToolCall } from '../call/tool-call.js';
import { analyse } from '../decide/flow/analysis.js';
import { findRemedy, type RemedyLayer } from '../decide/remedy/remedy.js';
import type { Remedy } from '../decide/remedy/types.js';
import type { Decision } from '../decide/ruling/decision.js';
import { factsOf, governed } from '../enforce/enforce.js';
import { isUntrusted, type Workspace } from '../project/workspace.js';

/** Maximum number of offers that a person can choose from; no one reads more. */
const MOST_OFFERS = 4;

/** Returns the rules that would allow a call, each tested on it, or the sentence why none can; null for an allowed call. */
export function findRemedyDry(workspace: Workspace, call: ToolCall, decision: Decision, most = MOST_OFFERS): Remedy | null {
  if (decision.decision === 'allow') return null;
  const analysis = analyse(call);
  const facts = factsOf(workspace, call, analysis);
  const { compiled } = governed(workspace, call, facts, analysis);
  return findRemedy(compiled, call, facts, decision, analysis, remedyLayer(workspace), most);
}

/**
 * Returns the same for a call that is not decided yet, if it would be asked about; null for any other. Gathers the facts of the
 * call only once.
 */
export function remedyIfAsked(workspace: Workspace, call: ToolCall, most = MOST_OFFERS): Remedy | null {
  const analysis = analyse(call);
  const facts = factsOf(workspace, call, analysis);
  const { decision, compiled } = governed(workspace, call, facts, analysis);
  if (decision.decision !== 'ask') return null;
  return findRemedy(compiled, call, facts, decision, analysis, remedyLayer(workspace), most);
}

/** Returns the layer in which a rule has an effect: the user's own as long as the project is not trusted. */
export function remedyLayer({ notes }: Pick<Workspace, 'notes'>): RemedyLayer {
  return isUntrusted(notes) ? 'user' : 'local';
}
