/** The line that would settle a decision made in dry mode. */
import type { ToolCall } from '../call/tool-call.js';
import { analyse } from '../decide/analysis.js';
import type { Decision } from '../decide/decision.js';
import { settle, settlingLine } from '../decide/settle.js';
import { gatherFacts } from './gather.js';
import { isUntrusted, type Workspace } from './workspace.js';

/** `policy allow '…'`, tried out on this call, or the sentence why no rule can; null for a call that is allowed. */
export function settlingLineDry({ compiled, surroundings, notes }: Workspace, call: ToolCall, decision: Decision): string | null {
  if (decision.decision === 'allow') return null;
  const analysis = analyse(call);
  const layer = isUntrusted(notes) ? 'user' : 'local';
  const settlement = settle(compiled, call, gatherFacts(analysis, call.cwd, surroundings), decision, analysis, layer);
  return settlement === null ? null : settlingLine(settlement, layer);
}
