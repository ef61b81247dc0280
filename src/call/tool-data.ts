/** Types of a tool's description, and of the files in rules/tools that it comes from. */
import type { PathAccess, RunnerId, SubjectKind } from './tool-call.js';

/** How much harm one call of a tool can do. */
export type ToolTier = 'safe' | 'moderate' | 'dangerous';

export type ToolAccess = 'read' | 'write' | 'execute' | 'network' | 'spawn' | 'configure' | 'none';

/** The capability that an agent definition with capabilities needs for a tool. */
export type Capability = 'fs.read' | 'fs.write' | 'shell' | 'net';

/** One field of an input that patterns are matched against. */
export interface SubjectField {
  /** Alternatives: at least one must be present, and every one that is present is used; `a.b` looks one level down. */
  readonly fields: readonly string[];
  /** `patch` yields the paths of a patch's headers, `glob` the folder in which a glob starts, `urls` the links in a text. */
  readonly kind: SubjectKind | 'patch' | 'glob' | 'urls';
  readonly access?: PathAccess;
  readonly optional?: boolean;
  /** A relative path that does not exist is searched for: the tool works on a file of that name elsewhere. */
  readonly searched?: boolean;
  /** The tool's default if the field is absent; an empty string means none. */
  readonly default?: string;
}

/** An input that lets a call do more than its name says. */
export interface WideningInput {
  readonly field: string;
  readonly when: 'present' | 'truthy' | 'equals' | 'other';
  readonly values?: readonly string[];
  readonly message: string;
}

/** The description of a tool. Shared between calls and never changed. */
export interface ToolDescription {
  /** The name that rules use; for an unknown tool the name as given. */
  readonly canonical: string;
  readonly known: boolean;
  readonly tier: ToolTier;
  readonly access: ToolAccess;
  /** The tool only does the agent's own bookkeeping. */
  readonly harmless: boolean;
  readonly subjects: readonly SubjectField[];
  readonly widening: readonly WideningInput[];
  readonly requires: Capability | null;
  /** The server is `?` if the runner does not report it. */
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  /** Fields that name the directory in which the call runs. */
  readonly directories: readonly string[];
  /** `planned`: named by a design document, but not provided by any runner yet. */
  readonly status: 'available' | 'planned';
}

/** A canonical tool in rules/tools/canonical.yaml. */
export interface CanonicalTool {
  readonly name: string;
  readonly tier: ToolTier;
  readonly access: ToolAccess;
  readonly harmless?: boolean;
  readonly requires?: Capability;
  readonly server?: string;
  readonly status?: 'planned';
  readonly aliases?: readonly string[];
  readonly directory?: string;
  readonly subjects?: readonly SubjectField[];
  readonly widening?: readonly WideningInput[];
  readonly coveredBy?: { readonly any?: readonly string[]; readonly restrict?: readonly string[] };
}

/** How a runner writes the names of MCP tools. */
export type McpNaming = 'double-underscore' | 'single-underscore' | 'dash' | 'plain-underscore' | 'colon';

/** A runner's file in rules/tools. */
export interface RunnerTools {
  readonly runner: RunnerId;
  readonly mcp: McpNaming;
  readonly tools: readonly RunnerTool[];
  readonly agents: readonly RunnerAgent[];
}

export interface RunnerTool {
  readonly name: string;
  readonly canonical?: string;
  readonly retired?: boolean;
  readonly directory?: string;
  readonly subjects?: readonly SubjectField[];
  readonly widening?: readonly WideningInput[];
}

export interface RunnerAgent {
  readonly name: string;
  readonly description?: string;
  readonly tools?: readonly string[];
  readonly excludes?: readonly string[];
  readonly readOnly?: boolean;
}
