/** The policy of a project, ready to decide, and what live enforcement needs besides. */
import type { RunnerId } from '../../call/tool-call.js';
import type { CompiledPolicy, PolicyData } from '../../decide/policy/policy-data.js';
import type { ComposedPolicy, PolicyProblem, PresetName } from '../../policy/policy.js';
import type { Surroundings } from '../../project/surroundings.js';

/** Where everything lies that the policy is made from; all absolute. */
export interface PolicyPlaces {
  /** Real path of the project. */
  readonly project: string;
  /** The deepest folder on the way to the call that holds a policy (policy-folder.ts); else the project. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Whose calls are judged: its formats of agent definitions count, and its own agents are known. */
  readonly runner: RunnerId;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  readonly stateDirectory: string;
  /** What `policy run` was started with: agents of every format count, and a preset other than that of the policy may. Null: no such run. */
  readonly run: { readonly preset: PresetName | null } | null;
}

/** The settings of a policy that only entry points read. */
export type EnforcementSettings = Pick<ComposedPolicy, 'mode' | 'log' | 'hook' | 'sequential'>;

/** A prepared policy as plain data: what a snapshot stores. */
export interface PreparedData {
  readonly policy: PolicyData;
  readonly settings: EnforcementSettings;
  readonly ownDirectories: readonly string[];
  /** See Surroundings. */
  readonly trustedFiles: Readonly<Record<string, string>>;
  /** `sha256:` and the digest of policy and agents: what the decision log names. */
  readonly digest: string;
  /** The project has a policy that nobody trusted: an allow has to go to the user's own. */
  readonly untrusted: boolean;
}

export interface PreparedPolicy {
  readonly compiled: CompiledPolicy;
  readonly settings: EnforcementSettings;
  readonly surroundings: Surroundings;
  readonly digest: string;
  readonly untrusted: boolean;
}

/** A prepared policy with every path that it depends on, or what is wrong with the files. */
export type CompiledPreparation =
  | { readonly ok: true; readonly data: PreparedData; readonly sources: readonly string[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };
