/** Types of a tool's description, and the shape of the files in rules/tools that they come from. */
import type { PathAccess, RunnerId, SubjectKind } from './tool-call.js';

/** How much harm one call of a tool can do. */
export type ToolTier = 'safe' | 'moderate' | 'dangerous';

export type ToolAccess = 'read' | 'write' | 'execute' | 'network' | 'spawn' | 'configure' | 'none';

/** The capability that an agent definition with capabilities must have for a tool. */
export type Capability = 'fs.read' | 'fs.write' | 'shell' | 'net';

/** One field of an input that patterns are matched against. */
export interface SubjectField {
  /** Alternatives: at least one must be there, each that is there counts; `a.b` looks one level down. */
  readonly fields: readonly string[];
  /** `patch` yields the paths of a patch's headers, `glob` the folder a glob starts in, `urls` the links in a text. */
  readonly kind: SubjectKind | 'patch' | 'glob' | 'urls';
  readonly access?: PathAccess;
  readonly optional?: boolean;
  /** A relative path that leads to nothing is searched for: the tool works on a file of that name elsewhere. */
  readonly searched?: boolean;
  /** What the tool takes when the field is absent; an empty text stands for nothing. */
  readonly default?: string;
}

/** An input that gives a call more than its name says. */
export interface WideningInput {
  readonly field: string;
  readonly when: 'present' | 'truthy' | 'equals' | 'other';
  readonly values?: readonly string[];
  readonly message: string;
}

/** What is known of a tool. Shared between calls: never changed. */
export interface ToolDescription {
  /** The name that rules use; for an unknown tool the name as given. */
  readonly canonical: string;
  readonly known: boolean;
  readonly tier: ToolTier;
  readonly access: ToolAccess;
  /** Only keeps the agent's own books. */
  readonly harmless: boolean;
  readonly subjects: readonly SubjectField[];
  readonly widening: readonly WideningInput[];
  readonly requires: Capability | null;
  /** Server `?` when the runner does not tell it. */
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  /** Fields that name the directory the call runs in. */
  readonly directories: readonly string[];
  /** `planned`: named by a design document, served by nobody yet. */
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
