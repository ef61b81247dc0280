/** What would settle a decision made in dry mode. */
import type { ToolCall } from '../../call/tool-call.js';
import { analyse } from '../../decide/analysis.js';
import type { Decision } from '../../decide/decision.js';
import { type SettlingLayer, settle } from '../../decide/remedy/remedy.js';
import type { Settlement } from '../../decide/remedy/settlement.js';
import { factsOf } from '../enforce.js';
import { isUntrusted, type Workspace } from '../project/workspace.js';

/** Offers a person can choose among; more nobody reads. */
const MOST_OFFERS = 4;

/** The rules that would settle a call, each tried out on it, or the sentence why none can; null for a call that is allowed. */
export function settleDry(workspace: Workspace, call: ToolCall, decision: Decision): Settlement | null {
  if (decision.decision === 'allow') return null;
  const analysis = analyse(call);
  const facts = factsOf(workspace, call, analysis);
  return settle(workspace.compiled, call, facts, decision, analysis, settlingLayer(workspace), MOST_OFFERS);
}

/** Where a rule has to be written to count: in the user's own policy as long as the project's is not trusted. */
export function settlingLayer({ notes }: Pick<Workspace, 'notes'>): SettlingLayer {
  return isUntrusted(notes) ? 'user' : 'local';
}
