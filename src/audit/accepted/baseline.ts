/** The changes since an earlier audit: findings compared place by place, identified by their subject and not by their line number. */
import type { AuditReport, Evidence } from '../model/report.js';
import type { Change, Changes } from '../model/results.js';
import { withoutNumbers } from '../model/without-numbers.js';
import { findingId } from './finding-id.js';
import { claimIn, evidenceOf, partnersOf } from './matching.js';

export interface EarlierReport {
  readonly file: string;
  readonly report: AuditReport;
}

/** Compares the findings of two audits. */
export function changesSince({ file, report: before }: EarlierReport, now: AuditReport): Changes {
  const { project, generatedAt, toolVersion } = before.meta;
  const then = itemsOf(before);
  const items = itemsOf(now);
  const { known, added } = split(items, then);
  const gone = split(then, items).added;
  const fixed = gone.filter((item) => isExamined(item, now));
  return {
    baseline: { file, project, generatedAt, toolVersion },
    score: { before: before.score.percent, after: now.score.percent },
    added: added.map(changeOf),
    fixed: fixed.map(changeOf),
    unchanged: known.map(changeOf),
    unexamined: gone.filter((item) => !fixed.includes(item)).map(changeOf),
  };
}

interface Item extends Change {
  readonly finding: string;
}

function changeOf({ finding: _, ...change }: Item): Change {
  return change;
}

/** Returns every finding, once for each piece of evidence against its claim. */
function itemsOf({ controls, findings }: AuditReport): readonly Item[] {
  return findings.flatMap((finding): readonly Item[] => {
    const { control, claim, runner, severity, message } = finding;
    const about = { control, claim, runner, severity, finding: findingId(finding) };
    const result = controls.find(({ id }) => id === control);
    const claimed = result && claimIn(result, claim, runner);
    const pieces = result === undefined || claimed?.gap == null ? [] : evidenceOf(result, claimed);
    const against = pieces.filter(({ supports }) => !supports);
    if (against.length === 0) return [{ ...about, place: '', message }];
    return against.map((piece) => ({ ...about, place: subjectOfEvidence(piece), message: piece.shows }));
  });
}

/** Returns the subject of a piece of evidence; lines added above it do not change it. */
function subjectOfEvidence(piece: Evidence): string {
  switch (piece.kind) {
    case 'file':
      return `${piece.place.file}: ${withoutNumbers(piece.shows)}`;
    case 'scan':
      return piece.lookedFor;
    case 'setting':
      return piece.key;
    case 'decision':
      return `${piece.agent ?? 'main'}: ${piece.tool}`;
    case 'probe':
      return piece.probe;
    case 'check':
      return `${piece.check}: ${withoutNumbers(piece.shows)}`;
  }
}

/**
 * Splits the items into those that also occur in `others` (as many times as there) and the rest. An item stating that a claim
 * could not be tested is known as soon as `others` contain any item of the same finding.
 */
function split(
  items: readonly Item[],
  others: readonly Item[],
): { readonly known: readonly Item[]; readonly added: readonly Item[] } {
  const partners = partnersOf(items, others, keyOf);
  const findings = new Set(others.map(({ finding }) => finding));
  const isKnown = (item: Item) =>
    partners.has(item) || (item.place === '' && item.severity === 'info' && findings.has(item.finding));
  return { known: items.filter(isKnown), added: items.filter((item) => !isKnown(item)) };
}

function keyOf({ finding, place }: Item): string {
  return `${finding}\0${place}`;
}

/** Whether this audit could have found the item again. */
function isExamined({ control, claim, runner }: Item, { controls, meta }: AuditReport): boolean {
  const result = controls.find(({ id }) => id === control);
  if (result === undefined || (runner !== null && !meta.runners.some(({ id }) => id === runner))) return false;
  return claim === null || claimIn(result, claim, runner)?.verdict !== 'unproven';
}
