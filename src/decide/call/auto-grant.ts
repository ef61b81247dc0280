/** How far an allowed call reaches: whether it was allowed in so many words, and touches nothing outside the project. */

import type { Command } from '../../command/command.js';
import type { CallAnalysis } from '../analysis.js';
import type { CommandDecision, Decision, Reason, RuleReference } from '../decision.js';
import type { Facts } from '../facts.js';
import { factsNeeded } from '../facts-needed.js';
import { placeOf } from './place.js';
import { pathReferences } from './references.js';

/** What a preset may let pass without a word of the runner's; a written rule speaks for the rest. */
const AT_HOME: ReadonlySet<string> = new Set(['read', 'write', 'delete']);
const DEVICES: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']);

/**
 * True when a runner may skip its own prompt for the call ("The policy file", `hook.grant`): a written rule or a preset allowed
 * every part of it, nothing in it is opaque, and every path that it touches lies in the project. A default, a tier or
 * `onAsk: allow` is no such word.
 * @param cwd the directory of the call, as the facts were gathered for it
 */
export function mayGrant(decision: Decision, analysis: CallAnalysis, facts: Facts, cwd: string): boolean {
  if (decision.decision !== 'allow' || analysis.subjects.missing) return false;
  const policy = decision.stages.find(({ stage }) => stage === 'policy');
  if (policy === undefined) return false;
  const lines = analysis.lines;
  if (lines.some(({ tree }) => tree.opaque.length > 0)) return false;
  const commands = lines.length > 0 ? decision.commands : [];
  const spoken =
    commands.length > 0
      ? commands.every((command) => saysAllow(command))
      : lines.length === 0 && explicit(policy.rule, policy.reasons);
  if (!spoken || !staysInside(analysis, facts, cwd)) return false;
  if (lines.some(({ tree }) => tree.commands.some(mayHidePath))) return false;
  const rules = lines.length > 0 ? commands.map(({ rule }) => rule) : [policy.rule];
  if (rules.every((rule) => rule !== null && rule.layer !== 'preset')) return true;
  return lines.length > 0 ? lines.every(({ tree }) => tree.commands.every(isAtHome)) : AT_HOME.has(analysis.tool.access);
}

function saysAllow(command: CommandDecision): boolean {
  if (command.decision !== 'allow') return false;
  if (command.inner.length > 0 && !command.inner.every(saysAllow)) return false;
  return explicit(command.rule, command.reasons);
}

function explicit(rule: RuleReference | null, reasons: readonly Reason[]): boolean {
  if (rule !== null) return rule.effect === 'allow';
  return reasons.length > 0 && reasons.every(({ code }) => /^(?:preset|shell)\//.test(code));
}

function isAtHome({ verdict, inner }: Command): boolean {
  return verdict.known && verdict.effects.every(({ action }) => AT_HOME.has(action)) && inner.every(isAtHome);
}

/** A path inside a word (`-I/etc`, `@/etc/passwd`, `host:../x`): of a command without a grammar nobody knows where it begins. */
const PATH_WITHIN = /^-[^-].*(?:\/|\.\.)|[:@,](?:\/|~|\.\.)/;

function mayHidePath({ verdict, invocation, inner }: Command): boolean {
  if (inner.some(mayHidePath)) return true;
  return !verdict.known && invocation.argv.some(({ value }, at) => at > 0 && value !== null && PATH_WITHIN.test(value));
}

/** Every path of the call is known, and really lies in the project. */
function staysInside(analysis: CallAnalysis, facts: Facts, cwd: string): boolean {
  const place = placeOf(cwd, facts);
  if (pathReferences(analysis, place).some(({ key, glob }) => key === null && glob === null)) return false;
  if (!isInside(facts.cwd, facts.project)) return false;
  return factsNeeded(analysis, place).paths.every((path) => {
    const fact = facts.paths[path];
    return DEVICES.has(path) || (fact !== undefined && isInside(fact.real, facts.project));
  });
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
