/** The one road of a call: read it, gather its facts, decide. This is the dry mode: the same decision, no trace left. */

import { inputFromText } from '../call/subject.js';
import type { ToolCall } from '../call/tool-call.js';
import { analyse, type CallAnalysis } from '../decide/analysis.js';
import { decide, decideForEach } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import type { Facts } from '../decide/facts.js';
import { skillFact } from './agents/skill-commands.js';
import { agentTexts } from './agents/skill-files.js';
import { gatherFacts, type Moment } from './facts/gather.js';
import { type Governed, withPackages } from './packages.js';
import type { Workspace } from './project/workspace.js';

/** Decides a call as the workspace stands; a decision that nobody enforces says so. */
export function enforceDry(workspace: Workspace, call: ToolCall): Decision {
  const analysis = analyse(call);
  return judged(workspace, call, analysis, gatherFacts(analysis, call.cwd, workspace.surroundings), agentTexts);
}

/**
 * Decides the same call of several callers, in their order; null is the session without an agent. What has to be known of the call is gathered
 * once.
 */
export function enforceDryForEach(
  workspace: Workspace,
  call: Omit<ToolCall, 'agent'>,
  callers: readonly (string | null)[],
): readonly Decision[] {
  const analysis = analyse(call);
  const facts = gatherFacts(analysis, call.cwd, workspace.surroundings);
  let texts: ReturnType<AgentTexts> | undefined;
  // Only the agent that the call starts is asked for.
  const once: AgentTexts = (name, places) => {
    texts ??= agentTexts(name, places);
    return texts;
  };
  const calls = callers.map((agent): ToolCall => (agent === null ? call : { ...call, agent }));
  if (BY_CALLER.has(analysis.tool.canonical)) return calls.map((one) => judged(workspace, one, analysis, facts, once));
  const decisions = decideForEach(workspace.compiled, calls, facts, analysis);
  return decisions.map((decision, at) => {
    const one = calls[at] ?? call;
    const given = { decision, compiled: workspace.compiled };
    return finished(workspace, withPackages(given, one, facts, analysis, workspace.packagePolicy).decision, one);
  });
}

/** Tools of which more has to be known, that depends on the caller: what the skills would do that such a call loads. */
const BY_CALLER: ReadonlySet<string> = new Set(['Agent', 'Skill']);

type AgentTexts = typeof agentTexts;

function judged(workspace: Workspace, call: ToolCall, analysis: CallAnalysis, gathered: Facts, texts: AgentTexts): Decision {
  const facts = withSkill(gathered, analysis, call, workspace.surroundings.home, decider(workspace), texts);
  return finished(workspace, governed(workspace, call, facts, analysis).decision, call);
}

/** The decision, and the policy that gave it: the workspace's, or that of a package that the call touches. */
export function governed(workspace: Workspace, call: ToolCall, facts: Facts, analysis: CallAnalysis): Governed {
  const given = { decision: decide(workspace.compiled, call, facts, analysis), compiled: workspace.compiled };
  return withPackages(given, call, facts, analysis, workspace.packagePolicy);
}

/** The decision as it is told. */
function finished(workspace: Workspace, decision: Decision, call: ToolCall): Decision {
  const kept = keepingSuggestion(decision, call, decider(workspace));
  return workspace.policy.mode === 'observe' ? { ...kept, mode: 'observe' } : kept;
}

/** Decides any other call, with facts of its own. */
function decider(workspace: Pick<Workspace, 'compiled' | 'surroundings'>): (call: ToolCall) => Decision {
  return (call) => {
    const analysis = analyse(call);
    return decide(workspace.compiled, call, factsOf(workspace, call, analysis), analysis);
  };
}

/** The workspace for calls that are judged as of one moment: what its repositories hold is read once. */
export function atMoment(workspace: Workspace, moment: Moment): Workspace {
  return { ...workspace, surroundings: { ...workspace.surroundings, moment } };
}

/** All that has to be known of a call before it is decided. */
export function factsOf(
  { compiled, surroundings }: Pick<Workspace, 'compiled' | 'surroundings'>,
  call: ToolCall,
  analysis: CallAnalysis,
): Facts {
  const decideCall = decider({ compiled, surroundings });
  return withSkill(gatherFacts(analysis, call.cwd, surroundings), analysis, call, surroundings.home, decideCall);
}

/**
 * The facts, with those about the skill that the call uses, should it use one.
 * @param texts how the definitions of an agent are read
 */
export function withSkill(
  facts: Facts,
  { tool }: CallAnalysis,
  call: ToolCall,
  home: string,
  decideCall: (call: ToolCall) => Decision,
  texts = agentTexts,
): Facts {
  const skill = skillFact(tool.canonical, call, { project: facts.project, home }, decideCall, texts);
  return skill === null ? facts : { ...facts, skill };
}

/** The decision, without its suggestion when that would not pass the same policy. */
export function keepingSuggestion(decision: Decision, call: ToolCall, decideCall: (call: ToolCall) => Decision): Decision {
  if (decision.suggestion === null) return decision;
  const suggested = decideCall({ ...call, input: inputFromText(call.tool, decision.suggestion, call.runner) });
  return suggested.decision === 'allow' ? decision : { ...decision, suggestion: null };
}
