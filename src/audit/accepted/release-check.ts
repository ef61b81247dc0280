/**
 * The check before a release (`--gate`): the controls that have to be implemented and in force. Accepted findings and baselines
 * do not affect it.
 */

import { isProven } from '../controls/score.js';
import type { ControlResult } from '../model/report.js';
import type { ReleaseCheck, ReleaseCheckName } from '../model/results.js';

export function releaseCheckOf(name: ReleaseCheckName, controls: readonly ControlResult[]): ReleaseCheck {
  const open = controls
    .filter(({ priority }) => name === 'ga' || priority === 'high')
    .filter((control) => !isProven(control))
    .map(({ id }) => id);
  return { name, passed: open.length === 0, open };
}
