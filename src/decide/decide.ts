/** The decision function: takes a policy, a call and facts, and returns allow, ask or deny with all reasons. Pure. */

import type { ToolCall } from '../call/tool-call.js';
import { type Effect, stricter } from '../rule/pattern/permission-rule.js';
import type { CompiledRule } from '../rule/rule-set.js';
import { analyse, type CallAnalysis } from './flow/analysis.js';
import { placeOf } from './place/place.js';
import type { CompiledPolicy } from './policy/compile.js';
import { referenceTo } from './ruling/combine.js';
import {
  type Decision,
  type Reason,
  type RuleReference,
  type Stage,
  type StageResult,
  sentence,
  told,
} from './ruling/decision.js';
import type { Facts } from './ruling/facts.js';
import { agentStage } from './stages/agent.js';
import { budgetStage } from './stages/budget.js';
import { policyStage, type StageInput, type StageVerdict } from './stages/policy.js';

/**
 * Decides a call.
 * @param compiled the policy with its agents, from `compilePolicy`
 * @param facts the answers to `factsNeeded`; a missing fact never proves anything
 * @param analysis the call as read by `analyse`, if the caller already has it
 * @returns the most restrictive answer of the stages agent, policy and budget; the reported stage is the first that gave it
 */
export function decide(compiled: CompiledPolicy, call: ToolCall, facts: Facts, analysis: CallAnalysis = analyse(call)): Decision {
  const matched = new Set<CompiledRule>();
  const input: StageInput = { compiled, call, facts, place: placeOf(call.cwd, facts), analysis, matched };
  const agent = agentStage(input);
  return decisionOf(input, agent, policyStage(input));
}

/**
 * Decides calls that differ only in their callers, in order, each as `decide` does. The policy stage runs once because it ignores callers.
 * @param facts shared by all calls; none may depend on the caller
 */
export function decideForEach(
  compiled: CompiledPolicy,
  calls: readonly ToolCall[],
  facts: Facts,
  analysis: CallAnalysis,
): readonly Decision[] {
  const [first] = calls;
  if (first === undefined) return [];
  const shared = { compiled, facts, place: placeOf(first.cwd, facts), analysis };
  const byPolicy = new Set<CompiledRule>();
  const policy = policyStage({ ...shared, call: first, matched: byPolicy });
  return calls.map((call) => {
    const matched = new Set<CompiledRule>();
    const agent = agentStage({ ...shared, call, matched });
    for (const rule of byPolicy) matched.add(rule);
    return decisionOf({ ...shared, call, matched }, agent, policy);
  });
}

/** Combines the stages into the most restrictive answer. */
function decisionOf(input: StageInput, agent: StageVerdict | null, policy: StageVerdict): Decision {
  const { compiled, call, analysis, matched } = input;
  const budget = budgetStage(input);
  const own = [resultOf('policy', policy), resultOf('budget', budget)];
  const results = agent === null ? own : [resultOf('agent', agent), ...own];
  const decision = stricter(stricter(agent?.decision ?? 'allow', policy.decision), budget.decision);
  const first = firstWith(decision, results) ?? resultOf('policy', policy);
  const answered = answer(decision, first.reasons, compiled, call);
  const verdict = first.stage === 'agent' ? (agent ?? policy) : first.stage === 'policy' ? policy : budget;
  return {
    version: 1,
    decision: answered.decision,
    stage: first.stage,
    rule: first.rule,
    matched: matched.size === 0 ? NONE : references(matched),
    reasons: answered.reasons,
    stages: results,
    commands: verdict.commands.length > 0 ? verdict.commands : policy.commands,
    suggestion: verdict.rule?.suggest ?? null,
    message: sentence(told(answered.reasons)),
    call: { tool: call.tool, canonical: analysis.tool.canonical, agent: call.agent ?? null, runner: call.runner ?? null },
  };
}

const NONE: readonly RuleReference[] = [];

/** Lists each rule once: an agent that intersects several definitions contains their rules twice. */
function references(matched: ReadonlySet<CompiledRule>): readonly RuleReference[] {
  const found: RuleReference[] = [];
  for (const { rule } of matched) {
    const reference = referenceTo(rule);
    if (!found.some((other) => isSameRule(other, reference))) found.push(reference);
  }
  return found;
}

function isSameRule(left: RuleReference, right: RuleReference): boolean {
  if (left.text !== right.text || left.line !== right.line || left.column !== right.column) return false;
  return left.effect === right.effect && left.layer === right.layer && left.file === right.file;
}

function firstWith(decision: Effect, results: readonly StageResult[]): StageResult | null {
  for (const result of results) if (result.decision === decision) return result;
  return null;
}

function resultOf(stage: Stage, { decision, rule, reasons }: StageVerdict): StageResult {
  return { stage, decision, rule: rule && referenceTo(rule), reasons };
}

/** Reason codes that `onAsk: allow` never waives (docs/guarantees.md, 10). */
const NEVER_WAIVED =
  /^(?:(?:builtin|protected|secret|shell|environment|input|agent|place|skill|mcp)\/|(?:rule\/uncertain|policy\/unread)$)/;

/** Converts an ask when nobody can be asked, or when the user has decided beforehand (`onAsk`). */
function answer(
  decision: Effect,
  reasons: readonly Reason[],
  compiled: CompiledPolicy,
  call: ToolCall,
): { decision: Effect; reasons: readonly Reason[] } {
  if (decision !== 'ask') return { decision, reasons };
  const { onAsk, locked } = compiled.policy;
  if (onAsk === 'allow' && !locked && !reasons.some((reason) => NEVER_WAIVED.test(reason.code))) {
    return {
      decision: 'allow',
      reasons: [{ code: 'on-ask/allow', message: 'onAsk: allow turns this question into an allow' }, ...reasons],
    };
  }
  if (onAsk === 'deny')
    return {
      decision: 'deny',
      reasons: [...reasons, { code: 'on-ask/deny', message: 'onAsk: deny turns this question into a denial' }],
    };
  if (call.bypass)
    return {
      decision: 'deny',
      reasons: [
        ...reasons,
        {
          code: 'ask/bypass',
          message: "the runner's mode may drop a question, so the call is denied; leave that mode to be asked",
        },
      ],
    };
  if (call.headless)
    return {
      decision: 'deny',
      reasons: [...reasons, { code: 'ask/nobody', message: 'nobody can be asked here, so the call is denied' }],
    };
  return { decision, reasons };
}
