/** The options of `policy status`, and the place in which it works. */
import type { DoctorOptions } from '../doctor/found/options.js';

export interface StatusOptions extends DoctorOptions {
  /** Real path of a directory of the project. */
  readonly cwd: string;
  readonly program: string;
}
