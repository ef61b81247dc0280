/** The options of `policy doctor`, and the place in which it works. */

import type { OwnPrograms } from '../../../install/own-hook.js';
import type { InstallPlaces } from '../../../install/target.js';

export interface DoctorOptions {
  /** Only these runners; empty: all that are installed or have a hook. */
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
  /** The maximum number of milliseconds for a program. */
  readonly patience: number;
  /** The test calls belong to a run of `policy run`, in which a hook blocks even in observe mode. */
  readonly inRun?: boolean;
  /** The client is started so that the project's own settings do not count. */
  readonly withoutProject?: boolean;
}
