/** A claim that holds when the installed hook of a runner answers test calls as expected. */
import type { ChecklistControl, ProbeCall } from '../checklist.js';
import { type EvidenceDraft, type Examined, judged } from '../examined.js';
import type { Probe } from '../hooks/installed-hooks.js';
import type { AuditedRunner, AuditSubject } from '../subject.js';

/** Sends the probes of these ids that the runner has a form for, until the hook does not answer one in time. */
export async function byProbes(
  subject: Pick<AuditSubject, 'project'>,
  one: AuditedRunner,
  { probes = [] }: ChecklistControl,
  ids: readonly string[],
): Promise<Examined> {
  const evidence: EvidenceDraft[] = [];
  for (const probe of probes.filter(({ id }) => ids.includes(id)).map((call) => checklistProbe(call, subject.project, one))) {
    const result = await one.hooks.probe(probe);
    evidence.push(...(result?.evidence ?? []));
    if (result?.evidence.some(({ timedOut }) => timedOut) === true) break;
  }
  return judged(evidence, one.hooks.whyNotAsked);
}

/** A call of the checklist in this project, for this runner. */
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
