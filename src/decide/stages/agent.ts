/** The agent stage: a ceiling formed by the definitions of the agents that a call comes from, and by an overlay. */
import type { AgentCapabilities } from '../../agent/agent.js';
import { checkMcpTool, mayCallMcpTool, validateToolPolicy } from '../../agent/allowlist.js';
import { normalizeName, printable } from '../../agent/name.js';
import { absentToolsMean } from '../../agent/tool-list.js';
import { indexRules, type RuleSet } from '../../rule/index/rule-index.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { combine } from '../call/tool-call.js';
import type { CallAnalysis } from '../flow/analysis.js';
import type { CompiledAgent } from '../policy/compile.js';
import { modeRuling, type Scope } from '../policy/scope.js';
import { NO_RESTRICTIONS } from '../policy/spellings.js';
import type { Ruling } from '../ruling/combine.js';
import { judge, type StageInput, type StageVerdict, verdictOf } from './policy.js';

/**
 * Returns the agent stage's verdict: what the calling agents' own definitions and an overlay permit. It never allows more than
 * the policy. Null if there is neither.
 */
export function agentStage(input: StageInput): StageVerdict | null {
  const ceilings: StageVerdict[] = [];
  const { call, compiled } = input;
  if (call.agent !== undefined) ceilings.push(...ceilingsOf(call.agent, input));
  for (const ancestor of call.within ?? []) ceilings.push(...ceilingsOf(ancestor, input));
  if (compiled.overlay !== null)
    ceilings.push(
      permissionCeiling(compiled.overlay.rules, input, (subject) =>
        modeRuling(compiled.overlay?.config.defaultMode ?? 'ask', subject, 'the overlay'),
      ),
    );
  if (ceilings.length === 0) return null;
  const verdict = combine(ceilings);
  return { ...verdict, commands: ceilings.find((one) => one.decision === verdict.decision)?.commands ?? [] };
}

/** The ceilings of an agent's calls: its definition and, if that is an intersection, each of the intersected definitions. */
function ceilingsOf(name: string, input: StageInput): StageVerdict[] {
  const agent = input.compiled.agent(normalizeName(name));
  if (agent === undefined || !isCalled(agent, name)) return [unknownAgent(name)];
  return [agent, ...agent.parts].map((one) => agentCeiling(one, input));
}

const ASCII = /^[ -~]*$/;

/**
 * Normalising a name drops letters other than a-z, so that `über` and `ber` are found as the same name; with such letters, only
 * an identical spelling is the same agent.
 */
function isCalled({ definition, parts }: CompiledAgent, name: string): boolean {
  const wanted = name.normalize();
  return [definition, ...parts.map((part) => part.definition)].some(
    ({ rawName }) => (ASCII.test(name) && ASCII.test(rawName)) || rawName.normalize() === wanted,
  );
}

function unknownAgent(name: string): StageVerdict {
  return verdictOf({
    effect: 'ask',
    rule: null,
    reason: { code: 'agent/unknown', message: `no definition of agent ${JSON.stringify(name)} was found` },
  });
}

const inherited: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'agent/inherited', message: 'the agent inherits the policy' },
};

/** Tools by which an agent hands back its answer and ends. An agent that may start may also end, and no tool list names them. */
const ENDS = new Set(['SubagentHandback', 'StructuredOutput']);

