/** Two of the three stages of a decision, policy and budget; the third is in agent-stage.ts. */
import type { ToolCall } from '../../call/tool-call.js';
import type { CompiledRule } from '../../rule/rule-set.js';
import type { CallAnalysis } from '../analysis.js';
import type { Place } from '../call/place.js';
import { combine, judgeTool } from '../call/tool-call.js';
import type { CompiledPolicy } from '../compiled/compile.js';
import type { CommandDecision } from '../decision.js';
import type { Facts } from '../facts.js';
import { keystrokeClaim } from '../guards/interactive-programs.js';
import { patchProgramClaim } from '../guards/patch-program.js';
import { unreadPolicyClaim } from '../guards/unread-policy.js';
import { judgeLine } from '../line/line.js';
import { type Claim, ruleClaim, strongestClaims, type Verdict } from './combine.js';
import type { Scope } from './scope.js';

/** What the stages share. */
export interface StageInput {
  readonly compiled: CompiledPolicy;
  readonly call: ToolCall;
  readonly facts: Facts;
  readonly place: Place;
  readonly analysis: CallAnalysis;
  readonly matched: Set<CompiledRule>;
}

export interface StageVerdict extends Verdict {
  readonly commands: readonly CommandDecision[];
}

const isShell = (analysis: CallAnalysis) => analysis.tool.mcp === null && analysis.lines.length > 0;

/** A verdict of one claim. */
export function verdictOf(claim: Claim): StageVerdict {
  return { decision: claim.effect, rule: claim.rule, reasons: [claim.reason], commands: [] };
}

/** Judges the call in one scope: by its command lines when it is a shell, else by its tool. */
export function judge(scope: Scope): StageVerdict {
  const verdict = judged(scope);
  return verdict.decision === 'allow' && isOtherLanguage(scope) ? { ...verdict, ...OTHER_LANGUAGE } : verdict;
}

/** Whether a line of PowerShell was read as one of a POSIX shell, which may deny and ask, and proves nothing. */
function isOtherLanguage({ analysis: { tool }, bodies }: Scope): boolean {
  if (tool.canonical !== 'PowerShell') return false;
  return !bodies.some((rules) => rules.total(tool.canonical).some(({ rule }) => rule.effect === 'allow'));
}

const OTHER_LANGUAGE: Verdict = {
  decision: 'ask',
  rule: null,
  reasons: [{ code: 'shell/powershell', message: 'what PowerShell makes of a line is not read' }],
};

function judged(scope: Scope): StageVerdict {
  const { analysis } = scope;
  if (!isShell(analysis)) return { ...judgeTool(scope), commands: NO_COMMANDS };
  const whole = wholeCallClaims(scope);
  const only = analysis.lines[0];
  if (whole.length === 0 && only !== undefined && analysis.lines.length === 1) return judgeLine(only, scope);
  const lines = analysis.lines.map((line) => judgeLine(line, scope));
  const verdict = combine(whole.length > 0 ? [strongestClaims(whole), ...lines] : lines);
  return { ...verdict, commands: lines.flatMap((line) => line.commands) };
}

const NO_COMMANDS: readonly CommandDecision[] = [];

/** Ask and deny rules for the tool as a whole (`deny: [Bash]`), and inputs that widen the call. */
function wholeCallClaims(scope: Scope): Claim[] {
  const { tool, subjects } = scope.analysis;
  const claims: Claim[] = [];
  for (const rules of scope.restricting) {
    for (const rule of rules.total(tool.canonical)) {
      if (rule.rule.effect === 'allow') continue;
      scope.matched.add(rule);
      claims.push(ruleClaim(rule.rule));
    }
  }
  if (scope.guard !== null)
    for (const message of subjects.widening)
      claims.push({ effect: 'ask', rule: null, reason: { code: 'input/widening', message } });
  return claims;
}

/** Policy stage: floor and protected > deny > ask > allow > preset > tier > default. */
export function policyStage(input: StageInput): StageVerdict {
  const { compiled, analysis } = input;
  const scope: Scope = {
    rules: compiled.rules,
    bodies: compiled.bodies,
    restricting: compiled.restricting,
    clusters: compiled.clusters,
    preset: compiled.preset,
    guard: { except: compiled.except, runner: input.call.runner },
    fallback: compiled.fallback,
    protectedBranches: compiled.policy.protectedBranches,
    harmlessVariables: compiled.policy.harmlessVariables,
    facts: input.facts,
    place: input.place,
    analysis: input.analysis,
    matched: input.matched,
  };
  const verdict = judge(scope);
  const closed = presetOtherwise(compiled, analysis);
  const unreviewed = verdict.decision === 'allow' ? reviewMissing(compiled, analysis) : null;
  const typed = keystrokeClaim(input.call.runner, analysis);
  const patched = patchProgramClaim(input.call.runner, analysis);
  const loaded = skillClaims(input.facts);
  const unread = unreadPolicyClaim(compiled, analysis);
  const more = [closed, unreviewed, typed, patched, unread, ...loaded].filter((claim) => claim !== null);
  if (more.length === 0) return verdict;
  const extra = strongestClaims(more);
  return { ...combine([extra, verdict]), commands: verdict.commands };
}

/** A skill runs its own commands without asking any hook: what they would be answered, its call is answered. */
function skillClaims({ skill }: Facts): readonly Claim[] {
  return (skill?.claims ?? []).map(({ effect, message }) => ({
    effect,
    rule: null,
    reason: { code: 'skill/commands', message },
  }));
}

/** A preset with `otherwise` denies (or asks about) every tool that it does not name; that is as strong as a written rule. */
function presetOtherwise(compiled: CompiledPolicy, { tool }: CallAnalysis): Claim | null {
  const preset = compiled.preset;
  if (preset === null || preset.definition.otherwise === null) return null;
  if (preset.definition.provenReads && tool.canonical === 'Bash') return null;
  if (preset.names(tool.canonical)) return null;
  const { name, otherwise } = preset.definition;
  const verb = otherwise === 'deny' ? 'does not include' : 'asks about';
  return {
    effect: otherwise,
    rule: null,
    reason: { code: `preset/${name}`, message: `preset ${name} ${verb} ${tool.canonical}` },
  };
}

/** A dangerous custom tool needs a review beside the rule that allows it (R248). */
function reviewMissing(compiled: CompiledPolicy, { tool }: CallAnalysis): Claim | null {
  if (compiled.customTools.size === 0) return null;
  const custom = compiled.customTools.get(tool.canonical.toLowerCase());
  if (custom === undefined || custom.tier !== 'dangerous' || custom.review !== undefined) return null;
  return {
    effect: 'ask',
    rule: null,
    reason: { code: 'tier/no-review', message: `${custom.name} is dangerous and its entry in custom_tools names no review` },
  };
}
