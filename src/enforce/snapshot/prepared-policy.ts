/** The gate of a project: its policy ready to decide, and what live enforcement has to know beside it. */
import type { RunnerId } from '../../call/tool-call.js';
import type { CompiledPolicy, PolicyData } from '../../decide/compiled/policy-data.js';
import type { ComposedPolicy, PolicyProblem } from '../../policy/policy.js';
import type { Surroundings } from '../facts/gather.js';

/** Where everything lies that the gate is made from; all absolute. */
export interface GatePlaces {
  /** Real path of the project. */
  readonly project: string;
  /** The deepest folder on the way to the call that holds a policy (policy-folder.ts); else the project. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Whose calls come to the gate: its formats of agent definitions count, and its own agents are known. */
  readonly runner: RunnerId;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  readonly stateDirectory: string;
}

/** The settings of a policy that only faces read. */
export type GateSettings = Pick<ComposedPolicy, 'mode' | 'log' | 'hook' | 'sequential'>;

/** A gate as plain data: what a snapshot stores. */
export interface GateData {
  readonly policy: PolicyData;
  readonly settings: GateSettings;
  readonly ownDirectories: readonly string[];
  /** `sha256:` and the digest of policy and agents: what the decision log names. */
  readonly digest: string;
  /** The project has a policy that nobody trusted: an allow has to go to the user's own. */
  readonly untrusted: boolean;
}

export interface Gate {
  readonly compiled: CompiledPolicy;
  readonly settings: GateSettings;
  readonly surroundings: Surroundings;
  readonly digest: string;
  readonly untrusted: boolean;
}

/** A compiled gate with every path that it depends on, or what is wrong with the files. */
export type CompiledGate =
  | { readonly ok: true; readonly data: GateData; readonly sources: readonly string[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };
