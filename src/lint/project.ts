/** Everything that rules look at: the parsed files of a project, and ways to walk through them. */
import type { CustomTool } from '../policy/policy.js';
import type { AgentFile, FileProblem, LintFile, PolicyFile } from './files.js';
import { isMap, type TextItem } from './located-text.js';
import type { RuleText } from './policy-rules.js';

export interface LintProject {
  readonly files: readonly LintFile[];
  readonly agents: readonly AgentFile[];
  readonly policies: readonly PolicyFile[];
  /** What could not be searched. */
  readonly incomplete: readonly { readonly path: string; readonly message: string }[];
  /** Names of the tools that policies (`custom_tools`) and definitions (`tools.custom`) declare. */
  readonly declaredTools: ReadonlySet<string>;
  /** Ids of all lint rules. */
  readonly ruleIds: readonly string[];
}

export function projectOf(
  files: readonly LintFile[],
  incomplete: LintProject['incomplete'],
  ruleIds: readonly string[],
): LintProject {
  const agents = files.filter((file) => file.kind === 'agent');
  const policies = files.filter((file) => file.kind === 'policy');
  return { files, agents, policies, incomplete, declaredTools: declaredTools(agents, policies), ruleIds };
}

/** A permission rule with the file that it stands in. */
export interface RuleInFile extends RuleText {
  readonly file: AgentFile | PolicyFile;
}

export function rulesOf(project: LintProject): RuleInFile[] {
  return [...project.agents, ...project.policies].flatMap((file) => file.rules.map((text) => ({ ...text, file })));
}

/** All problems of a project with their files. */
export function problemsOf(project: LintProject): { readonly problem: FileProblem; readonly file: LintFile }[] {
  return project.files.flatMap((file) => file.problems.map((problem) => ({ problem, file })));
}

/** Where a dialect lists the tools that an agent may use, and those that it may not; and what separates them in one text. */
const TOOL_KEYS = {
  'claude-code': { listed: '/tools', excluded: '/disallowedTools', separators: ', ' },
  'codex-markdown': { listed: '/tools', excluded: '', separators: ',' },
  'codex-yaml': { listed: '/tools/mcp', excluded: '', separators: ',' },
  'agent-code': { listed: '/include_tools', excluded: '/exclude_tools', separators: ',' },
} as const;

/** Entries of a tool list that are looked at; nobody writes more. */
export const MOST_TOOLS = 1_000;

/** JSON pointer of the key that lists an agent's tools. */
export function toolsPointer(agent: AgentFile): string {
  return TOOL_KEYS[agent.dialect].listed;
}

/** The entries of an agent's tool list. */
export function listedTools(agent: AgentFile): readonly TextItem[] {
  const { listed, separators } = TOOL_KEYS[agent.dialect];
  return (agent.data?.items(listed, separators) ?? []).slice(0, MOST_TOOLS);
}

/** The entries of the list of tools that an agent may not use. */
export function excludedTools(agent: AgentFile): readonly TextItem[] {
  const { excluded, separators } = TOOL_KEYS[agent.dialect];
  return excluded === '' ? [] : (agent.data?.items(excluded, separators) ?? []).slice(0, MOST_TOOLS);
}

function declaredTools(agents: readonly AgentFile[], policies: readonly PolicyFile[]): ReadonlySet<string> {
  const ofPolicies = policies.flatMap(({ data }) => {
    const list = data?.at('/custom_tools');
    return Array.isArray(list) ? list.filter(isMap).map(({ name }: Partial<CustomTool>) => String(name)) : [];
  });
  const ofAgents = agents.flatMap(({ data }) => data?.items('/tools/custom', ',').map(({ text }) => text) ?? []);
  return new Set([...ofPolicies, ...ofAgents]);
}
