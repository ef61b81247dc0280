/** Examines the claims of a control: by its checklist entry, and by its own code if it has any. */

import { byDoctor } from '../claims/by-doctor.js';
import { byLint } from '../claims/by-lint.js';
import { byProbes } from '../claims/by-probes.js';
import type { ExaminedClaim } from '../model/examined.js';
import type { ChecklistControl } from '../subject/checklist.js';
import { type AuditSubject, forEachRunner } from '../subject/subject.js';
import { controls } from './registry.js';

/** Returns the claims in the order of the checklist. */
export async function examineControl(subject: AuditSubject, entry: ChecklistControl): Promise<readonly ExaminedClaim[]> {
  const examined: ExaminedClaim[] = [...((await controls.get(entry.id)?.examine(subject, entry)) ?? [])];
  for (const { id, lint, doctor, probes } of entry.claims) {
    if (lint !== undefined) examined.push({ claim: id, runner: null, found: byLint(subject, lint) });
    if (doctor !== undefined) examined.push(...byDoctor(subject, id, doctor));
    if (probes !== undefined)
      examined.push(...(await forEachRunner(subject, id, (one) => byProbes(subject, one, entry, probes))));
  }
  return examined;
}
