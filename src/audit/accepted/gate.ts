/** A gate before a release: which controls have to be implemented and in force. Accepted findings and baselines change nothing about it. */
import type { ControlResult } from '../report.js';
import { isProven } from '../score.js';
import type { Gate, GateName } from './results.js';

export function gateOf(name: GateName, controls: readonly ControlResult[]): Gate {
  const open = controls
    .filter(({ priority }) => name === 'ga' || priority === 'high')
    .filter((control) => !isProven(control))
    .map(({ id }) => id);
  return { name, passed: open.length === 0, open };
}
