/** The results of sealing and of verifying the log, for a person. */
import type { Rotation } from '../../log/tree/rotate.js';
import type { Sealed } from '../../log/tree/seal.js';
import type { Verification } from '../../log/tree/verify.js';
import { escapeText } from '../printing/escape.js';

/** Returns what was sealed; after the first time, also what to keep elsewhere. */
export function sealText({ added, size, checkpoint, verifier, isFirst }: Sealed, { moved, packed }: Rotation): string {
  if (checkpoint === null) return 'Nothing to seal: the decision log is empty.\n';
  const lines = [
    added === 0 ? `Nothing new: ${counted(size, 'record')} sealed.` : `Sealed ${counted(added, 'record')}, ${size} in all.`,
    ...(moved.length > 0 ? [`Put away: ${moved.join(', ')}`] : []),
    ...(packed.length > 0 ? [`Packed: ${packed.join(', ')}`] : []),
  ];
  if (isFirst)
    lines.push(
      '',
      'A signing key was made for this log. Keep its public half where nobody who can write this log can change it; then',
      '`policy log verify --key` also detects a log that was completely replaced:',
      '',
      `  ${escapeText(verifier)}`,
    );
  return `${lines.join('\n')}\n`;
}

/** Returns what a seal would add. */
export function unsealedText({ records, oldest, age }: Verification['unsealed']): string {
  if (records === 0) return 'Nothing to seal: no record was added since the last time.\n';
  const since = oldest === null || age === null ? '' : `, the oldest of ${oldest} (${duration(age)} ago)`;
  return `Would seal ${counted(records, 'record')}${since}. Nothing was changed.\n`;
}

/** Returns everything that was found, problems first; if the log was changed, the last line states it. */
export function verificationText(found: Verification): string {
  const { sealed, pruned, time, verifier, checkpoints, problems, problemCount, unsealed } = found;
  const lines = problems.map(({ message }) => escapeText(message));
  if (problemCount > problems.length) lines.push(`… and ${problemCount - problems.length} more problems`);
  if (lines.length > 0) lines.push('');
  if (time === null || verifier === null)
    lines.push(
      unsealed.records + problemCount === 0 ? 'Nothing was logged yet.' : 'Nothing is sealed yet; run `policy log seal`.',
    );
  else {
    const what = problemCount === 0 ? 'Verified' : 'Checked';
    lines.push(
      `${what}: ${counted(sealed, 'sealed record')}${pruned > 0 ? ` (${pruned} deleted by policy log prune)` : ''}, ${counted(checkpoints, 'checkpoint')}, the newest of ${escapeText(time)}`,
      `Signed by ${escapeText(verifier)}`,
    );
  }
  if (unsealed.records > 0 || (time !== null && problemCount === 0)) lines.push(unsealedLine(unsealed));
  if (problemCount > 0) lines.push(`NOT VERIFIED: ${counted(problemCount, 'problem')}, listed above`);
  return `${lines.join('\n')}\n`;
}

/** `Not sealed yet: 12 records, the oldest of 2026-01-31T12:00:00.000Z (3 hours ago)` */
export function unsealedLine({ records, oldest, age }: Verification['unsealed']): string {
  if (records === 0) return 'Everything is sealed';
  const since = oldest === null || age === null ? '' : `, the oldest of ${oldest} (${duration(age)} ago)`;
  return `Not sealed yet: ${counted(records, 'record')}${since}`;
}

function duration(milliseconds: number): string {
  for (const [unit, length] of UNITS) if (milliseconds >= 2 * length) return `${Math.floor(milliseconds / length)} ${unit}`;
  return `${Math.floor(milliseconds / 1_000)} seconds`;
}

const UNITS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
];

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
