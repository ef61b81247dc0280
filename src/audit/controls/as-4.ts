/** AS-4, a hook before every call: is the coding agent a version that is known to respect hooks less, and did a call bypass the hook? */

import { updateLine, weaknessOf } from '../doctor/checks/client.js';
import { coverage } from '../log/claims.js';
import { type Examined, judged } from '../model/examined.js';
import type { Control } from '../subject/control.js';
import { checkEvidence } from '../subject/evidence.js';
import { type AuditedRunner, forEachRunner } from '../subject/subject.js';

export const as4: Control = {
  id: 'AS-4',
  async examine(subject) {
    return [
      ...(await forEachRunner(subject, 'version', version)),
      { claim: 'coverage', runner: null, found: coverage(subject.log, subject.transcripts) },
    ];
  },
};

/** A version that could not be determined proves nothing. */
function version({ runner, client }: AuditedRunner): Examined {
  const { id } = runner;
  if (client === null) return judged([], `${id} is not on PATH, so its version was not checked.`);
  if (client.version === null) return judged([], `${client.path} does not report its version.`);
  const weak = weaknessOf(runner, client.version);
  const known = weak === null ? 'no known weakness' : `it ${weak.lacks}`;
  const shows = `${client.path} is version ${client.version}; ${known}.`;
  const fix = weak === null ? null : updateLine(runner, weak);
  return judged([checkEvidence(weak === null, shows, { check: 'client', runner: id, command: `policy doctor ${id}`, fix })], '');
}
