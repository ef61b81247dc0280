/** The policy of a project, ready to decide, and the other data that live enforcement needs. */
import type { RunnerId } from '../../call/tool-call.js';
import type { CompiledPolicy, PolicyData } from '../../decide/policy/policy-data.js';
import type { ComposedPolicy, PolicyProblem, PresetName } from '../../policy/policy.js';
import type { Surroundings } from '../../project/surroundings.js';

/** The places of everything that the policy is made from; all paths are absolute. */
export interface PolicyPlaces {
  /** Real path of the project. */
  readonly project: string;
  /** The deepest folder between the project and the call that contains a policy (policy-folder.ts); else the project. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The runner whose calls are judged: its formats of agent definitions apply, and its built-in agents are known. */
  readonly runner: RunnerId;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  readonly stateDirectory: string;
  /** The options of `policy run`: agents of every format are used, and a preset may replace that of the policy. Null: no such run. */
  readonly run: { readonly preset: PresetName | null } | null;
}

/** The settings of a policy that only entry points read. */
export type EnforcementSettings = Pick<ComposedPolicy, 'mode' | 'log' | 'hook' | 'sequential'>;

/** A prepared policy as plain data, as a snapshot stores it. */
export interface PreparedData {
  readonly policy: PolicyData;
  readonly settings: EnforcementSettings;
  readonly ownDirectories: readonly string[];
  /** See Surroundings. */
  readonly trustedFiles: Readonly<Record<string, string>>;
  /** `sha256:` and the digest of policy and agents, which the decision log names. */
  readonly digest: string;
  /** The project has an untrusted policy, so an allow rule has to go into the user's own. */
  readonly untrusted: boolean;
}

export interface PreparedPolicy {
  readonly compiled: CompiledPolicy;
  readonly settings: EnforcementSettings;
  readonly surroundings: Surroundings;
  readonly digest: string;
  readonly untrusted: boolean;
}

/** A prepared policy with every path that it depends on, or the problems of the files. */
export type CompiledPreparation =
  | { readonly ok: true; readonly data: PreparedData; readonly sources: readonly string[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };
