/** What a control is: the code that gathers evidence for the claims of its checklist entry. */
import type { ChecklistControl } from './checklist.js';
import type { Examined } from './examined.js';
import type { AuditSubject } from './subject.js';

export interface Control {
  readonly id: string;
  /** Examines the claims of the checklist, by claim id. Claims that it does not mention stay unproven. */
  examine(subject: AuditSubject, entry: ChecklistControl): Promise<ReadonlyMap<string, Examined>>;
}
