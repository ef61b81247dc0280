/** `policy audit` from start to end: find what is installed, examine each control, compute the results from the evidence. */
import type { Workspace } from '../project/workspace.js';
import { examineControl } from './controls/examine.js';
import { conclusionsOf, controlResult } from './controls/score.js';
import { auditSubject } from './gather.js';
import { placeIn } from './model/digest.js';
import { originOf } from './model/origin.js';
import type { AuditReport, ControlResult } from './model/report.js';
import { scratchState } from './scratch/state.js';
import { checklist } from './subject/checklist.js';
import type { AuditOptions } from './subject/options.js';

/** Audits a project. Takes seconds, since it starts hooks; leaves no trace in the decision log. */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const started = options.now();
  const tick = options.tick ?? (() => {});
  const entries = options.checklists.flatMap((id) => checklist(id).controls);
  const state = scratchState(options.stateDirectory);
  try {
    tick('what is installed');
    const subject = await auditSubject(options, entries, state);
    const results: ControlResult[] = [];
    for (const [index, entry] of entries.entries()) {
      tick(`control ${entry.id}, ${index + 1} of ${entries.length}`);
      results.push(controlResult(entry, await examineControl(subject, entry)));
    }
    const { checklists, ...whole } = conclusionsOf(options.checklists, results);
    return {
      version: 1,
      checklists,
      meta: {
        tool: 'policy',
        toolVersion: options.toolVersion,
        runners: subject.runners.map(({ runner, client, hooks }) => ({
          id: runner.id,
          version: client?.version ?? null,
          hooks: hooks.blocking.filter(({ probed }) => probed).length,
        })),
        project: subject.project,
        origin: originOf(subject.project),
        generatedAt: new Date(started).toISOString(),
        milliseconds: options.now() - started,
        probes: !options.probes ? 'none' : options.runHooks ? 'any hook' : 'own hook only',
        policies: options.workspace.policy.sources.map((one) => ({
          ...one,
          digest: placeIn(subject.project, one.file, 1)?.digest ?? null,
        })),
        mode: options.workspace.policy.mode,
      },
      ...whole,
      permissions: subject.permissions,
      notes: summarizeNotes(options.workspace.notes),
      changes: null,
      exceptions: null,
      gate: null,
      decisionLog: subject.log,
    };
  } finally {
    state.remove();
  }
}

/** Shows only the first of many notes of one kind, and the number of the others. */
function summarizeNotes(notes: Workspace['notes']): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { code, message } of notes) kinds.set(code, [...(kinds.get(code) ?? []), message]);
  return [...kinds.values()].map(([first = '', ...more]) =>
    more.length === 0 ? first : `${first} (${more.length} more of this kind)`,
  );
}
