/** Whether the policy can be used, and blocks anything. */
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import { openedWorkspace } from '../found/subject.js';
import { shellWord } from '../found/words.js';
import { writableOnTheWay } from '../found/writable.js';

export const policy: DoctorCheck = {
  id: 'policy',
  examine: (subject) => {
    const opened = openedWorkspace(subject);
    if (!opened.ok)
      return opened.problems.map(({ message, source }) =>
        problem(
          null,
          `The policy cannot be used, so every call is denied: ${source.file}:${source.line}: ${message}`,
          'policy lint',
        ),
      );
    const { policy: composed, notes } = opened.workspace;
    const said: CheckResult[] = notes
      .filter(({ code }) => code.startsWith('trust/'))
      .slice(0, 1)
      .map(({ message }) => worthKnowing(null, message, 'policy trust'));
    const outside = composed.sources.filter(({ layer }) => layer === 'user' || layer === 'managed');
    for (const path of new Set(outside.flatMap(({ file }) => writableOnTheWay(file))))
      said.push(problem(null, `Everybody can write ${path}, so anybody can change your policy`, `chmod o-w ${shellWord(path)}`));
    const files = composed.sources.map(({ file }) => file).join(', ');
    if (composed.mode === 'observe')
      said.push(
        worthKnowing(
          null,
          `The policy is in observe mode (${files}): decisions are logged, nothing is blocked`,
          'policy observe off',
        ),
      );
    else said.push(fine(null, `The policy is valid (${files || 'no file: what is built in holds'})`));
    return said;
  },
};
