/** A decision as one line of JSON, its keys always in the same order (schemas/decision.schema.json). */

import type { Offer, Remedy, RemedyLine } from '../decide/remedy/types.js';
import type { CommandDecision, Decision, Reason, RuleReference, StageResult } from '../decide/ruling/decision.js';
import { escapeJson } from './printing/escape.js';
import type { ShownHook } from './text.js';

/**
 * Returns one line without its line break; parses back to an equal Decision.
 * @param remedy adds `remedy`: rules that would allow the call, the preferred offer first, or else what to do instead
 * @param lines the remedy as `policy check` prints it
 * @param hook adds `hook`: the installed hook's answer to the runner
 */
export function decisionAsJson(
  decision: Decision,
  remedy: Remedy | null = null,
  lines: readonly RemedyLine[] = [],
  hook: ShownHook | null = null,
): string {
  const { call } = decision;
  return escapeJson(
    JSON.stringify({
      version: decision.version,
      decision: decision.decision,
      ...(decision.mode !== undefined && { mode: decision.mode }),
      stage: decision.stage,
      message: decision.message,
      rule: rule(decision.rule),
      reasons: decision.reasons.map(reason),
      suggestion: decision.suggestion,
      ...(remedy !== null && { remedy: remedyOf(remedy, lines) }),
      ...(hook !== null && { hook: { runner: hook.runner, answer: hook.answer } }),
      call: { tool: call.tool, canonical: call.canonical, agent: call.agent, runner: call.runner },
      stages: decision.stages.map(stage),
      commands: decision.commands.map(command),
      matched: decision.matched.map(rule),
    }),
  );
}

function remedyOf(remedy: Remedy, lines: readonly RemedyLine[]) {
  if (remedy.kind === 'sentence') return { offers: [], advice: remedy.sentence };
  return { offers: remedy.offers.map((one, at) => offer(one, lines[at]?.line ?? null)), advice: null };
}

/** `rule` is the first of `rules`, which together allow the call. */
function offer({ rules, scope, alsoAllows }: Offer, command: string | null) {
  return { rule: rules[0], rules, command, scope, alsoAllows };
}

function rule(reference: RuleReference | null): RuleReference | null {
  if (reference === null) return null;
  const { text, effect, layer, file, line, column } = reference;
  return { text, effect, layer, file, line, column, ...(reference.reason !== undefined && { reason: reference.reason }) };
}

function reason({ code, message, span }: Reason): Reason {
  return { code, message, ...(span !== undefined && { span: { start: span.start, end: span.end } }) };
}

function stage(result: StageResult): StageResult {
  return { stage: result.stage, decision: result.decision, rule: rule(result.rule), reasons: result.reasons.map(reason) };
}

function command(found: CommandDecision): CommandDecision {
  return {
    text: found.text,
    span: { start: found.span.start, end: found.span.end },
    decision: found.decision,
    rule: rule(found.rule),
    reasons: found.reasons.map(reason),
    inner: found.inner.map(command),
  };
}
