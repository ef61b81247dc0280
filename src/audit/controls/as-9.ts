/** AS-9, limits: does the policy end a run that goes on and on? */
import type { Control } from '../control.js';
import { type Examined, judged } from '../examined.js';
import { type AuditSubject, settingEvidence } from '../subject.js';

export const as9: Control = {
  id: 'AS-9',
  async examine(subject) {
    return [{ claim: 'budget', runner: null, found: budget(subject) }];
  },
};

/** Of calls, tokens or seconds; any of them ends a run. */
function budget(subject: AuditSubject): Examined {
  const { tokens, calls, seconds } = subject.workspace.policy.budget;
  const limits = [
    ['budget.calls', calls, 'calls'],
    ['budget.tokens', tokens, 'tokens'],
    ['budget.seconds', seconds, 'seconds'],
  ] as const;
  const set = limits.filter(([, value]) => value !== null);
  if (set.length > 0)
    return judged(
      set.map(([key, value, unit]) =>
        settingEvidence(subject, { key, value, supports: true, shows: `A session ends after ${value} ${unit}.` }),
      ),
      '',
    );
  const shows = 'No limit is set on calls, tokens or seconds.';
  return judged([settingEvidence(subject, { key: 'budget.calls', value: 'unlimited', supports: false, shows })], '');
}
