/** Pieces of evidence in the form of the report. */
import type { RunnerId } from '../../call/tool-call.js';
import { excerptOf, lineOfFile, placeIn } from '../model/digest.js';
import type { EvidenceDraft } from '../model/examined.js';
import type { CheckEvidence, DecisionEvidence, FileEvidence, ScanEvidence } from '../model/report.js';
import { withoutSecrets } from '../model/shown-command.js';
import { checkCommand } from './check-command.js';

/** Returns a line of a file as evidence, with its text unless there is a better excerpt; empty if the file cannot be shown. */
export function lineEvidence(
  project: string,
  { file, line }: { readonly file: string; readonly line: number },
  shows: string,
  { supports = false, excerpt }: { readonly supports?: boolean; readonly excerpt?: string } = {},
): readonly EvidenceDraft<FileEvidence>[] {
  const place = placeIn(project, file, line);
  const text = excerpt ?? excerptOf(withoutSecrets(lineOfFile(project, file, line)));
  return place === null ? [] : [{ kind: 'file', supports, shows, place, excerpt: text }];
}

/** Returns what `command` of this program shows; a contradiction is a problem. */
export function checkEvidence(
  supports: boolean,
  shows: string,
  of: Pick<CheckEvidence, 'check' | 'command'> & Partial<Pick<CheckEvidence, 'runner' | 'level' | 'fix'>>,
): EvidenceDraft<CheckEvidence> {
  return { kind: 'check', supports, shows, runner: null, level: supports ? 'ok' : 'problem', fix: null, ...of };
}

/** Returns a search of files that found nothing. */
export function scanEvidence(
  supports: boolean,
  shows: string,
  lookedFor: string,
  files: ScanEvidence['files'],
): EvidenceDraft<ScanEvidence> {
  return { kind: 'scan', supports, shows, lookedFor, files, matches: 0 };
}

/** Returns the files with their digests; null for one that does not exist. */
export function digested(project: string, files: readonly string[]): ScanEvidence['files'] {
  return files.map((file) => ({ file, digest: placeIn(project, file, 1)?.digest ?? null }));
}

/** Returns the policy's decision about a call. */
export function decisionEvidence(
  runner: RunnerId,
  { tool, input, agent }: Pick<DecisionEvidence, 'tool' | 'input' | 'agent'>,
  expected: DecisionEvidence['expected'],
  { decision: actual, message }: Readonly<{ decision: DecisionEvidence['actual']; message: string }>,
  shows: string,
): EvidenceDraft<DecisionEvidence> {
  const command = checkCommand(runner, { tool, input, ...(agent !== null && { agent }) });
  const supports = expected === 'deny' ? actual === 'deny' : actual !== 'allow';
  return { kind: 'decision', supports, shows, agent, tool, input, expected, actual, message, command };
}
