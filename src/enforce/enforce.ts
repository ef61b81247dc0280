/** The one road of a call: read it, gather its facts, decide. This is the dry mode: the same decision, no trace left. */

import { inputFromText } from '../call/subject.js';
import type { ToolCall } from '../call/tool-call.js';
import { analyse } from '../decide/analysis.js';
import { decide } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import { gatherFacts } from './gather.js';
import type { Workspace } from './workspace.js';

/** Decides a call as the workspace stands; a suggestion is kept only when it passes the same policy. */
export function enforceDry(workspace: Workspace, call: ToolCall): Decision {
  const decision = decideCall(workspace, call);
  if (decision.suggestion === null) return decision;
  const passes =
    decideCall(workspace, { ...call, input: inputFromText(call.tool, decision.suggestion, call.runner) }).decision === 'allow';
  return passes ? decision : { ...decision, suggestion: null };
}

function decideCall(workspace: Workspace, call: ToolCall): Decision {
  const analysis = analyse(call);
  return decide(workspace.compiled, call, gatherFacts(analysis, call.cwd, workspace.surroundings), analysis);
}
