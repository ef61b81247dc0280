/** The tool lists of agent definitions: which definitions have one, and a call that is outside of it. */
import type { AgentDefinition } from '../../agent/agent.js';
import { absentToolsMean, toolOfEntry } from '../../agent/tool-list.js';
import type { Policy } from '../../policy/policy.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { excerptOf } from '../model/digest.js';
import type { EvidenceDraft } from '../model/examined.js';
import { lineEvidence } from './evidence.js';
import type { AskedCall, AuditSubject } from './subject.js';

type MissingTools = Policy['agents']['missingTools'];

/** Whether the calls of an agent are limited by a list, which may be empty. Definitions that cannot be used allow nothing. */
export function isLimited({ status, tools, capabilities, dialect }: AgentDefinition, missing: MissingTools): boolean {
  if (status === 'active' && tools.state === 'listed' && capabilities === null && tools.tools.some(isEveryTool)) return false;
  if (status !== 'active' || tools.state !== 'absent' || capabilities !== null) return true;
  return absentToolsMean(dialect, missing) === 'empty';
}

/** `*` names every tool, as a list that leaves none out. */
function isEveryTool(entry: string): boolean {
  const covers = toolsCovered(toolOfEntry(entry), 'allow');
  return [UNLISTED_MCP.tool, 'Bash', 'Write'].every(covers);
}

/** Returns the list of a definition as evidence; empty when the file can no longer be read. */
export function allowlistEvidence({ workspace, project }: AuditSubject, agent: AgentDefinition): readonly EvidenceDraft[] {
  const supports = isLimited(agent, workspace.policy.agents.missingTools);
  const list = excerptOf(listOf(agent));
  const shows = supports
    ? `Agent ${agent.name} is limited: ${list}.`
    : `Agent ${agent.name} ${agent.tools.state === 'listed' ? 'lists every tool' : 'has no list of tools and inherits all'}.`;
  return lineEvidence(project, agent.source, shows, { supports, excerpt: list });
}

function listOf({ status, tools, capabilities }: AgentDefinition): string {
  if (status !== 'active') return `the definition is ${status}, so all of its calls are denied`;
  if (tools.state === 'listed') return `tools: ${tools.tools.join(', ')}`;
  if (capabilities !== null) return `tools.mcp: ${capabilities.mcp.join(', ')}`;
  return tools.state === 'empty' ? 'tools: none' : 'no tools field';
}

/** Calls that every policy has an answer to, ordered by the harm that they would do. */
const candidates = (project: string): readonly Omit<AskedCall, 'agent'>[] => [
  { tool: 'Bash', input: { command: 'git status', description: 'd' } },
  { tool: 'Write', input: { file_path: `${project}/audit-probe.txt`, content: '' } },
  { tool: 'WebFetch', input: { url: 'https://audit.invalid/', prompt: 'p' } },
  { tool: 'NotebookEdit', input: { notebook_path: `${project}/audit-probe.ipynb`, new_source: '' } },
  { tool: 'CronCreate', input: { cron: '0 0 1 1 *', prompt: 'p' } },
];
const UNLISTED_MCP = { tool: 'mcp__policy_audit__probe', input: {} };

/** Returns a call of the agent with a tool that neither its list nor its own rules name; null if they name every tool that we try. */
export function outsideCall(
  { rawName, status, tools, capabilities, permissions }: AgentDefinition,
  project: string,
): AskedCall | null {
  if (status !== 'active') return null;
  if (capabilities !== null) return { ...UNLISTED_MCP, agent: rawName };
  const listed = tools.state === 'listed' ? tools.tools : [];
  const entries = [...listed, ...(permissions?.rules ?? []).map(({ tool }) => tool)].map(toolOfEntry);
  // As a list grants them: `Edit` covers every tool that edits, a glob every tool that it matches.
  const covered = entries.map((entry) => toolsCovered(entry, 'allow'));
  const call = candidates(project).find(({ tool }) => !covered.some((covers) => covers(tool)));
  return call === undefined ? null : { ...call, agent: rawName };
}
