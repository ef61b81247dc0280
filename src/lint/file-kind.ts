/** Which files lint reads, told by their path, and what each of them is. */
import type { Dialect } from '../agent/agent.js';
import type { Format } from '../policy/read/located.js';

export type FileKind =
  | { readonly kind: 'agent'; readonly dialect: Dialect }
  | { readonly kind: 'policy'; readonly format: Format; readonly layer: 'project' | 'local' }
  /** Lies where agents are kept, but its runner does not read this ending. */
  | { readonly kind: 'stray'; readonly runner: string; readonly endings: string };

/** What is looked for, as a person would write it: said when nothing is found. */
export const LOOKED_FOR =
  '.claude/agents/**/*.md, .codex/agents/**/*.md, .codex/agents/*.yaml, .agent/agents/*.md, policy.yaml|json|toml, policy.local.yaml|json|toml';

const DEFINITION_LIKE = /\.(?:md|markdown|mdx|ya?ml|json)$/i;

/** Folders of definitions and what lies in them (Claude Code reads `.md` in lower case, at any depth). */
const AGENT_FOLDERS: readonly { readonly path: RegExp; readonly of: (name: string) => FileKind | null }[] = [
  { path: /(?:^|\/)\.claude\/agents\/(?:[^/]+\/)*([^/]+)$/, of: claude },
  { path: /(?:^|\/)\.codex\/agents\/(?:[^/]+\/)*([^/]+)$/, of: codex },
  { path: /(?:^|\/)\.agent\/agents\/([^/]+)$/, of: agentCode },
];
const POLICY = /(?:^|\/)policy(\.local)?\.(yaml|json|toml)$/;

/** @param path with `/` between folders; null for a file that is none of lint's business */
export function fileKind(path: string): FileKind | null {
  for (const { path: pattern, of } of AGENT_FOLDERS) {
    const name = pattern.exec(path)?.[1];
    if (name !== undefined) return of(name);
  }
  const policy = POLICY.exec(path);
  if (policy === null) return null;
  const format = policy[2] === 'json' ? 'json' : policy[2] === 'toml' ? 'toml' : 'yaml';
  return { kind: 'policy', format, layer: policy[1] === undefined ? 'project' : 'local' };
}

/** The package that a file belongs to: what comes before `.claude`, `.codex`, `.agent` or the policy's own name. */
export function packageOf(path: string): string {
  const folder = /^(.*?)(?:\.claude|\.codex|\.agent)\/agents\//.exec(path)?.[1];
  return folder ?? path.slice(0, path.lastIndexOf('/') + 1);
}

function claude(name: string): FileKind | null {
  if (name.endsWith('.md')) return { kind: 'agent', dialect: 'claude-code' };
  return DEFINITION_LIKE.test(name) ? { kind: 'stray', runner: 'Claude Code', endings: '.md' } : null;
}

function codex(name: string): FileKind | null {
  if (/\.(?:md|markdown)$/.test(name)) return { kind: 'agent', dialect: 'codex-markdown' };
  if (/\.ya?ml$/.test(name)) return { kind: 'agent', dialect: 'codex-yaml' };
  return DEFINITION_LIKE.test(name)
    ? { kind: 'stray', runner: 'the Codex format', endings: '.md, .markdown, .yaml or .yml' }
    : null;
}

function agentCode(name: string): FileKind | null {
  if (name.endsWith('.md')) return { kind: 'agent', dialect: 'agent-code' };
  return DEFINITION_LIKE.test(name) ? { kind: 'stray', runner: 'agent-code', endings: '.md' } : null;
}