function agentCeiling(agent: CompiledAgent, input: StageInput): StageVerdict {
  const { definition } = agent;
  if (definition.status !== 'active') {
    const first = definition.errors.find(({ severity }) => severity !== 'warning') ?? definition.errors[0];
    const where = first?.source ?? definition.source;
    const why = `${definition.status}${first ? `: ${first.message.replace(/\.$/, '')}` : ''} (${where.file}:${where.line})`;
    const fix = definition.status === 'invalid' ? '; correct that file: policy lint says how' : '';
    const message = `agent ${printable(definition.rawName)} is ${why}${fix}`;
    return verdictOf({ effect: 'deny', rule: null, reason: { code: `agent/${definition.status}`, message } });
  }
  const beyond = definition.capabilities && capabilityRefusal(definition.capabilities, input);
  if (beyond !== null) return verdictOf(beyond);
  if (ENDS.has(input.analysis.tool.canonical)) return verdictOf(inherited);
  const invisible = visibility(agent, input);
  if (invisible !== null) return verdictOf(invisible);
  const ceilings: StageVerdict[] = [];
  if (definition.readOnly)
    ceilings.push(
      verdictOf(modeRuling('plan', { tool: input.analysis.tool, provenReads: false, inProject: false }, 'the agent')),
    );
  if (definition.readsOnly === true) ceilings.push(permissionCeiling(NO_RULES, input, provenRead(definition.name)));
  if (agent.granted !== null) ceilings.push(permissionCeiling(agent.granted, input, notGranted(agent, input.analysis)));
  if (agent.rules !== null) {
    const mode = definition.permissions?.defaultMode ?? 'ask';
    ceilings.push(permissionCeiling(agent.rules, input, (subject) => modeRuling(mode, subject, `agent ${definition.name}`)));
  }
  if (ceilings.length === 0) return verdictOf(inherited);
  const verdict = combine(ceilings);
  return { ...verdict, commands: ceilings.find((one) => one.decision === verdict.decision)?.commands ?? [] };
}

/** Seed 004: an MCP tool must be listed, and in addition what it writes or runs must be granted. */
function capabilityRefusal(capabilities: AgentCapabilities, { call, analysis, facts }: StageInput): Ruling | null {
  if (analysis.tool.mcp === null && !call.tool.startsWith('codex_')) return null;
  const message = checkMcpTool(capabilities, call.tool, call.input, facts.project);
  const code = mayCallMcpTool(capabilities, call.tool) ? 'agent/beyond-grant' : 'agent/capability';
  return message === null ? null : { effect: 'deny', rule: null, reason: { code, message } };
}

/** The fallback for an agent that its runner promises to keep read-only: anything not proven to read only is denied. */
function provenRead(name: string): Scope['fallback'] {
  return ({ tool, provenReads }) =>
    provenReads || tool.access === 'read' || tool.harmless
      ? { effect: 'allow', rule: null, reason: { code: 'agent/reads', message: `agent ${name} only reads` } }
      : { effect: 'deny', rule: null, reason: { code: 'agent/reads-only', message: `agent ${name} may only read` } };
}

/** A tool granted by name alone is granted completely; with patterns, only what they cover. */
function notGranted(agent: CompiledAgent, analysis: CallAnalysis) {
  return (subject: { readonly tool: { readonly canonical: string } }): Ruling => {
    const { canonical } = subject.tool;
    if (canonical === 'Bash' && listsProgram(agent, analysis)) {
      const message = `agent ${agent.definition.name} lists programs, not Bash, and may ask for each of them`;
      return { effect: 'ask', rule: null, reason: { code: 'agent/lists-program', message } };
    }
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

/** Checks the three states of a tool list. */
function visibility(agent: CompiledAgent, input: StageInput): Ruling | null {
  const { definition } = agent;
  const { canonical } = input.analysis.tool;
  const deny = (code: string, message: string): Ruling => ({ effect: 'deny', rule: null, reason: { code, message } });
  if (agent.excluded.some((covers) => covers(canonical)))
    return deny('agent/tool-excluded', `agent ${definition.name} excludes ${input.call.tool}`);
  if (agent.named.some((covers) => covers(canonical))) return null;
  // Seed 004 grants files, network and programs in addition to its list of MCP tools; those grants decide.
  if (definition.capabilities !== null) return null;
  const state =
    definition.tools.state === 'absent'
      ? absentToolsMean(definition.dialect, input.compiled.policy.agents.missingTools)
      : definition.tools.state;
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

/** Seed 000 lists programs as tools (`tools: [git, npm]`): each permits the agent to ask for that program, and nothing more. */
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
    restrictions: NO_RESTRICTIONS,
    preset: null,
    guard: null,
    fallback,
    protectedBranches: [],
    harmlessVariables: input.compiled.policy.harmlessVariables,
    facts: input.facts,
    place: input.place,
    analysis: input.analysis,
    matched: input.matched,
  });
}

const NO_RULES: RuleSet = indexRules([], toolsCovered);
