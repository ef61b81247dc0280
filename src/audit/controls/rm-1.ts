/** RM-1, sequential execution: is one subagent at a time the rule, and does the hook refuse a second one? */
import { isReadBy } from '../../definitions/known-agents.js';
import { HOOK_OFF, type Probe } from '../hooks/installed-hooks.js';
import { overlaps } from '../log/claims.js';
import { type Examined, type ExaminedClaim, judged, notApplicable } from '../model/examined.js';
import type { ProbeEvidence } from '../model/report.js';
import type { Control } from '../subject/control.js';
import { type AuditedRunner, type AuditSubject, settingEvidence } from '../subject/subject.js';

export const rm1: Control = {
  id: 'RM-1',
  async examine(subject) {
    return [
      { claim: 'limit', runner: null, found: limit(subject) },
      { claim: 'overlaps', runner: null, found: overlaps(subject.log) },
      ...(await startsAtOnce(subject)),
    ];
  },
};

/** Evidence: `sequential.maxConcurrent` of the composed policy; the default is one. */
function limit(subject: AuditSubject): Examined {
  const value = subject.workspace.policy.sequential.maxConcurrent;
  const shows = `The policy lets ${value === 1 ? 'one subagent' : `${value} subagents`} run at a time.`;
  return judged([settingEvidence(subject, { key: 'sequential.maxConcurrent', value, supports: value === 1, shows })], '');
}

/** Both claims rest on the same two starts. */
async function startsAtOnce(subject: AuditSubject): Promise<readonly ExaminedClaim[]> {
  const examined: ExaminedClaim[] = [];
  for (const one of subject.runners) {
    const found = await refuses(subject, one);
    const runner = one.runner.id;
    examined.push({ claim: 'refuses', runner, found }, { claim: 'tracked', runner, found: tracked(found, one.hooks.recorded()) });
  }
  return examined;
}

/** A hook that keeps track and refuses nobody enforces something, not the limit; only an admitted start leaves a record. */
function tracked(found: Examined, runs: number): Examined {
  const admitted = found.evidence.filter((piece) => piece.kind === 'probe' && !isBlocked(piece));
  if ('why' in found) return found;
  if (admitted.length === 0) return notApplicable('No subagent may start here, so there is nothing to record.');
  const shows = ` The hook kept ${runs === 1 ? 'one record' : `${runs} records`} of a running subagent.`;
  const pieces = admitted.map((piece) => ({ ...piece, supports: runs > 0, shows: `${piece.shows}${shows}` }));
  const examined = judged(pieces, '');
  return 'why' in examined || found.notInForce === undefined ? examined : { ...examined, notInForce: found.notInForce };
}

/**
 * Two subagents start at the same moment: exactly one may pass. Whether the hook runs before the runner's calls at all is
 * examined by RM-4; if it is not installed, the program itself is asked: then the lock works, but is not in force.
 */
async function refuses({ workspace }: AuditSubject, { runner, hooks }: AuditedRunner): Promise<Examined> {
  const agent = workspace.agents.find((one) => one.status === 'active' && isReadBy(one, runner.id))?.name;
  const input = { description: 'd', prompt: 'p', subagent_type: agent ?? 'general-purpose', run_in_background: false };
  // Both probes make the same call, so that the report does not depend on which of them was faster.
  const call = { tool: 'Agent', input, toolUseId: 'toolu_audit_subagent-at-once' };
  const start: Probe = { id: 'subagent-at-once', expected: 'not blocked', call };
  const race = await hooks.race([start, start]);
  if (race === null) return judged([], 'Our program is not completely installed, or no hook was to be tested.');
  const [first, second] = [...race.evidence].sort((left, right) => Number(isBlocked(left)) - Number(isBlocked(right)));
  if (first === undefined || second === undefined) throw new Error('two probes were asked for');
  if (isBlocked(first) && !CONCURRENT.test(first.stderr + second.stderr))
    return judged(
      race.evidence.map((piece) => ({ ...piece, expected: 'blocked', supports: true, shows: `${piece.shows} ${NOT_ONE}` })),
      '',
    );
  const where = race.installed ? '' : " This is our program's own answer; no hook asks it here.";
  const admitted = { ...first, shows: `${first.shows}${where}` };
  const refused = { ...second, expected: 'blocked' as const, supports: isBlocked(second), shows: `${second.shows}${where}` };
  const examined = judged([admitted, refused], '');
  if (race.installed || 'why' in examined) return examined;
  const { whyNotAsked } = hooks;
  return { ...examined, notInForce: whyNotAsked.startsWith(HOOK_OFF) ? whyNotAsked : NOT_IN_FORCE };
}

const NOT_ONE = 'Not even one subagent may start, so nothing can overlap.';
const NOT_IN_FORCE = 'No hook of policy is in force here (RM-4), so nothing stops a second subagent from starting.';

/** The beginning of a refusal that is caused by another running agent. */
const CONCURRENT = /Concurrent execution detected/;

function isBlocked({ outcome }: Pick<ProbeEvidence, 'outcome'>): boolean {
  return outcome === 'blocked' || outcome === 'deferred';
}
