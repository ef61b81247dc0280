/** The result of `policy status`: what is enforced here, and by what (schemas/status.schema.json). */
import type { LogTally } from '../../log/tally.js';
import type { LayerName } from '../../rule/pattern/permission-rule.js';
import type { HookScope } from '../../runner/hook/runner.js';

export interface Status {
  readonly version: 1;
  /** Real path. */
  readonly project: string;
  readonly program: string;
  readonly policy: PolicyStatus;
  /** Every runner, including those without a hook. */
  readonly hooks: readonly RunnerStatus[];
  /** Null when the log cannot be read. */
  readonly log: LogTally | null;
  readonly denials: DenialStatus;
  readonly problems: readonly Problem[];
  readonly next: NextCommand;
}

export interface PolicyStatus {
  /** Null when the policy cannot be used: then every call is denied. */
  readonly inForce: ComposedStatus | null;
  /** In order of precedence, the strictest first. */
  readonly layers: readonly LayerStatus[];
}

export interface ComposedStatus {
  readonly mode: 'enforce' | 'observe';
  readonly preset: string | null;
  /** Null: no layer sets it, so the built-in default applies. */
  readonly default: string | null;
  readonly locked: boolean;
  /** The number of written rules of all layers. */
  readonly rules: { readonly allow: number; readonly ask: number; readonly deny: number };
}

export interface LayerStatus {
  readonly layer: LayerName;
  /** Relative to the project if it is inside. */
  readonly file: string;
  /** SHA-256 of the file; null when it cannot be read now. */
  readonly digest: string | null;
  /** Whether its allow rules and grants apply. */
  readonly trusted: boolean;
  /**
   * The basis of its trust: it is not the project's (`own`), a person trusted it (`record`) or listed the repository
   * (`trustedRepos`); or the reason why it is not trusted: it was never trusted (`untrusted`), grants more than was trusted
   * (`changed`), is below the project (`nested`), or grants nothing (`restricts`).
   */
  readonly trust: 'own' | 'record' | 'trustedRepos' | 'untrusted' | 'changed' | 'nested' | 'restricts';
  /** The day on which a person trusted it. */
  readonly since: string | null;
}

export interface RunnerStatus {
  readonly runner: string;
  /** The path of its program on PATH; null if it is not there. */
  readonly path: string | null;
  readonly hooks: readonly HookStatus[];
}

/** A hook of ours before the calls of a runner. */
export interface HookStatus {
  readonly scope: HookScope;
  readonly file: string;
  readonly line: number;
  /** The version of the installed copy of the program; null when it starts another one. */
  readonly version: string | null;
}

export interface DenialStatus {
  /** The newest first. */
  readonly last: readonly Denial[];
  /** False: the log is too long to be searched completely. */
  readonly whole: boolean;
}

export interface Denial {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly tool: string;
  /** The command, path or address, without its secrets; empty if the tool has none. */
  readonly call: string;
  readonly reason: string;
  readonly agent: string | null;
  /** Only observed: the call was allowed. */
  readonly observed: boolean;
}

/** Why a call may pass unchecked, or why none can pass; `fix` states the remedy. */
export interface Problem {
  readonly runner: string | null;
  readonly message: string;
  readonly fix: string;
}

export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

/** Everything except the next command, which follows from it. */
export type Found = Omit<Status, 'version' | 'project' | 'program' | 'next'>;
