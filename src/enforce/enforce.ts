/** The one road of a call: read it, gather its facts, decide. This is the dry mode: the same decision, no trace left. */

import { inputFromText } from '../call/subject.js';
import type { ToolCall } from '../call/tool-call.js';
import { analyse, type CallAnalysis } from '../decide/analysis.js';
import { decide } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import type { Facts } from '../decide/facts.js';
import { skillFact } from './agents/skill-commands.js';
import { gatherFacts, type Moment } from './facts/gather.js';
import type { Workspace } from './project/workspace.js';

/** Decides a call as the workspace stands; a decision that nobody enforces says so. */
export function enforceDry(workspace: Workspace, call: ToolCall): Decision {
  const decideCall = (one: ToolCall): Decision => {
    const analysis = analyse(one);
    return decide(workspace.compiled, one, factsOf(workspace, one, analysis), analysis);
  };
  const decision = keepingSuggestion(decideCall(call), call, decideCall);
  return workspace.policy.mode === 'observe' ? { ...decision, mode: 'observe' } : decision;
}

/** The workspace for calls that are judged as of one moment: what its repositories hold is read once. */
export function asOf(workspace: Workspace, moment: Moment): Workspace {
  return { ...workspace, surroundings: { ...workspace.surroundings, moment } };
}

/** All that has to be known of a call before it is decided. */
export function factsOf(
  { compiled, surroundings }: Pick<Workspace, 'compiled' | 'surroundings'>,
  call: ToolCall,
  analysis: CallAnalysis,
): Facts {
  const decideCall = (one: ToolCall): Decision => {
    const read = analyse(one);
    return decide(compiled, one, factsOf({ compiled, surroundings }, one, read), read);
  };
  return withSkill(gatherFacts(analysis, call.cwd, surroundings), analysis, call, surroundings.home, decideCall);
}

/** The facts, with those about the skill that the call uses, should it use one. */
export function withSkill(
  facts: Facts,
  { tool }: CallAnalysis,
  call: ToolCall,
  home: string,
  decideCall: (call: ToolCall) => Decision,
): Facts {
  const skill = skillFact(tool.canonical, call, { project: facts.project, home }, decideCall);
  return skill === null ? facts : { ...facts, skill };
}

/** The decision, without its suggestion when that would not pass the same policy. */
export function keepingSuggestion(decision: Decision, call: ToolCall, decideCall: (call: ToolCall) => Decision): Decision {
  if (decision.suggestion === null) return decision;
  const suggested = decideCall({ ...call, input: inputFromText(call.tool, decision.suggestion, call.runner) });
  return suggested.decision === 'allow' ? decision : { ...decision, suggestion: null };
}
