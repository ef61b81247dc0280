/** Removes the secrets from a decision before it is shown. */
import type { ToolCall } from '../../call/tool-call.js';
import type { Remedy } from '../../decide/remedy/types.js';
import type { CommandDecision, Decision, Reason, RuleReference, StageResult } from '../../decide/ruling/decision.js';
import { secretSpans } from '../../secret/find.js';
import { maskText } from './mask-text.js';

/** Returns `text` with `*` for every character of a secret, so that positions in it stay the same. */
export function coverSecrets(text: string): string {
  return maskText(text, (_, length) => '*'.repeat(length));
}

type Cover = (text: string) => string;

/** Also covers secrets that only the whole command reveals: `echo PASSWORD` reveals nothing without the pipe after it. */
export function coverFor({ command }: ToolCall['input']): Cover {
  if (typeof command !== 'string') return coverSecrets;
  const line = command.slice(0, MOST_COMMAND);
  const held = secretSpans(line).map(({ start, end }) => line.slice(start, end));
  const long = held.filter(({ length }) => length >= SHORTEST);
  return (text) => long.reduce((shown, secret) => shown.replaceAll(secret, '*'.repeat(secret.length)), coverSecrets(text));
}

/** Shorter ones would match other text by chance. */
const SHORTEST = 6;
const MOST_COMMAND = 8_192;

/** Returns the same decision, with every secret in its texts covered: quotes of commands and rules, and reasons. */
export function maskDecision(decision: Decision, input: ToolCall['input']): Decision {
  const cover = coverFor(input);
  return {
    ...decision,
    rule: maskRule(decision.rule),
    matched: decision.matched.map(covered),
    reasons: decision.reasons.map((reason) => maskReason(reason, cover)),
    stages: decision.stages.map((result) => maskStage(result, cover)),
    commands: decision.commands.map((command) => maskCommand(command, cover)),
    suggestion: decision.suggestion === null ? null : cover(decision.suggestion),
    message: cover(decision.message),
  };
}

/** Returns the same remedy, with every secret in its sentence covered; offered rules contain none. */
export function maskRemedy(remedy: Remedy | null): Remedy | null {
  return remedy?.kind === 'sentence' ? { ...remedy, sentence: coverSecrets(remedy.sentence) } : remedy;
}

function maskRule(rule: RuleReference | null): RuleReference | null {
  return rule === null ? null : covered(rule);
}

function covered(rule: RuleReference): RuleReference {
  return { ...rule, text: coverSecrets(rule.text), ...(rule.reason !== undefined && { reason: coverSecrets(rule.reason) }) };
}

function maskReason(reason: Reason, cover: Cover): Reason {
  return { ...reason, message: cover(reason.message) };
}

function maskStage(result: StageResult, cover: Cover): StageResult {
  return { ...result, rule: maskRule(result.rule), reasons: result.reasons.map((reason) => maskReason(reason, cover)) };
}

function maskCommand(command: CommandDecision, cover: Cover): CommandDecision {
  return {
    ...command,
    text: cover(command.text),
    rule: maskRule(command.rule),
    reasons: command.reasons.map((reason) => maskReason(reason, cover)),
    inner: command.inner.map((inner) => maskCommand(inner, cover)),
  };
}
