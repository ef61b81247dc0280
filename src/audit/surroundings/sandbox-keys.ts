/**
 * What settings may say of a coding agent's sandbox so that it still holds. Only what stands here is known: with any other key nobody can
 * tell what commands may do, and the sandbox does not count.
 */
import type { RunnerId } from '../../call/tool-call.js';
import { data } from '../../generated/data.js';

/**
 * What a value must be: `any`, `off` (false), a command that only reads, a folder in the project or a temporary one, an address that is
 * one host, a permission rule that widens no folder and no address, the name of this platform, or one of a list.
 */
export type Harmless =
  | 'any'
  | 'off'
  | 'none'
  | 'command'
  | 'folder'
  | 'host'
  | 'rule'
  | 'platform'
  | readonly (string | boolean)[];

export interface SandboxKeys {
  /** Every value below these names has to be known. */
  readonly sections: readonly (readonly string[])[];
  /** Beginnings of names, outermost first and joined with dots, of further values that have to be known. */
  readonly prefixes: readonly string[];
  /** By the names joined with dots; of a list each member is meant, of a table with `.*` each value. */
  readonly known: Readonly<Record<string, Harmless>>;
  /** `profile` chooses one of `profiles`, which says more than the file itself. */
  readonly profiles?: true;
}

/** `sandbox-keys.yaml` in the folder of the runner; undefined where nothing is known of its sandbox. */
export function sandboxKeys(runner: RunnerId): SandboxKeys | undefined {
  return data(`sandbox-keys/${runner}`) as SandboxKeys | undefined;
}
