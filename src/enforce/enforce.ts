/**
 * The path that every call takes: analyse it, gather its facts, decide. This is the dry mode: the same decision, but nothing is recorded.
 */

import { describeTool } from '../call/catalogue.js';
import { inputFromText } from '../call/subject.js';
import type { ToolCall } from '../call/tool-call.js';
import { decide, decideForEach } from '../decide/decide.js';
import { analyse, type CallAnalysis } from '../decide/flow/analysis.js';
import { type Decision, isAllowedExplicitly } from '../decide/ruling/decision.js';
import type { Facts } from '../decide/ruling/facts.js';
import type { ComposedPolicy } from '../policy/policy.js';
import { type Governed, withPackages } from '../project/packages.js';
import type { Moment } from '../project/surroundings.js';
import type { Workspace } from '../project/workspace.js';
import { type HookVerdict, hookVerdict } from '../runner/hook/runner.js';
import { runnerNamed } from '../runner/runners.js';
import { skillFact } from './agents/skill-commands.js';
import { agentTexts } from './agents/skill-files.js';
import { gatherFacts } from './facts/gather.js';

/** Decides a call in the current workspace; in observe mode the decision states that it is not enforced. */
export function enforceDry(workspace: Workspace, call: ToolCall): Decision {
  const analysis = analyse(call);
  return judged(workspace, call, analysis, gatherFacts(analysis, call.cwd, workspace.surroundings), agentTexts);
}

/**
 * Decides the same call for several callers, in their order; null is the session without an agent. The facts of the call are gathered once.
 */
export function enforceDryForEach(
  workspace: Workspace,
  call: Omit<ToolCall, 'agent'>,
  callers: readonly (string | null)[],
): readonly Decision[] {
  const analysis = analyse(call);
  const facts = gatherFacts(analysis, call.cwd, workspace.surroundings);
  let texts: ReturnType<AgentTexts> | undefined;
  // The call starts at most one agent, so every request is for the same definitions.
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

/** Tools with facts that depend on the caller: their calls load skills, whose actions are judged for that caller. */
const BY_CALLER: ReadonlySet<string> = new Set(['Agent', 'Skill']);

type AgentTexts = typeof agentTexts;

function judged(workspace: Workspace, call: ToolCall, analysis: CallAnalysis, gathered: Facts, texts: AgentTexts): Decision {
  const facts = withSkill(gathered, analysis, call, workspace.surroundings.home, decider(workspace), texts);
  return finished(workspace, governed(workspace, call, facts, analysis).decision, call);
}

/** Returns the decision, and the policy that it comes from: the workspace's, or that of a package that the call touches. */
export function governed(
  workspace: Pick<Workspace, 'compiled' | 'packagePolicy'>,
  call: ToolCall,
  facts: Facts,
  analysis: CallAnalysis,
): Governed {
  const given = { decision: decide(workspace.compiled, call, facts, analysis), compiled: workspace.compiled };
  return withPackages(given, call, facts, analysis, workspace.packagePolicy);
}

function finished(workspace: Workspace, decision: Decision, call: ToolCall): Decision {
  const kept = keepingSuggestion(decision, call, decider(workspace));
  return workspace.policy.mode === 'observe' ? { ...kept, mode: 'observe' } : kept;
}

/** Returns a function that decides any other call, with facts of its own. */
function decider(workspace: Deciding): (call: ToolCall) => Decision {
  return (call) => {
    const analysis = analyse(call);
    return governed(workspace, call, factsOf(workspace, call, analysis), analysis).decision;
  };
}

type Deciding = Pick<Workspace, 'compiled' | 'surroundings' | 'packagePolicy'>;

/** Returns a workspace for calls that are judged as of the same moment: each repository is read only once. */
export function atMoment(workspace: Workspace, moment: Moment): Workspace {
  return { ...workspace, surroundings: { ...workspace.surroundings, moment } };
}

/** Gathers all facts that a call needs before it is decided. */
export function factsOf(workspace: Deciding, call: ToolCall, analysis: CallAnalysis): Facts {
  const { surroundings } = workspace;
  return withSkill(gatherFacts(analysis, call.cwd, surroundings), analysis, call, surroundings.home, decider(workspace));
}

/**
 * Returns the facts, extended with those about the skill that the call uses, if any.
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

/** Returns the decision, without its suggestion if the same policy would not allow that. */
export function keepingSuggestion(decision: Decision, call: ToolCall, decideCall: (call: ToolCall) => Decision): Decision {
  if (decision.suggestion === null) return decision;
  const suggested = decideCall({ ...call, input: inputFromText(call.tool, decision.suggestion, call.runner) });
  return suggested.decision === 'allow' ? decision : { ...decision, suggestion: null };
}

type GrantSettings = Pick<ComposedPolicy, 'hook' | 'mode'>;

/**
 * Whether the runner may skip its own prompt. In a run (`policy run`) no one can answer a prompt, so the runner's default would
 * be a refusal. Never true for tools that only keep the agent's own state: for some of them that prompt is the point
 * (ExitPlanMode, AskUserQuestion).
 */
export function mayGrant(decision: Decision, { hook, mode }: GrantSettings, inRun = false): boolean {
  const { call } = decision;
  if (mode === 'observe' || hook.grant !== 'explicit' || describeTool(call.canonical).harmless) return false;
  return inRun ? decision.decision === 'allow' : isAllowedExplicitly(decision);
}

/** What the hook answers a runner about a call; `why`: the reason if that differs from the decision. */
export interface HookSaid {
  readonly runner: string | null;
  readonly answer: HookVerdict;
  readonly why: string | null;
}

const ANY_RUNNER = { grants: true, asks: true } as const;

/**
 * Returns what the installed hook would answer the runner that makes the call; without a runner, what it would answer one that
 * supports every answer.
 */
export function hookSaid(decision: Decision, settings: GrantSettings, name: string | null): HookSaid {
  const runner = name === null ? ANY_RUNNER : (runnerNamed(name) ?? ANY_RUNNER);
  const effect = settings.mode === 'observe' ? 'allow' : decision.decision;
  const answer = hookVerdict(runner, { effect, grant: mayGrant(decision, settings) });
  return { runner: name, answer, why: answer === decision.decision ? null : whyOther(decision, settings, name) };
}

function whyOther(decision: Decision, { hook, mode }: GrantSettings, name: string | null): string {
  if (mode === 'observe') return 'the policy only observes';
  if (decision.decision === 'ask') return `the hook for ${name} cannot ask`;
  if (describeTool(decision.call.canonical).harmless)
    return "it only keeps the agent's own notes, and the runner's own dialog stays";
  if (!isAllowedExplicitly(decision)) return "no rule or preset allows all of it, so the runner's own permissions decide";
  return hook.grant === 'never'
    ? 'with hook: { grant: never }, the runner keeps every prompt'
    : `${name} accepts no allow from a hook, so its own permissions decide`;
}
