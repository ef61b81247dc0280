/** Determines by their path which files lint reads, and the kind of each. */
import { type AgentFolder, agentFoldersOf } from '../../agent/folders.js';
import { type AgentFormat, formatOfFolder, runnerOfFormat } from '../../agent/format.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import type { Format } from '../../policy/read/located.js';
import { allPlaces, type ConfigKind, type ConfigPlace, type TextPlace, type UnreadPlace } from './place.js';

export type FileKind =
  /** `guessed`: determined by the contents, in a place that no runner names. */
  | { readonly kind: 'agent'; readonly format: AgentFormat; readonly guessed?: true }
  | { readonly kind: 'policy'; readonly format: Format; readonly layer: 'project' | 'local' | 'user' }
  | ({ readonly kind: 'config'; readonly runner: RunnerId | null } & Omit<ConfigPlace, 'path'>)
  | ({ readonly kind: 'text'; readonly runner: RunnerId | null } & Omit<TextPlace, 'path'>)
  /** Commands that people and machines run, not agents: only a client that they start matters. */
  | { readonly kind: 'script' }
  /** In a place, or with a name or an ending, that its runner does not read. */
  | ({ readonly kind: 'stray'; readonly runner: RunnerId | null } & Stray);

export interface Stray {
  /** Located where agents are kept. */
  readonly isAgent: boolean;
  /** Other files than definitions may lie there, too. */
  readonly needsHead?: boolean;
  /** The sentence about it. */
  readonly says: string;
}

/** The files that are searched for, as a person would describe them: shown when nothing is found. */
export const LOOKED_FOR =
  'agent definitions (.claude/agents, .codex/agents, .github/agents, .gemini/agents, .opencode/agents, plugins …), settings, hooks and MCP files of coding agents, skills, commands, AGENTS.md, CLAUDE.md, and policy.yaml|json|toml';

const DEFINITION_LIKE = /\.(?:md|markdown|mdx|txt|ya?ml|json)$/i;
const SCRIPT =
  /\.(?:sh|bash|zsh)$|(?:^|\/)(?:\.github\/workflows\/[^/]+|\.gitlab-ci|\.circleci\/config|azure-pipelines|bitbucket-pipelines)\.ya?ml$/i;
const POLICY = /(?:^|\/)(\.config\/policy\/)?policy(\.local)?\.(yaml|json|toml)$/;

/** A folder of definitions, with the files that one runner reads in it. */
interface AgentPlace {
  /** `/.claude/agents/` */
  readonly folder: string;
  readonly runner: RunnerId;
  readonly reads: readonly AgentFolder[];
}

const AGENT_PLACES: readonly AgentPlace[] = RUNNERS.flatMap((runner) =>
  [...new Set(agentFoldersOf(runner).map(({ folder }) => folder))].map((folder) => ({
    folder: `/${folder}/`,
    runner,
    reads: agentFoldersOf(runner).filter((one) => one.folder === folder),
  })),
);
const CONFIGS = allPlaces<ConfigPlace>('configs');
const TEXTS = allPlaces<TextPlace>('texts');
const UNREAD = allPlaces<UnreadPlace>('unread');

/** The endings of all paths that can be relevant: quickly rejects nearly every file of a project. The hook for pre-commit has them, too. */
export const CANDIDATE = /\.(?:md|markdown|mdx|mdc|txt|ya?ml|jsonc?|toml|rules|cursorrules|allowlist|sh|bash|zsh)$/i;

/** @param path with `/` between folders; null for a file that does not concern lint */
export function fileKind(path: string): FileKind | null {
  if (!CANDIDATE.test(path)) return null;
  return (
    agentKind(path) ??
    unreadKind(path) ??
    configKind(path) ??
    textKind(path) ??
    policyKind(path) ??
    (SCRIPT.test(path) ? { kind: 'script' } : null)
  );
}

