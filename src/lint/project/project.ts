/** The input of all rules: the parsed files of a project, and ways to walk through them. */

import { type AgentFormat, formatTraits } from '../../agent/format.js';
import { isFields } from '../../call/fields.js';
import type { CustomTool } from '../../policy/policy.js';
import { claudeEntries } from '../claude-rules/entries.js';
import type { AgentFile, ConfigFile, FileProblem, LintFile, PolicyFile, ScriptFile, TextFile } from '../files/files.js';
import type { RuleText } from '../files/policy-rules.js';
import type { FoundFiles } from '../files/read-files.js';
import { isManifest, type PluginRoot, pluginRoot } from '../places/plugin-files.js';
import type { LocatedItem } from '../text/located-text.js';

export interface LintProject {
  readonly files: readonly LintFile[];
  readonly agents: readonly AgentFile[];
  readonly policies: readonly PolicyFile[];
  readonly configs: readonly ConfigFile[];
  readonly texts: readonly TextFile[];
  /** Not among `files`: what most rules look for is at home in a script. */
  readonly scripts: readonly ScriptFile[];
  /** The places that could not be searched. */
  readonly incomplete: readonly { readonly path: string; readonly message: string }[];
  /** Whether there is anything at a path of the project; true if this cannot be determined. */
  readonly exists: (path: string) => boolean;
  /** Whether git tracks a path; null if this cannot be determined. */
  readonly tracked: (path: string) => boolean | null;
  /** Names of the tools that policies (`custom_tools`) and definitions (`tools.custom`) declare. */
  readonly declaredTools: ReadonlySet<string>;
  /** The policy of the project switches subagents off. */
  readonly agentsAreOff: boolean;
  readonly ruleIds: readonly string[];
  /** Returns the names of the packages that the project itself publishes. */
  readonly ownPackages: () => ReadonlySet<string>;
}

export function projectOf(
  all: readonly LintFile[],
  { incomplete, exists = () => true, tracked = () => null, ownPackages = () => new Set<string>() }: Omit<FoundFiles, 'files'>,
  ruleIds: readonly string[],
): LintProject {
  const files = all.filter(({ kind }) => kind !== 'script');
  const scripts = all.filter((file) => file.kind === 'script');
  const agents = files.filter((file) => file.kind === 'agent');
  const policies = files.filter((file) => file.kind === 'policy');
  const configs = files.filter((file) => file.kind === 'config');
  const texts = files.filter((file) => file.kind === 'text');
  const declared = declaredTools(agents, policies);
  const agentsAreOff = policies.some(({ data }) => data?.at('/agents/enabled') === false);
  return {
    ...{ files, agents, policies, configs, texts, scripts, incomplete, exists, tracked },
    ...{ declaredTools: declared, agentsAreOff, ruleIds, ownPackages },
  };
}

/** A permission rule with the file that contains it. */
export interface RuleInFile extends RuleText {
  readonly file: AgentFile | PolicyFile | ConfigFile;
}

/** Keeps the answers of a function about a project or a file: most rules ask the same few questions about thousands of files. */
export function onceFor<Subject extends object, T>(answer: (subject: Subject) => T): (subject: Subject) => T {
  const known = new WeakMap<Subject, { readonly value: T }>();
  return (subject) => {
    const before = known.get(subject) ?? { value: answer(subject) };
    known.set(subject, before);
    return before.value;
  };
}

export function oncePerProject<T>(answer: (project: LintProject) => T): (project: LintProject) => T {
  return onceFor(answer);
}

const byFormat = oncePerProject(({ agents }): ReadonlyMap<AgentFormat, AgentFile[]> => {
  const groups = new Map<AgentFormat, AgentFile[]>();
  for (const agent of agents) {
    const group = groups.get(agent.format);
    if (group === undefined) groups.set(agent.format, [agent]);
    else group.push(agent);
  }
  return groups;
});

export function agentsIn(project: LintProject, format: AgentFormat): readonly AgentFile[] {
  return byFormat(project).get(format) ?? [];
}

/** Returns the plugins of a project, by their manifests. */
export const pluginsOf = oncePerProject((project): readonly PluginRoot[] =>
  project.configs.filter(({ path }) => isManifest(path)).map(({ path, source }) => pluginRoot(path, source.text)),
);

/** Returns the files with permission rules that this program enforces. */
export const ruleFilesOf = oncePerProject((project): readonly (AgentFile | PolicyFile)[] =>
  [...project.agents, ...project.policies].filter(({ rules }) => rules.length > 0),
);

/** Returns the permission rules that this program enforces: those of policies and definitions. */
export const rulesOf = oncePerProject((project): readonly RuleInFile[] =>
  ruleFilesOf(project).flatMap((file) => file.rules.map((text) => ({ ...text, file }))),
);

/** Also returns the rules in the settings of runners, except for those that have no effect in their runner. */
export const allRulesOf = oncePerProject((project): readonly RuleInFile[] => {
  const settings = project.configs.flatMap((file) => file.rules.filter(hasEffect(file)).map((text) => ({ ...text, file })));
  return [...rulesOf(project), ...settings];
});

/** Returns all rules as written, in force or not. */
export function writtenRulesOf(project: LintProject): RuleInFile[] {
  return [...rulesOf(project), ...project.configs.flatMap((file) => file.rules.map((text) => ({ ...text, file })))];
}

function hasEffect(file: ConfigFile): (text: RuleText) => boolean {
  if (file.config !== 'claude-settings') return () => true;
  const live = new Set(
    claudeEntries(file).flatMap(({ reach, effect, text }) => (reach.kind === 'nothing' ? [] : [`${effect} ${text.trim()}`])),
  );
  return ({ rule }) => live.has(`${rule.effect} ${rule.text}`);
}

interface ProblemInFile {
  readonly problem: FileProblem;
  readonly file: LintFile;
}

export const problemsOf = oncePerProject((project): readonly ProblemInFile[] =>
  project.files.flatMap((file) => file.problems.map((problem) => ({ problem, file }))),
);

/** At most this many entries of a tool list are examined; nobody writes more. */
export const MOST_TOOLS = 1_000;

/** Returns the JSON pointer of the key that lists an agent's tools; empty for a format without such a list. */
export function toolsPointer(agent: AgentFile): string {
  return formatTraits(agent.format).listed ?? '';
}

export function listedTools(agent: AgentFile): readonly LocatedItem[] {
  const { listed, separators = ',' } = formatTraits(agent.format);
  return entriesAt(agent, listed, separators);
}

/** Returns the entries of the list of tools that an agent may not use. */
export function excludedTools(agent: AgentFile): readonly LocatedItem[] {
  const { excluded, separators = ',' } = formatTraits(agent.format);
  return entriesAt(agent, excluded, separators);
}

function entriesAt({ data }: AgentFile, pointer: string | undefined, separators: string): readonly LocatedItem[] {
  const entries = pointer === undefined ? [] : (data?.items(pointer, separators) ?? []);
  return entries.length > MOST_TOOLS ? entries.slice(0, MOST_TOOLS) : entries;
}

function declaredTools(agents: readonly AgentFile[], policies: readonly PolicyFile[]): ReadonlySet<string> {
  const ofPolicies = policies.flatMap(({ data }) => {
    const list = data?.at('/custom_tools');
    return Array.isArray(list) ? list.filter(isFields).map(({ name }: Partial<CustomTool>) => String(name)) : [];
  });
  const ofAgents = agents.flatMap(({ data }) => data?.items('/tools/custom', ',').map(({ text }) => text) ?? []);
  return new Set([...ofPolicies, ...ofAgents]);
}
