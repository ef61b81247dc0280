/** A claim that holds when the installed hook of a runner answers test calls as expected. */

import type { Probe } from '../hooks/installed-hooks.js';
import { type EvidenceDraft, type Examined, judged } from '../model/examined.js';
import type { ChecklistControl, ProbeCall } from '../subject/checklist.js';
import type { AuditedRunner, AuditSubject } from '../subject/subject.js';
import { whyPolicyStops } from './blocked-by-policy.js';

/** Sends the probes with these ids for which the runner has a form; stops when the hook does not answer one in time. */
export async function byProbes(
  subject: AuditSubject,
  one: AuditedRunner,
  { probes = [] }: ChecklistControl,
  ids: readonly string[],
): Promise<Examined> {
  const evidence: EvidenceDraft[] = [];
  let ofPolicy: string | null = null;
  let isRefuted = false;
  for (const call of probes.filter(({ id }) => ids.includes(id))) {
    const result = await one.hooks.probe(checklistProbe(call, subject.project, one));
    const told = result?.evidence ?? [];
    evidence.push(...told);
    const why = call.expect === 'not blocked' && result?.outcome === 'blocked' ? stoppedBy(subject, one, call) : null;
    ofPolicy ??= why;
    isRefuted ||= why === null && told.some(({ supports }) => !supports);
    if (told.some(({ timedOut }) => timedOut)) break;
  }
  // One cause yields one finding, reported where the policy is examined.
  if (ofPolicy !== null && !isRefuted) return { verdict: 'unproven', why: ofPolicy, evidence };
  return judged(evidence, one.hooks.whyNotAsked);
}

/** Only our own hook answers according to the policy. */
function stoppedBy(subject: AuditSubject, { runner, hooks }: AuditedRunner, call: ProbeCall): string | null {
  const isOurs = hooks.blocking.filter(({ probed }) => probed).every(({ own }) => own !== null);
  return isOurs ? whyPolicyStops(subject, runner.id, call) : null;
}

/** Turns a call of the checklist into a probe for this project and this runner. */
function checklistProbe(
  { id, expect, tool, input, permissionMode, broken }: ProbeCall,
  project: string,
  { runner }: AuditedRunner,
): Probe {
  const settings = runner.places.project?.path ?? runner.settings('').file;
  const placed = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{project}', () => project).replaceAll('{settings}', () => settings) : value,
  ]);
  const call = { tool, input: Object.fromEntries(placed), toolUseId: `toolu_audit_${id}` };
  return {
    id,
    expected: expect,
    call: permissionMode === undefined ? call : { ...call, permissionMode },
    ...(broken !== undefined && { broken }),
  };
}
