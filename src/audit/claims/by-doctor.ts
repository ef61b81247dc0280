/** A claim that holds when checks of `policy doctor` find no problem. */
import type { RunnerId } from '../../call/tool-call.js';
import type { DoctorResult } from '../doctor/found/check.js';
import { type ExaminedClaim, judged } from '../model/examined.js';
import { checkEvidence } from '../subject/evidence.js';
import type { AuditSubject } from '../subject/subject.js';

/** Checks that read all settings of the project, whether they contain a hook or not. */
const NEED_NO_HOOK: ReadonlySet<string> = new Set(['surroundings', 'others', 'servers']);
/** Why a claim about an installed hook remains open. */
export const NOT_INSTALLED = 'It has no policy hook, so there was nothing to check.';

/** Returns one claim for each runner, and one for results that concern no particular runner. */
export function byDoctor({ runners, checks }: AuditSubject, claim: string, ids: readonly string[]): readonly ExaminedClaim[] {
  const said = checks.filter(({ check }) => ids.includes(check));
  const general = said.filter(({ runner }) => runner === null);
  const ofRunners = said.length > general.length || general.length === 0;
  return [
    ...(general.length === 0 ? [] : [claimOf(claim, null, general, ids)]),
    ...(ofRunners
      ? runners.map(({ runner, isInstalled }) => {
          const ofRunner = said.filter((one) => one.runner === runner.id);
          // Without a hook the other checks have nothing to examine, so that the absence of results proves nothing.
          if (ofRunner.length === 0 && !isInstalled && !ids.every((id) => NEED_NO_HOOK.has(id)))
            return { claim, runner: runner.id, found: judged([], NOT_INSTALLED) };
          return claimOf(claim, runner.id, ofRunner, ids);
        })
      : []),
  ];
}

/** Problems are evidence against the claim; without any, the results that are in order are evidence for it. */
function claimOf(claim: string, runner: RunnerId | null, said: readonly DoctorResult[], ids: readonly string[]): ExaminedClaim {
  const problems = said.filter(({ level }) => level === 'problem');
  const command = `policy doctor${runner === null ? '' : ` ${runner}`}`;
  const evidence = (problems.length > 0 ? problems : said).map(({ check, level, message, fix }) =>
    checkEvidence(level !== 'problem', `${message.replace(/\.$/, '')}.`, { check, runner, level, command, fix }),
  );
  const silent = checkEvidence(true, 'policy doctor finds nothing wrong.', { check: ids.join(', '), runner, command });
  return { claim, runner, found: judged(evidence.length > 0 ? evidence : [silent], '') };
}
