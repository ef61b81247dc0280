/** Types of an agent definition, the same for every dialect. */
import type { RunnerId } from '../call/tool-call.js';
import type { Mode } from '../policy/policy.js';
import type { PermissionRule, SourcePosition } from '../rule/pattern/permission-rule.js';

interface DialectTraits {
  /** The runner whose own format it is. */
  readonly runner: RunnerId;
  /** Scopes in order of precedence, strongest first (measured; the original documents: project over user). */
  readonly scopes: readonly AgentDefinition['scope'][];
  /** True if its runner gives an agent without a list its parent's tools; the formats of the original documents give it nothing. */
  readonly inherits: boolean;
  /** True if its runner has its own order of scopes, so that it is not certain which file it uses. */
  readonly isOrderOpen?: true;
}

const DOCUMENTED = ['project', 'user', 'managed'] as const;

/** The formats that the original documents describe, or that several runners read. */
const DIALECT_TRAITS = {
  // .claude/agents/**/*.md
  'claude-code': { runner: 'claude-code', scopes: ['managed', 'project', 'user'], inherits: true },
  // .codex/agents/*.md (seeds 000 and 002)
  'codex-markdown': { runner: 'codex', scopes: DOCUMENTED, inherits: false },
  // .codex/agents/*.yaml (seed 004)
  'codex-yaml': { runner: 'codex', scopes: DOCUMENTED, inherits: false },
  // .agent/agents/*.md (seed 003)
  'agent-code': { runner: 'agent-code', scopes: DOCUMENTED, inherits: true, isOrderOpen: true },
} as const satisfies Readonly<Record<string, DialectTraits>>;

export type Dialect = keyof typeof DIALECT_TRAITS;
export const DIALECTS = Object.keys(DIALECT_TRAITS) as readonly Dialect[];
/** The dialect that other programs adopt: plugins are written in it, and it applies where a runner's own format leaves something open. */
export const COMMON_DIALECT = 'claude-code' as const satisfies Dialect;

export function traitsOfDialect(dialect: Dialect): DialectTraits {
  return DIALECT_TRAITS[dialect];
}

/** The three states of a tool list: absent, empty and listed have different meanings. */
export type ToolList =
  | { readonly state: 'absent' }
  | { readonly state: 'empty' }
  | { readonly state: 'listed'; readonly tools: readonly string[] };

/** An agent's own permissions, composed over the policy; null means that it inherits. */
export interface PermissionsConfig {
  /** Rules in the order allow, deny, ask; evaluation depends on severity, not on order. */
  readonly rules: readonly PermissionRule[];
  readonly defaultMode: Mode;
  /** Visibility; null means unrestricted. */
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[];
}

export interface AgentDefinition {
  /** Normalized for lookup (kebab-case). */
  readonly name: string;
  /** As written. */
  readonly rawName: string;
  readonly description: string | null;
  readonly dialect: Dialect;
  readonly scope: 'project' | 'user' | 'managed';
  readonly source: SourcePosition;
  readonly tools: ToolList;
  readonly excludedTools: readonly string[];
  readonly permissions: PermissionsConfig | null;
  readonly readOnly: boolean;
  /** The runner declares it read-only, but does not enforce that (`sandbox_mode = "read-only"`): shell commands have to be proven reads. */
  readonly readsOnly?: boolean;
  /** The only runner that reads this format; absent for formats that several runners may read. */
  readonly runner?: RunnerId;
  readonly model: string | null;
  /** That it hides a definition of another scope, and where both are; absent: it hides none. */
  readonly override?: string;
  readonly body: string | null;
  /** seed 004: `tools.mcp`, `tools.fs`, `tools.net`, `tools.shell`; null in the other dialects. */
  readonly capabilities: AgentCapabilities | null;
  /** seed 004 only. */
  readonly settings?: AgentSettings;
  /** `active` agents can be used; the calls of an `invalid` one are blocked, and its errors shown. */
  readonly status: 'active' | 'invalid' | 'disabled';
  readonly errors: readonly AgentProblem[];
  /** The definitions whose intersection this one is; each of them applies, too. */
  readonly parts?: readonly AgentDefinition[];
}

/** Capabilities of a definition in the codex-yaml dialect. */
export interface AgentCapabilities {
  readonly mcp: readonly string[];
  readonly read: boolean | readonly string[];
  readonly write: boolean | readonly string[];
  readonly net: readonly string[];
  /** First words of the commands that may run; empty means no shell. */
  readonly shell: readonly string[];
}

/** Settings of the codex-yaml dialect other than permissions. */
export interface AgentSettings {
  readonly maxTokens: number;
  readonly retention: 'job' | 'session' | 'permanent';
  readonly redactSecrets: boolean;
  readonly successCriteria: readonly string[];
  readonly artifacts: readonly string[];
}

export interface AgentProblem {
  readonly code: string;
  readonly message: string;
  readonly source: SourcePosition;
  /** Only errors make a definition invalid; absent means error. */
  readonly severity?: 'error' | 'warning';
}
