/**
 * Detects a harmless call that the installed hook stops because the policy in force here does not allow it: that is not a fault
 * of the hook.
 */
import type { RunnerId } from '../../call/tool-call.js';
import { openWorkspace } from '../../project/workspace.js';
import { excerptOf, shownFile } from '../model/digest.js';
import type { ChecklistControl } from '../subject/checklist.js';
import { type AuditSubject, decidedForEach } from '../subject/subject.js';

type Call = Pick<NonNullable<ChecklistControl['probes']>[number], 'tool' | 'input'>;

/** Why the policy itself does not allow the call, and how to change that; null when it allows the call. */
export function whyPolicyStops(subject: AuditSubject, runner: RunnerId, { tool, input }: Call): string | null {
  const [decision] = decidedForEach(subject, runner, { tool, input }, [null]);
  if (decision === undefined || decision.decision === 'allow') return null;
  const { workspace, project } = subject;
  const stranger = workspace.policy.sources.find(({ trusted }) => !trusted);
  if (stranger !== undefined && isAllowedTrusted(subject, runner, { tool, input })) {
    const file = shownFile(project, stranger.file);
    return `${file} is not trusted, so it allows nothing, and the hook also stops harmless calls (AS-1). Read it, then run \`policy trust\`.`;
  }
  if (workspace.policy.sources.length === 0)
    return 'No policy allows anything, so the hook also stops harmless calls (AS-1). Run `policy init`.';
  return excerptOf(`The policy itself stops this call, so it does not show what the hook allows: ${decision.message}`);
}

/** Whether the policy would allow the call if somebody had trusted the project. */
function isAllowedTrusted({ places, project }: AuditSubject, runner: RunnerId, call: Call): boolean {
  const { home, environment } = places;
  const opened = openWorkspace({
    ...{ cwd: project, project, home, platform: process.platform, environment },
    ...{ withAgents: true, trustProject: true },
  });
  if (!opened.ok) return false;
  const [decision] = decidedForEach({ workspace: opened.workspace, project }, runner, call, [null]);
  return decision?.decision === 'allow';
}
