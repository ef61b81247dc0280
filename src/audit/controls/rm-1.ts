/** RM-1, sequential execution: is one subagent at a time the rule, and does the hook refuse a second one? */
import type { Control } from '../control.js';
import { type Examined, judged, type Piece } from '../examined.js';
import type { ProbeEvidence } from '../report.js';
import { type AuditSubject, settingEvidence } from '../subject.js';

export const rm1: Control = {
  id: 'RM-1',
  async examine(subject) {
    return new Map([
      ['limit', limit(subject)],
      ['refuses', await refuses(subject)],
    ]);
  },
};

/** `sequential.maxConcurrent` of the composed policy; one is the default. */
function limit(subject: AuditSubject): Examined {
  const value = subject.workspace.policy.sequential.maxConcurrent;
  const shows = `The policy lets ${value === 1 ? 'one subagent' : `${value} subagents`} run at a time.`;
  return judged([settingEvidence(subject, { key: 'sequential.maxConcurrent', value, supports: value === 1, shows })], '');
}

/**
 * Two starts of a subagent, the second before the first has ended (R057). Only when the first may pass does a refusal of the
 * second show that somebody counts.
 */
async function refuses({ gate, workspace }: AuditSubject): Promise<Examined> {
  const agent = workspace.agents.find(({ dialect, status }) => dialect === 'claude-code' && status === 'active')?.name;
  const start = (id: string, expected: ProbeEvidence['expected']) =>
    gate.probe({
      id,
      expected,
      call: {
        tool: 'Agent',
        input: { description: 'd', prompt: 'p', subagent_type: agent ?? 'general-purpose', run_in_background: false },
        toolUseId: `toolu_audit_${id}`,
      },
    });
  const first = await start('first-subagent', 'not blocked');
  if (first === null) return { verdict: 'unproven', why: 'No hook could be started that would have to refuse it.', evidence: [] };
  if (first.outcome === 'blocked' || first.outcome === 'deferred')
    return {
      verdict: 'unproven',
      why: 'Not even the first subagent may start, so nothing can overlap here.',
      evidence: first.evidence,
    };
  if (first.outcome === 'failed-open') return judged(first.evidence, '');
  const second = await start('second-subagent', 'blocked');
  const evidence: readonly Piece[] = [...first.evidence, ...(second?.evidence ?? [])];
  return judged(evidence, '');
}
