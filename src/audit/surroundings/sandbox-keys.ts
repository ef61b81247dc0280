/**
 * The values of a coding agent's sandbox settings with which the sandbox still holds. With any key that is not listed here nobody
 * can tell what commands may do, so that the sandbox is not trusted.
 */
import type { RunnerId } from '../../call/tool-call.js';
import { data } from '../../generated/data.js';

/**
 * The condition for a value: `any`, `off` (false), a command that only reads, a folder in the project or a temporary one, an
 * address with a single host, a permission rule that adds no folder and no address, the name of this platform, or one of a list.
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
  /** By the names joined with dots; for a list the condition applies to each member, for a table with `.*` to each value. */
  readonly known: Readonly<Record<string, Harmless>>;
  /** `profile` chooses one of `profiles`, which says more than the file itself. */
  readonly profiles?: true;
}

/** `sandbox-keys.yaml` in the folder of the runner; undefined where nothing is known of its sandbox. */
export function sandboxKeys(runner: RunnerId): SandboxKeys | undefined {
  return data(`sandbox-keys/${runner}`) as SandboxKeys | undefined;
}
