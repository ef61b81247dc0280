/** RM-5, clear labelling: does the record of a call say which agent asked for it? */
import { isReadBy } from '../../definitions/known-agents.js';
import { newestFirst } from '../../log/read/query.js';
import type { LogRecord } from '../../log/record/record.js';
import type { SyntheticCall } from '../claude-code/payload.js';
import { type Examined, judged } from '../model/examined.js';
import type { Control } from '../subject/control.js';
import { type AuditedRunner, type AuditSubject, forEachRunner } from '../subject/subject.js';

export const rm5: Control = {
  id: 'RM-5',
  examine: (subject) => forEachRunner(subject, 'record', (one) => record(subject, one)),
};

/** No other probe sends this command, so the newest record with it belongs to this probe. */
const COMMAND = 'rm -rf --no-preserve-root /';

/** A denied call, and what the hook recorded about it; with the name of an agent if payloads of the runner contain one. */
async function record(subject: AuditSubject, { runner, hooks }: AuditedRunner): Promise<Examined> {
  const call: SyntheticCall = { tool: 'Bash', input: { command: COMMAND, description: 'd' }, toolUseId: 'toolu_audit_labelled' };
  const agent = subject.workspace.agents.find((one) => one.status === 'active' && isReadBy(one, runner.id));
  const labelled = agent === undefined ? call : { ...call, agent: agent.rawName };
  const made = hooks.knows(labelled) ? labelled : call;
  const result = await hooks.probe({ id: 'labelled', expected: 'blocked', call: made });
  const written = newestRecord(subject);
  const wanted = made.agent ?? null;
  return judged(
    (result?.evidence ?? []).map((piece) => {
      const isLabelled = isAbout(written) && written?.agent === wanted;
      return { ...piece, supports: piece.supports && isLabelled, shows: `${piece.shows} ${said(written)}` };
    }),
    hooks.whyNotAsked,
  );
}

/** Whether the record is about this very call. */
function isAbout(written: LogRecord | null): boolean {
  return written?.kind === 'decision' && JSON.stringify(written.input).includes(COMMAND);
}

function newestRecord({ probeState }: AuditSubject): LogRecord | null {
  for (const read of newestFirst(probeState, { kind: 'decision' })) if ('record' in read) return read.record;
  return null;
}

function said(written: LogRecord | null): string {
  if (written === null) return 'The log has no record of it.';
  return `Its record names agent ${written.agent ?? 'main'} and model ${written.model ?? 'unknown to the hook'}.`;
}
