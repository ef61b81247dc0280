/** Everything that can be said about the claims of a control: by its checklist entry, and by code of its own. */
import type { ChecklistControl } from '../checklist.js';
import type { ExaminedClaim } from '../examined.js';
import { controls } from '../registry.js';
import { type AuditSubject, forEachRunner } from '../subject.js';
import { byDoctor } from './by-doctor.js';
import { byLint } from './by-lint.js';
import { byProbes } from './by-probes.js';

/** In the order of the checklist. */
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
