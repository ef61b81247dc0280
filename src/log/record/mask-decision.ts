/** Takes the secrets out of a decision before it is shown. */
import type { CommandDecision, Decision, Reason, RuleReference, StageResult } from '../../decide/decision.js';
import type { Remedy } from '../../decide/remedy/types.js';
import { maskText } from './mask-text.js';

/** `text` with `*` for every character of a secret: places in it stay where they are. */
export function coverSecrets(text: string): string {
  return maskText(text, (_, length) => '*'.repeat(length));
}

/** The same decision, with every secret in its texts covered: what a command quotes, what a rule quotes, what a reason says. */
export function maskDecision(decision: Decision): Decision {
  return {
    ...decision,
    rule: maskRule(decision.rule),
    matched: decision.matched.map(covered),
    reasons: decision.reasons.map(maskReason),
    stages: decision.stages.map(maskStage),
    commands: decision.commands.map(maskCommand),
    suggestion: decision.suggestion === null ? null : coverSecrets(decision.suggestion),
    message: coverSecrets(decision.message),
  };
}

/** The same remedy, with every secret in its sentence covered; offered rules hold none. */
export function maskRemedy(remedy: Remedy | null): Remedy | null {
  return remedy?.kind === 'sentence' ? { ...remedy, sentence: coverSecrets(remedy.sentence) } : remedy;
}

function maskRule(rule: RuleReference | null): RuleReference | null {
  return rule === null ? null : covered(rule);
}

function covered(rule: RuleReference): RuleReference {
  return { ...rule, text: coverSecrets(rule.text), ...(rule.reason !== undefined && { reason: coverSecrets(rule.reason) }) };
}

function maskReason(reason: Reason): Reason {
  return { ...reason, message: coverSecrets(reason.message) };
}

function maskStage(result: StageResult): StageResult {
  return { ...result, rule: maskRule(result.rule), reasons: result.reasons.map(maskReason) };
}

function maskCommand(command: CommandDecision): CommandDecision {
  return {
    ...command,
    text: coverSecrets(command.text),
    rule: maskRule(command.rule),
    reasons: command.reasons.map(maskReason),
    inner: command.inner.map(maskCommand),
  };
}
