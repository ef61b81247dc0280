/** AS-9, limits: does the policy end a run that never stops by itself? */

import { type EvidenceDraft, type Examined, judged } from '../model/examined.js';
import type { Control } from '../subject/control.js';
import { type AuditSubject, settingEvidence } from '../subject/subject.js';

export const as9: Control = {
  id: 'AS-9',
  async examine(subject) {
    return [{ claim: 'budget', runner: null, found: budget(subject) }];
  },
};

/** More than any run reaches in a month; a higher limit would never end a run. */
const MOST = { calls: 1_000_000, tokens: 100_000_000_000, seconds: 31 * 24 * 60 * 60 } as const;

/** A limit of calls, tokens or seconds; any one of them ends a run. */
function budget(subject: AuditSubject): Examined {
  const { tokens, calls, seconds } = subject.workspace.policy.budget;
  const limits = [
    ['budget.calls', calls, 'calls'],
    ['budget.tokens', tokens, 'tokens'],
    ['budget.seconds', seconds, 'seconds'],
  ] as const;
  const pieces = limits.flatMap(([key, value, unit]): EvidenceDraft[] => {
    if (value === null) return [];
    const supports = value <= MOST[unit];
    const shows = `A session ends after ${value} ${unit}${supports ? '' : ', more than any run comes to'}.`;
    return [settingEvidence(subject, { key, value, supports, shows })];
  });
  const ending = pieces.filter(({ supports }) => supports);
  if (pieces.length > 0) return judged(ending.length > 0 ? ending : pieces, '');
  const shows = 'No limit is set on calls, tokens or seconds.';
  return judged([settingEvidence(subject, { key: 'budget.calls', value: 'unlimited', supports: false, shows })], '');
}
