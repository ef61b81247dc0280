/** The three stages of a decision: agent (a ceiling), policy, budget. */
import type { AgentCapabilities } from '../agent/agent.js';
import { checkMcpTool, validateToolPolicy } from '../agent/allowlist.js';
import { normalizeName } from '../agent/name.js';
import type { ToolCall } from '../call/tool-call.js';
import type { CompiledRule, RuleSet } from '../rule/rule-set.js';
import type { CallAnalysis, Place } from './analysis.js';
import { type Claim, ruleClaim, strongestClaims, type Verdict } from './claim.js';
import type { CompiledAgent, CompiledPolicy } from './compile.js';
import type { CommandDecision } from './decision.js';
import type { Facts } from './facts.js';
import { modeClaim, type Scope } from './scope.js';
import { judgeLine } from './shell-line.js';
import type { ClusterRules } from './spellings.js';
import { combine, judgeTool } from './tool-call.js';

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

/** Judges the call in one scope: by its command lines when it is a shell, else by its tool. */
function judge(scope: Scope): StageVerdict {
  const { analysis } = scope;
  if (!isShell(analysis)) return { ...judgeTool(scope), commands: NO_COMMANDS };
  const whole = wholeCallClaims(scope);
  const only = analysis.lines[0];
  if (whole.length === 0 && only !== undefined && analysis.lines.length === 1) return judgeLine(only, scope);
  const lines = analysis.lines.map((line) => judgeLine(line, scope));
  const verdict = combine(whole.length > 0 ? [strongestClaims(whole), ...lines] : lines);
  return { ...verdict, commands: lines.flatMap((line) => line.commands) };
}

const NO_CLUSTERS: ClusterRules = { meeting: () => [] };
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
    guard: { except: compiled.except },
    fallback: compiled.fallback,
    protectedBranches: compiled.policy.protectedBranches,
    facts: input.facts,
    place: input.place,
    analysis: input.analysis,
    matched: input.matched,
  };
  const verdict = judge(scope);
  const closed = presetOtherwise(compiled, analysis);
  const unreviewed = verdict.decision === 'allow' ? reviewMissing(compiled, analysis) : null;
  if (closed === null && unreviewed === null) return verdict;
  const extra = strongestClaims([closed, unreviewed].filter((claim) => claim !== null));
  return { ...combine([extra, verdict]), commands: verdict.commands };
}

