/** The policy stage of a decision: rules, preset and guards. The agent and the budget have their own stages. */
import type { ToolCall } from '../../call/tool-call.js';
import type { CompiledRule } from '../../rule/rule-set.js';
import { combine, judgeTool, meetsFields, telling } from '../call/tool-call.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { keystrokeRuling } from '../guards/interactive-programs.js';
import { patchProgramRuling } from '../guards/patch-program.js';
import { redefinedRuling } from '../guards/redefined.js';
import { unreadPolicyRuling } from '../guards/unread-policy.js';
import { judgeLine } from '../line/line.js';
import type { Place } from '../place/place.js';
import type { CompiledPolicy } from '../policy/compile.js';
import type { Scope } from '../policy/scope.js';
import { combineDenyOverrides, type Ruling, rulingOfRule, type Verdict } from '../ruling/combine.js';
import type { CommandDecision } from '../ruling/decision.js';
import type { Facts } from '../ruling/facts.js';
import { reservation } from './reservations.js';

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

export function verdictOf(ruling: Ruling): StageVerdict {
  return { decision: ruling.effect, rule: ruling.rule, reasons: [ruling.reason], commands: [] };
}

/** Judges the call in one scope: by its command lines if it is a shell, otherwise by its tool. */
export function judge(scope: Scope): StageVerdict {
  const verdict = judged(scope);
  if (verdict.decision !== 'allow' || isTotallyAllowed(scope)) return verdict;
  const { tool, lines } = scope.analysis;
  if (tool.canonical === 'PowerShell' && !lines.every(({ parts }) => parts !== undefined))
    return { ...verdict, ...OTHER_LANGUAGE };
  return tool.known || !isShell(scope.analysis) ? verdict : { ...verdict, ...strangersLine(scope) };
}

function isTotallyAllowed({ analysis: { tool }, bodies }: Scope): boolean {
  return bodies.some((rules) => rules.total(tool.canonical).some(({ rule }) => rule.effect === 'allow'));
}

/**
 * The command line of an unknown tool does not reveal what else the tool does (`Deploy {command, target}`): it may deny and ask,
 * but proves nothing.
 */
function strangersLine({ analysis: { tool }, fallback }: Scope): Verdict {
  const { effect, rule, reason } = fallback({ tool, provenReads: false, inProject: false });
  return { decision: effect, rule, reasons: [reason] };
}

/** A PowerShell line that is not plain is read as a POSIX shell line, which may deny and ask but proves nothing. */
const OTHER_LANGUAGE: Verdict = {
  decision: 'ask',
  rule: null,
  reasons: [{ code: 'shell/powershell', message: 'this PowerShell line cannot be analysed' }],
};

function judged(scope: Scope): StageVerdict {
  const { analysis } = scope;
  if (!isShell(analysis)) return { ...combine([judgeTool(scope), ...deletions(scope)]), commands: NO_COMMANDS };
  const whole = wholeCallRulings(scope);
  if (analysis.tool.canonical === 'PowerShell') whole.push(...telling(scope));
  const only = analysis.lines[0];
  if (whole.length === 0 && only !== undefined && analysis.lines.length === 1) return judgeLine(only, scope);
  const lines = analysis.lines.map((line) => judgeLine(line, scope));
  const verdict = combine(whole.length > 0 ? [combineDenyOverrides(whole), ...lines] : lines);
  return { ...verdict, commands: lines.flatMap((line) => line.commands) };
}

/** Deletions in a patch are judged like `rm`; a rule for the whole tool covers them. */
function deletions(scope: Scope): readonly Verdict[] {
  const { deletions: lines, tool } = scope.analysis;
  if (lines.length === 0 || tool.mcp !== null || isTotallyAllowed(scope)) return [];
  return lines.map((line) => judgeLine(line, scope));
}

const NO_COMMANDS: readonly CommandDecision[] = [];

/** Ask and deny rules for the whole tool (`deny: [Bash]`) or for one of its fields, and inputs that widen the call. */
function wholeCallRulings(scope: Scope): Ruling[] {
  const { tool, subjects } = scope.analysis;
  const rulings: Ruling[] = [];
  for (const rules of scope.restricting) {
    for (const rule of rules.total(tool.canonical)) {
      if (rule.rule.effect === 'allow') continue;
      scope.matched.add(rule);
      rulings.push(rulingOfRule(rule.rule));
    }
    for (const rule of meetsFields(rules, scope)) {
      scope.matched.add(rule);
      rulings.push(rulingOfRule(rule.rule));
    }
  }
  if (scope.guard !== null)
    for (const message of subjects.widening)
      rulings.push({ effect: 'ask', rule: null, reason: { code: 'input/widening', message } });
  return rulings;
}

/**
 * The policy stage: built-in denials and protected paths > deny > ask > allow > preset > tier > default; then reasons to ask
 * about a call even though it is allowed.
 */
export function policyStage(input: StageInput): StageVerdict {
  const verdict = judgedByRules(input);
  const asked = verdict.decision === 'allow' ? reservation(input.facts, input.analysis, verdict.commands) : null;
  return asked === null ? verdict : { ...combineDenyOverrides([asked]), commands: verdict.commands };
}

function judgedByRules(input: StageInput): StageVerdict {
  const { compiled, analysis } = input;
  const scope: Scope = {
    rules: compiled.rules,
    bodies: compiled.bodies,
    restricting: compiled.restricting,
    restrictions: compiled.restrictions,
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
  const typed = keystrokeRuling(input.call.runner, analysis);
  const patched = patchProgramRuling(input.call.runner, analysis);
  const loaded = skillRulings(input.facts);
  const unread = unreadPolicyRuling(compiled, analysis);
  const redefined = redefinedRuling(input.call);
  const more = [redefined, closed, unreviewed, typed, patched, unread, ...loaded].filter((ruling) => ruling !== null);
  if (more.length === 0) return verdict;
  const extra = combineDenyOverrides(more);
  return { ...combine([extra, verdict]), commands: verdict.commands };
}

/** A skill runs its own commands without asking any hook, so its call gets the rulings on those commands. */
function skillRulings({ skill }: Facts): readonly Ruling[] {
  return (skill?.rulings ?? []).map(({ effect, message, code = 'skill/commands' }) => ({
    effect,
    rule: null,
    reason: { code, message },
  }));
}

/** A preset with `otherwise` denies (or asks about) every tool that it does not name; this is as strong as a written rule. */
function presetOtherwise(compiled: CompiledPolicy, { tool }: CallAnalysis): Ruling | null {
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

/** A dangerous custom tool needs a review in addition to the rule that allows it. */
function reviewMissing(compiled: CompiledPolicy, { tool }: CallAnalysis): Ruling | null {
  if (compiled.customTools.size === 0) return null;
  const custom = compiled.customTools.get(tool.canonical.toLowerCase());
  if (custom === undefined || custom.tier !== 'dangerous' || custom.review !== undefined) return null;
  return {
    effect: 'ask',
    rule: null,
    reason: { code: 'tier/no-review', message: `${custom.name} is dangerous and its entry in custom_tools has no review` },
  };
}
