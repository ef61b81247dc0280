/** What the reports of a fleet count: gaps of each severity, and how many repositories have the same one. */
import type { ExaminedRepository, FleetReport, RepositoryResult } from '../../audit/fleet/report.js';
import type { Severity } from '../../audit/model/report.js';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

export interface CommonGap {
  readonly control: string;
  readonly severity: Severity;
  readonly message: string;
  /** Repositories that have it. */
  readonly count: number;
}

export function isExamined(result: RepositoryResult): result is ExaminedRepository {
  return result.problem === null;
}

export function countOf({ findings }: ExaminedRepository, severity: Severity): number {
  return findings.filter((one) => one.severity === severity).length;
}

/** Most errors first, then most warnings, then by name. */
export function byGaps(report: FleetReport): readonly ExaminedRepository[] {
  return report.repositories
    .filter(isExamined)
    .sort(
      (left, right) =>
        countOf(right, 'error') - countOf(left, 'error') ||
        countOf(right, 'warning') - countOf(left, 'warning') ||
        (left.repository < right.repository ? -1 : 1),
    );
}

/** What is wrong in most repositories, errors first. */
export function commonGaps(report: FleetReport): readonly CommonGap[] {
  const gaps = new Map<string, CommonGap>();
  for (const { findings } of report.repositories.filter(isExamined)) {
    // A claim that several coding agents miss counts once.
    const own = new Map(findings.map((one) => [`${one.control}/${one.claim}`, one]));
    for (const [key, { severity, message }] of own)
      gaps.set(key, { control: key, severity, message, count: (gaps.get(key)?.count ?? 0) + 1 });
  }
  return [...gaps.values()].sort((left, right) => RANK[left.severity] - RANK[right.severity] || right.count - left.count);
}

/** `200 repositories: 12 without a gap, 180 with gaps, 8 could not be examined.` */
export function fleetSentence({ repositories }: FleetReport): string {
  const examined = repositories.filter(isExamined);
  const clean = examined.filter(({ findings }) => findings.length === 0).length;
  const broken = repositories.length - examined.length;
  const all = repositories.length === 1 ? '1 repository' : `${repositories.length} repositories`;
  return `${all}: ${clean} without a gap, ${examined.length - clean} with gaps, ${broken} could not be examined.`;
}
