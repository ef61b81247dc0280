/** The code that gathers evidence for the claims of a control whose checklist entry does not define how. */

import type { ExaminedClaim } from '../model/examined.js';
import type { ChecklistControl } from './checklist.js';
import type { AuditSubject } from './subject.js';

export interface Control {
  readonly id: string;
  /** Examines those claims of the checklist that have no lint rule, check or probe. */
  examine(subject: AuditSubject, entry: ChecklistControl): Promise<readonly ExaminedClaim[]>;
}
