/**
 * The parts of an agent definition that decide its calls, as a string: agents with equal strings get the same answers, except for
 * their names.
 */
import type { AgentDefinition } from '../../agent/agent.js';
import { normalizeName } from '../../agent/name.js';
import { absentToolsMean } from '../../agent/tool-list.js';
import { describeTool, identifyTool } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { Policy } from '../../policy/policy.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';

/** The other inputs of a decision. */
interface Judges {
  readonly runner: RunnerId;
  readonly policy: Pick<Policy, 'agents' | 'budget'>;
  /** Names of the tools that are asked about. */
  readonly tools: readonly string[];
}

/** Returns the string; for a definition that is the intersection of several, it includes each of them. */
export function permissionSet(agent: AgentDefinition, judges: Judges): string {
  const all = [agent, ...(agent.parts ?? [])];
  return JSON.stringify([all.map((one) => setOf(one, judges)), isSpent(agent, judges.policy.budget)]);
}

function setOf(agent: AgentDefinition, judges: Judges): unknown {
  const { status, permissions, readOnly, readsOnly, capabilities, excludedTools } = agent;
  if (status !== 'active') return status;
  return [
    toolsOf(agent, judges),
    [...excludedTools].sort(),
    permissions && [
      permissions.defaultMode,
      permissions.rules.map(({ effect, text }) => `${effect} ${text}`).sort(),
      permissions.allowedTools,
      permissions.disallowedTools,
    ],
    readOnly,
    readsOnly === true,
    capabilities,
  ];
}

/** Reduces a list of whole tools to the tools that it grants; any other list is kept as written. */
function toolsOf({ tools, dialect }: AgentDefinition, { runner, policy, tools: asked }: Judges): unknown {
  if (tools.state === 'absent') return absentToolsMean(dialect, policy.agents.missingTools);
  if (tools.state === 'empty') return tools.state;
  if (!tools.tools.every(isWholeTool)) return [...tools.tools].sort();
  const covered = tools.tools.map((entry) => toolsCovered(entry, 'allow'));
  return {
    grants: asked.filter(
      (tool) => tools.tools.includes(tool) || covered.some((covers) => covers(describeTool(tool, runner).canonical)),
    ),
  };
}

/** Whether an entry grants all calls of known tools: it is not a pattern or the name of a program. */
function isWholeTool(entry: string): boolean {
  return /^[\w-]+$/.test(entry) && (identifyTool(entry).known || entry.startsWith('mcp__'));
}

const LIMITS = ['perAgent', 'perAgentCalls', 'perAgentSeconds'] as const;

/** Whether the policy leaves the agent nothing: a limit of 0 is reached before the first call. */
function isSpent({ rawName }: AgentDefinition, budget: Policy['budget']): boolean {
  const own = LIMITS.flatMap((limit) => Object.entries(budget[limit])).filter(
    ([name]) => normalizeName(name) === normalizeName(rawName),
  );
  return own.some(([, limit]) => limit <= 0);
}
