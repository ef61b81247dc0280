import type { AgentFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const parallelDelegation: LintRule = {
  id: 'delegation/parallel',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A definition starts agents in parallel, and the policy runs one at a time.',
    why: 'Sequential execution is the safety rule of the original design: with maxConcurrent 1 every second agent is refused.',
    bad: 'delegation:\n  parallel: true\n',
    good: 'delegation:\n  parallel: false\n',
    fix: 'Remove `parallel`, or set sequential.maxConcurrent in policy.yaml to more than 1.',
  },
  check: forAgents(check),
};

function check({ data }: AgentFile, { policies }: LintProject): readonly Report[] {
  if (data?.at('/delegation/parallel') !== true) return [];
  const most =
    policies.map((policy) => policy.data?.at('/sequential/maxConcurrent')).find((value) => typeof value === 'number') ?? 1;
  if (most > 1) return [];
  return [
    { at: data.keySpan('/delegation/parallel'), message: `Agents run one at a time here (sequential.maxConcurrent is ${most}).` },
  ];
}
