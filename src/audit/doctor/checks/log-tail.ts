/** How much of the log is not sealed yet, and since when. */
import { LogError } from '../../../log/files/log-error.js';
import { readTree } from '../../../log/tree/state.js';
import { unsealedTail } from '../../../log/tree/unsealed.js';
import { type CheckResult, type DoctorCheck, fine, worthKnowing } from '../found/check.js';

const A_DAY = 86_400_000;

export const logTail: DoctorCheck = {
  id: 'log-tail',
  examine: ({ stateDirectories, now }) => stateDirectories.flatMap((state) => tailOf(state, now)),
};

function tailOf(state: string, now: number): readonly CheckResult[] {
  try {
    const { records, age } = unsealedTail(state, readTree(state), now);
    if (age === null) return [fine(null, `Everything in the decision log in ${state} is sealed`)];
    const some = records === 1 ? 'One log record is' : `${records} log records are`;
    const hours = Math.floor(age / 3_600_000);
    const since = hours === 0 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`;
    const what = `${some} not sealed yet, the oldest for ${since} (${state})`;
    return [age > A_DAY ? worthKnowing(null, what, 'policy log seal') : fine(null, what)];
  } catch (error) {
    if (error instanceof LogError)
      return [worthKnowing(null, `It is unknown how much of the log is sealed: ${error.message}`, 'policy log verify')];
    throw error;
  }
}
