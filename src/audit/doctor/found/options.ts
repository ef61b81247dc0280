/** What `policy doctor` is told about the place it works in. */

import type { OwnPrograms } from '../../../install/own-hook.js';
import type { InstallPlaces } from '../../../install/target.js';

export interface DoctorOptions {
  /** Only these; empty: all that are there or have a hook. */
  readonly runners: readonly string[];
  readonly places: InstallPlaces;
  readonly platform: NodeJS.Platform;
  readonly userDirectory: string;
  readonly stateDirectory: string;
  readonly managedDirectory: string;
  /** Our programs by real path; null when this one is not built. */
  readonly own: OwnPrograms | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds that a program may take. */
  readonly patience: number;
  /** The calls that are tried belong to a run of `policy run`, which a hook blocks in observe mode, too. */
  readonly inRun?: boolean;
  /** The client is started so that the project's own settings do not count. */
  readonly withoutProject?: boolean;
}
