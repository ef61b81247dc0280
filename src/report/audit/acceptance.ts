/** The acceptance part of an audit: its release check, the changes since a baseline, and the accepted findings. */

import type { AuditReport } from '../../audit/model/report.js';
import type { Change, Changes, ExceptionState, Exceptions, ReleaseCheck } from '../../audit/model/results.js';
import { type Block, list, type Mark, paragraph, section, type Text, table } from '../printing/document.js';
import { findingId } from './stand.js';

/** Returns its lines below the verdict, on the first screen. */
export function acceptanceLines({ gate, changes }: AuditReport): readonly Block[] {
  return [
    ...(gate === null
      ? []
      : [paragraph({ strong: [{ mark: gate.passed ? 'implemented' : 'missing' }, ` ${releaseCheckSentence(gate)}`] })]),
    ...(changes === null ? [] : [paragraph(trendSentence(changes))]),
  ];
}

export function acceptanceSections({ changes, exceptions }: AuditReport): readonly Block[] {
  return [
    ...(changes === null ? [] : [changesSection(changes)]),
    ...(exceptions === null ? [] : [exceptionsSection(exceptions)]),
  ];
}

function changesSection(changes: Changes): Block {
  const items = [
    ...changes.added.map((one) => changeItem('missing', 'new', one)),
    ...changes.fixed.map((one) => changeItem('implemented', 'fixed', one)),
    ...changes.unexamined.map((one) => changeItem('pending', 'not examined', one)),
  ];
  const since = paragraph(sinceSentence(changes));
  return section('Changes Since the Baseline', 'changes', items.length === 0 ? [since] : [since, list(items)]);
}

function changeItem(mark: Mark, word: string, change: Change): Text {
  return [{ mark, word }, `, ${change.severity}, `, { code: findingId(change) }, `: ${change.message}`];
}

const STATES: Readonly<Record<ExceptionState, { readonly mark: Mark; readonly word: string }>> = {
  accepted: { mark: 'partial', word: 'accepted' },
  expired: { mark: 'missing', word: 'expired' },
  unused: { mark: 'none', word: 'not needed' },
  ignored: { mark: 'missing', word: 'does not count' },
};

function exceptionsSection(exceptions: Exceptions): Block {
  const { ignored, entries } = exceptions;
  return section('Accepted Findings', 'exceptions', [
    paragraph(repositorySentence(exceptions)),
    ...(ignored === null ? [] : [paragraph({ ours: ignored })]),
    table(
      ['Finding', 'State', 'Owner', 'Accepted until', 'Reason'],
      entries.map(({ id, owner, expires, state, reason }) => [{ code: id }, STATES[state], owner, expires, reason]),
    ),
  ]);
}

export function releaseCheckSentence({ name, passed, open }: ReleaseCheck): string {
  const which = name === 'high' ? 'high-priority controls' : 'controls';
  return passed
    ? `Release check ${name} passed: all ${which} are implemented and in force.`
    : `Release check ${name} failed: ${open.length} open ${open.length === 1 ? 'item' : 'items'} (${which} that are not implemented and in force): ${open.join(', ')}.`;
}

function sinceSentence({ baseline, score, added, fixed, unchanged, unexamined }: Changes): string {
  const what = `${baseline.file} of ${baseline.generatedAt}on ${baseline.project}, written by policy ${baseline.toolVersion}`;
  const counts = `${added.length} new, ${fixed.length} fixed, ${unchanged.length} unchanged, ${unexamined.length} not examined this time`;
  return `Compared with ${what}: ${counts}. Score ${percent(score.before)} before, ${percent(score.after)} now.`;
}

/** Returns what became better and what became worse, in one line. */
function trendSentence({ baseline, score, added, fixed, unchanged }: Changes): string {
  const moved = (score.after ?? 0) - (score.before ?? 0);
  const way = score.before === null || score.after === null ? '' : ` (${moved > 0 ? '+' : ''}${moved})`;
  const counts = `${fixed.length} fixed, ${added.length} new, ${unchanged.length} unchanged`;
  return `Trend since ${baseline.generatedAt.slice(0, 10)}: ${counts}; score ${percent(score.before)} before, ${percent(score.after)} now${way}.`;
}

export function percent(value: number | null): string {
  return value === null ? 'unknown' : `${value} %`;
}

/** States who may have written the exceptions, and what they can do. */
function repositorySentence({ file, inRepository }: Exceptions): string {
  const source = inRepository
    ? `The exceptions in ${file} are in the audited repository: anyone who can change it can accept a finding.`
    : `The exceptions in ${file} are outside the audited repository.`;
  return `${source} Accepted findings do not affect the exit code; they change no status, score or verdict.`;
}
