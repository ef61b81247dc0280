/** Types of a policy after composing its layers: plain data, safe to serialise. */
import type { Effect, LayerName, PermissionRule, SourcePosition } from '../rule/pattern/permission-rule.js';

export const PRESETS = ['readOnly', 'inspect', 'safe', 'develop', 'all'] as const;
export type PresetName = (typeof PRESETS)[number];

/** What happens to a call that no rule, preset or tier decides; the last three come from agent-code's modes. */
export const MODES = ['allow', 'ask', 'deny', 'plan', 'accept_edits', 'auto'] as const;
export type Mode = (typeof MODES)[number];

export const TIERS = ['safe', 'moderate', 'dangerous'] as const;
export type Tier = (typeof TIERS)[number];

/** The environments in which agents run. */
export const ISOLATIONS = ['vm', 'container', 'none'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** How a preset treats calls that its rules do not name. */
export interface Preset {
  readonly name: PresetName;
  readonly rules: readonly PermissionRule[];
  /** Commands whose grammar's `refuse` ratings are denials under this preset. */
  readonly refuse: readonly string[];
  /** Shell commands whose every effect is a proven read inside the project are allowed. */
  readonly provenReads: boolean;
  /** Shell commands that only ask services of this machine and show the answers are allowed. */
  readonly loopbackReads: boolean;
  /** Temporary files that belong to no project may be read and written, but not run or deleted (PathFact.temporary). */
  readonly temporary: boolean;
  /**
   * Shell commands that build, test, check, format or run the project with its own code are allowed, except scripts and targets
   * named by one of these words; null: none are allowed.
   */
  readonly leaves: readonly string[] | null;
  /** The effect on a call of a tool that no rule of the preset names; null leaves the call to the tier and the default. */
  readonly otherwise: Effect | null;
}

/** A tool that a policy itself declares (`custom_tools`). */
export interface CustomTool {
  readonly name: string;
  readonly tier: Tier;
  readonly review?: { readonly by: string; readonly date: string; readonly reason: string };
}

export interface Budget {
  /** Maximum tokens of a session. For every limit of a session, null means unlimited. */
  readonly tokens: number | null;
  readonly calls: number | null;
  /** Maximum wall-clock time of a session in seconds. */
  readonly seconds: number | null;
  /** Maximum tokens by agent name. */
  readonly perAgent: Readonly<Record<string, number>>;
  /** Maximum tool calls by agent name. */
  readonly perAgentCalls: Readonly<Record<string, number>>;
  /** Maximum total seconds of all runs of an agent, by agent name. */
  readonly perAgentSeconds: Readonly<Record<string, number>>;
}

export interface Policy {
  /** Rules of all layers, without the built-in denials and the rules of the preset; their order has no meaning. */
  readonly rules: readonly PermissionRule[];
  readonly preset: Preset | null;
  /** Null if no layer sets one: project reads and harmless internal tools are allowed, and everything else asks. */
  readonly default: Mode | null;
  /** Only the tiers that a layer sets. */
  readonly tiers: Readonly<Partial<Record<Tier, Effect>>>;
  readonly customTools: readonly CustomTool[];
  readonly agents: {
    readonly missingTools: 'dialect' | 'deny' | 'inherit';
    /** The place of the setting that prevents subagents from starting; absent or null: subagents may start. */
    readonly off?: SourcePosition | null;
  };
  readonly protectedBranches: readonly string[];
  /** Variables that may be set before any command, in addition to those in rules/commands/assignments.yaml. */
  readonly harmlessVariables: readonly string[];
  /** Paths that user or managed layers exempt from protection and secrecy (project-relative or absolute patterns). */
  readonly except: readonly string[];
  readonly budget: Budget;
  readonly onAsk: 'ask' | 'deny' | 'allow';
  readonly locked: boolean;
  readonly mode: 'enforce' | 'observe';
  /** Real paths of repositories for which preset `all` may be used. */
  readonly trustedRepos: readonly string[];
  /** The files that were read, in layer order, for the trace. */
  readonly sources: readonly { readonly layer: LayerName; readonly file: string; readonly trusted: boolean }[];
  /** Everything that was ignored or changed during composition, each as a sentence for the user. */
  readonly notes: readonly PolicyNote[];
  /** Why a policy file between the project and the call's directory is unusable, with its place; absent: all were read. */
  readonly unread?: string;
}

/** How many agents may run at once; `reject` refuses a further agent, `queue` makes it wait. */
export interface Sequential {
  readonly mode: 'reject' | 'queue';
  readonly maxConcurrent: number;
}

/** What `policy run` passes on, beside what every run gets: variables by name; a star stands for any end. */
export interface RunSettings {
  readonly environment: readonly string[];
}

/** A finding that somebody accepted (`lint.ignores`). */
export interface LintIgnore {
  readonly rule: string;
  readonly path?: string;
  readonly pointer?: string;
  readonly match?: string;
  readonly reason?: string;
  readonly expires?: string;
}

/** A policy with the settings that entry points other than `decide` need. */
export interface ComposedPolicy extends Policy {
  readonly sequential: Sequential;
  readonly run: RunSettings;
  readonly log: { readonly input: 'masked' | 'none' | 'full' };
  /** The environment of the agents, as declared by the policy; null if it declares none. */
  readonly isolation: Isolation | null;
  readonly hook: { readonly grant: 'explicit' | 'never' };
  readonly lint: {
    readonly rules: Readonly<Record<string, 'off' | 'info' | 'warning' | 'error'>>;
    readonly ignores: readonly LintIgnore[];
  };
}

export interface PolicyNote {
  /** Stable code, e.g. `layer/untrusted-allow`, `lock/overlay-ignored`. */
  readonly code: string;
  readonly message: string;
  readonly source?: SourcePosition;
}

/** A mistake in a hand-written file: `file:line:column: what is wrong, what is allowed there, nearest valid key`. */
export interface PolicyProblem {
  readonly code: string;
  readonly message: string;
  readonly source: SourcePosition;
}
