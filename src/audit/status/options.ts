/** What `policy status` is told about the place it works in. */
import type { DoctorOptions } from '../doctor/found/options.js';

export interface StatusOptions extends DoctorOptions {
  /** Real path of a directory of the project. */
  readonly cwd: string;
  readonly program: string;
}
