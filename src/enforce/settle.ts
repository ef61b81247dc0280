/** The line that would settle a decision made in dry mode. */
import type { ToolCall } from '../call/tool-call.js';
import { analyse } from '../decide/analysis.js';
import type { Decision } from '../decide/decision.js';
import { settle, settlingLine } from '../decide/settle.js';
import { factsOf } from './enforce.js';
import { isUntrusted, type Workspace } from './workspace.js';

/** `policy allow '…'`, tried out on this call, or the sentence why no rule can; null for a call that is allowed. */
export function settlingLineDry(workspace: Workspace, call: ToolCall, decision: Decision): string | null {
  if (decision.decision === 'allow') return null;
  const analysis = analyse(call);
  const layer = isUntrusted(workspace.notes) ? 'user' : 'local';
  const settlement = settle(workspace.compiled, call, factsOf(workspace, call, analysis), decision, analysis, layer);
  return settlement === null ? null : settlingLine(settlement, layer);
}