/** A preset with `otherwise` denies (or asks about) every tool that it does not name; that is as strong as a written rule. */
function presetOtherwise(compiled: CompiledPolicy, { tool }: CallAnalysis): Claim | null {
  const preset = compiled.preset;
  if (preset === null || preset.definition.otherwise === null) return null;
  if (preset.definition.provenReads && tool.canonical === 'Bash') return null;
  if (preset.named.some((covers) => covers(tool.canonical))) return null;
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

/** Agent stage: what the calling agent's own definition, and an overlay, let through. Never raises what the policy says. */
export function agentStage(input: StageInput): StageVerdict | null {
  const ceilings: StageVerdict[] = [];
  const { call, compiled } = input;
  if (call.agent !== undefined) {
    const agent = compiled.agent(normalizeName(call.agent));
    ceilings.push(agent === undefined ? unknownAgent(call.agent) : agentCeiling(agent, input));
  }
  if (compiled.overlay !== null)
    ceilings.push(
      permissionCeiling(compiled.overlay.rules, input, (subject) =>
        modeClaim(compiled.overlay?.config.defaultMode ?? 'ask', subject, 'the overlay'),
      ),
    );
  if (ceilings.length === 0) return null;
  const verdict = combine(ceilings);
  return { ...verdict, commands: ceilings.find((one) => one.decision === verdict.decision)?.commands ?? [] };
}

function unknownAgent(name: string): StageVerdict {
  return verdictOf({
    effect: 'ask',
    rule: null,
    reason: { code: 'agent/unknown', message: `no definition of agent ${JSON.stringify(name)} was found` },
  });
}

function verdictOf(claim: Claim): StageVerdict {
  return { decision: claim.effect, rule: claim.rule, reasons: [claim.reason], commands: [] };
}

const inherited: Claim = {
  effect: 'allow',
  rule: null,
  reason: { code: 'agent/inherited', message: 'the agent inherits the policy' },
};

function agentCeiling(agent: CompiledAgent, input: StageInput): StageVerdict {
  const { definition } = agent;
  if (definition.status !== 'active') {
    const first = definition.errors[0];
    const message = `agent ${definition.name} is ${definition.status}${first ? `: ${first.message} (${first.source.file}:${first.source.line})` : ''}`;
    return verdictOf({ effect: 'deny', rule: null, reason: { code: `agent/${definition.status}`, message } });
  }
  const beyond = definition.capabilities && capabilityRefusal(definition.capabilities, input);
  if (beyond !== null) return verdictOf(beyond);
  const invisible = visibility(agent, input);
  if (invisible !== null) return verdictOf(invisible);
  const ceilings: StageVerdict[] = [];
  if (definition.readOnly)
    ceilings.push(verdictOf(modeClaim('plan', { tool: input.analysis.tool, provenReads: false, inProject: false }, 'the agent')));
  if (agent.granted !== null) ceilings.push(permissionCeiling(agent.granted, input, notGranted(agent)));
  if (agent.rules !== null) {
    const mode = definition.permissions?.defaultMode ?? 'ask';
    ceilings.push(permissionCeiling(agent.rules, input, (subject) => modeClaim(mode, subject, `agent ${definition.name}`)));
  }
  if (ceilings.length === 0) return verdictOf(inherited);
  const verdict = combine(ceilings);
  return { ...verdict, commands: ceilings.find((one) => one.decision === verdict.decision)?.commands ?? [] };
}

/** Seed 004: an MCP tool must be listed, and what it writes or runs must be granted besides (R229, R230, R240, R241). */
function capabilityRefusal(capabilities: AgentCapabilities, { call, analysis, facts }: StageInput): Claim | null {
  if (analysis.tool.mcp === null && !call.tool.startsWith('codex_')) return null;
  const message = checkMcpTool(capabilities, call.tool, call.input, facts.project);
  return message === null ? null : { effect: 'deny', rule: null, reason: { code: 'agent/capability', message } };
}

/** A tool granted by its name alone is granted whole; with patterns, only what they cover. */
function notGranted(agent: CompiledAgent) {
  return (subject: { readonly tool: { readonly canonical: string } }): Claim => {
    const { canonical } = subject.tool;
    const named = agent.named.some((covers) => covers(canonical));
    return named
      ? { effect: 'allow', rule: null, reason: { code: 'agent/own-rules', message: 'its own rules decide' } }
      : {
          effect: 'deny',
          rule: null,
          reason: {
            code: 'agent/not-granted',
            message: `agent ${agent.definition.name} is not granted this use of ${canonical}`,
          },
        };
  };
}

/** The three states of a tool list (design "Agents and their tools"); texts of R055 and R056. */
function visibility(agent: CompiledAgent, input: StageInput): Claim | null {
  const { definition } = agent;
  const { canonical } = input.analysis.tool;
  const deny = (code: string, message: string): Claim => ({ effect: 'deny', rule: null, reason: { code, message } });
  if (agent.excluded.some((covers) => covers(canonical)))
    return deny('agent/tool-excluded', `agent ${definition.name} excludes ${input.call.tool}`);
  if (agent.named.some((covers) => covers(canonical))) return null;
  // Seed 004 grants files, network and programs beside its list of MCP tools; those grants decide.
  if (definition.capabilities !== null) return null;
  const state = definition.tools.state === 'absent' ? absentMeans(agent, input.compiled) : definition.tools.state;
  if (state === 'inherit') return null;
  if (state === 'listed' && agent.listed.some((one) => one.covers(canonical) || one.tool === input.call.tool)) return null;
  if (state === 'listed' && canonical === 'Bash' && listsProgram(agent, input.analysis)) return null;
  const violation = validateToolPolicy(
    { name: definition.name, tools: state === 'listed' ? agent.listed.map((one) => one.entry) : [] },
    input.call.tool,
  );
  return violation === null
    ? null
    : deny(violation.code === 'NO_TOOLS_ALLOWED' ? 'agent/no-tools' : 'agent/tool-not-allowed', violation.message);
}

function absentMeans(agent: CompiledAgent, compiled: CompiledPolicy): 'inherit' | 'empty' {
  const choice = compiled.policy.agents.missingTools;
  if (choice !== 'dialect') return choice === 'inherit' ? 'inherit' : 'empty';
  const { dialect } = agent.definition;
  return dialect === 'claude-code' || dialect === 'agent-code' ? 'inherit' : 'empty';
}

/** Seed 000 lists programs as tools (`tools: [git, npm]`): each lets the agent ask for that program, no more (C25). */
function listsProgram(agent: CompiledAgent, analysis: CallAnalysis): boolean {
  const commands = analysis.lines.flatMap((line) => line.tree.commands);
  return (
    commands.length > 0 &&
    commands.every((command) => command.name !== null && agent.listed.some((one) => one.tool === command.name))
  );
}

function permissionCeiling(rules: RuleSet, input: StageInput, fallback: Scope['fallback']): StageVerdict {
  return judge({
    rules,
    bodies: [rules],
    restricting: [rules],
    clusters: NO_CLUSTERS,
    preset: null,
    guard: null,
    fallback,
    protectedBranches: [],
    facts: input.facts,
    place: input.place,
    analysis: input.analysis,
    matched: input.matched,
  });
}

const UNITS = ['tokens', 'calls', 'seconds'] as const;

/** Budget stage: tokens, calls and seconds of the session, tokens of the agent (R250-R254). */
export function budgetStage(input: StageInput): StageVerdict {
  const { budget } = input.compiled.policy;
  const spent = input.facts.budget;
  for (const unit of UNITS) {
    const limit = budget[unit];
    const used = spent?.[unit] ?? 0;
    if (limit !== null && used >= limit) return spentVerdict('session', unit, used, limit);
  }
  const agent = input.call.agent;
  if (agent !== undefined && Object.hasOwn(budget.perAgent, agent)) {
    const limit = budget.perAgent[agent] ?? 0;
    const used = spent !== null && Object.hasOwn(spent.perAgent, agent) ? (spent.perAgent[agent] ?? 0) : 0;
    if (used >= limit) return spentVerdict(`agent ${agent}`, 'tokens', used, limit);
  }
  return WITHIN_BUDGET;
}

const WITHIN_BUDGET = verdictOf({ effect: 'allow', rule: null, reason: { code: 'budget/left', message: 'within the budget' } });

function spentVerdict(whose: string, unit: string, used: number, limit: number): StageVerdict {
  return verdictOf({
    effect: 'deny',
    rule: null,
    reason: { code: `budget/${unit}`, message: `the ${unit} of the ${whose} are spent: ${used} of ${limit}` },
  });
}