function agentKind(path: string): FileKind | null {
  const rooted = `/${path}`;
  for (const { folder, runner, reads } of AGENT_PLACES) {
    const at = rooted.lastIndexOf(folder);
    if (at < 0) continue;
    const below = rooted.slice(at + folder.length);
    const read = reads.find((one) => isRead(one, below));
    if (read !== undefined) return { kind: 'agent', format: formatOfFolder(read.dialect, runner) };
    const isDeep = reads.every(({ depth }) => below.split('/').length > depth);
    if (!isDeep && DEFINITION_LIKE.test(below)) {
      const { title, formatTitle = title } = traitsOf(runner);
      const says = `This file is not read as an agent: ${formatTitle} reads ${endingsOf(reads)} here.`;
      return { kind: 'stray', runner, isAgent: true, needsHead: true, says };
    }
  }
  return null;
}

function isRead({ extensions, depth }: AgentFolder, below: string): boolean {
  return below.split('/').length <= depth && extensions.some((extension) => below.endsWith(extension));
}

/** `.md, .markdown, .yaml or .yml` */
function endingsOf(reads: readonly AgentFolder[]): string {
  const endings = [...new Set(reads.flatMap(({ extensions }) => extensions))];
  return endings.length < 2 ? endings.join('') : `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
}

function configKind(path: string): FileKind | null {
  return firstConfig((one) => one.path.test(path));
}

/** A file that holds settings of this kind, wherever it lies. */
export function configOfKind(kind: ConfigKind): FileKind | null {
  return firstConfig(({ config }) => config === kind);
}

function firstConfig(isMeant: (place: ConfigPlace) => boolean): FileKind | null {
  const place = CONFIGS.find(isMeant);
  if (place === undefined) return null;
  const { config, format, label, runner } = place;
  return { kind: 'config', config, format, label, runner };
}

function textKind(path: string): FileKind | null {
  const place = TEXTS.find((one) => one.path.test(path));
  if (place === undefined) return null;
  const { text, format, runner } = place;
  return { kind: 'text', text, format, runner };
}

function unreadKind(path: string): FileKind | null {
  const place = UNREAD.find((one) => one.path.test(path));
  if (place === undefined) return null;
  const { runner, why, needsHead = false } = place;
  return { kind: 'stray', runner, isAgent: false, needsHead, says: `This file is not read: ${why}.` };
}

function policyKind(path: string): FileKind | null {
  const policy = POLICY.exec(path);
  if (policy === null) return null;
  const [, user, local, ending] = policy;
  const format = ending === 'json' ? 'json' : ending === 'toml' ? 'toml' : 'yaml';
  return { kind: 'policy', format, layer: local !== undefined ? 'local' : user === undefined ? 'project' : 'user' };
}

/** Returns the package of a file: the path before the folder of agents, or before the policy's own name. */
export function packageOf(path: string): string {
  const rooted = `/${path}`;
  const at = Math.max(...AGENT_PLACES.map(({ folder }) => rooted.lastIndexOf(folder)));
  return at < 0 ? path.slice(0, path.lastIndexOf('/') + 1) : rooted.slice(1, at + 1);
}

/** Whether the path is a runner's folder of definitions, which a symlink can replace as a whole. */
export function isAgentFolder(path: string): boolean {
  const rooted = `/${path}`;
  return AGENT_PLACES.some(
    ({ folder }) => rooted.endsWith(folder.slice(0, -1)) || rooted.endsWith(folder.slice(0, folder.indexOf('/', 1))),
  );
}

/** Returns the runner that reads such a file; `several`: more than one; null: none, as for a policy of ours. */
export function runnerOfKind(kind: FileKind): RunnerId | 'several' | null {
  if (kind.kind === 'agent') return runnerOfFormat(kind.format);
  if (kind.kind === 'config' || kind.kind === 'text') return kind.runner ?? 'several';
  return kind.kind === 'stray' ? (kind.runner ?? 'several') : null;
}
