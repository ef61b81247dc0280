/** The audit of many repositories: the verdict, the most frequent problems, and a row for each repository. */
import type { ExaminedRepository, FleetReport, RepositoryResult } from '../../audit/fleet/report.js';
import type { Severity } from '../../audit/model/report.js';
import { type Block, list, paragraph, type Section, section, type Text, table } from '../printing/document.js';
import { asHtml } from '../printing/html.js';
import { asMarkdown } from '../printing/markdown.js';

/** The maximum number of rows of a Markdown document; a page contains all of them. */
const MOST_ROWS = 1_000;

/** Returns the whole document, with a final line break. */
export function fleetAsMarkdown(report: FleetReport): string {
  return asMarkdown(fleetDocument(report, MOST_ROWS));
}

/** Includes every gap of each repository. */
export function fleetAsHtml(report: FleetReport): string {
  return asHtml(fleetDocument(report, report.repositories.length));
}

function fleetDocument(report: FleetReport, most: number): Section {
  const examined = byGaps(report);
  const broken = report.repositories.filter((one) => !isExamined(one));
  const gaps = commonGaps(report).map(({ control, severity, message, count }) => [
    ...[String(count), severity, { ours: control }],
    { ours: message },
  ]);
  const heads = ['Repository', 'Policy', 'Agents', 'Claims that hold', 'Errors', 'Warnings', 'Worst gap'];
  return section('Agent Policy Audit of Many Repositories', 'fleet', [
    paragraph({ strong: { ours: fleetSentence(report) } }),
    paragraph({ ours: PROVES_NOTHING }),
    ...(gaps.length === 0
      ? []
      : [section('Most Frequent Gaps', 'gaps', [table(['Repositories', 'Severity', 'Claim', 'Gap'], gaps)])]),
    ...(examined.length === 0 ? [] : [section('Repositories', 'repositories', [table(heads, examined.slice(0, most).map(row))])]),
    ...(examined.length > most ? [paragraph(`and ${examined.length - most} more`)] : []),
    { kind: 'page', blocks: examined.flatMap(gapsOf) },
    ...(broken.length === 0
      ? []
      : [
          section('Could Not Be Examined', 'broken', [
            list(broken.map(({ repository, problem }) => [{ code: repository }, `: ${problem ?? ''}`])),
          ]),
        ]),
    paragraph(`policy ${report.toolVersion}, ${report.generatedAt}, ${report.milliseconds} ms`),
  ]);
}

const PROVES_NOTHING =
  'Each was examined by its files alone. No hook was started, so this proves no enforcement: run `policy audit` where the coding agents run.';

function row(one: ExaminedRepository): readonly Text[] {
  const [worst] = one.findings;
  return [
    { code: one.repository },
    policyOf(one),
    ...[one.agents, `${one.met} of ${one.claims}`, countOf(one, 'error'), countOf(one, 'warning')].map(String),
    worst === undefined ? { mark: 'implemented' } : { ours: `${worst.control}: ${worst.message}` },
  ];
}

/** Without any file for a coding agent, a missing policy is not a gap. */
function policyOf({ hasPolicy, files }: ExaminedRepository): Text {
  if (files === 0) return 'no agent files';
  return hasPolicy ? 'yes' : { mark: 'missing', word: 'none' };
}

function gapsOf({ repository, findings }: ExaminedRepository): readonly Block[] {
  if (findings.length === 0) return [];
  const gaps = findings.map(({ control, claim, severity, message, place }): Text => {
    const where = place === null ? [] : [' ', { code: place }];
    return [`${severity} ${control}/${claim}: `, { ours: message }, ...where];
  });
  return [{ kind: 'folded', title: [{ code: repository }, `: ${gaps.length} gaps`], blocks: [list(gaps)] }];
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

interface CommonGap {
  readonly control: string;
  readonly severity: Severity;
  readonly message: string;
  /** The number of repositories with this gap. */
  readonly count: number;
}

function isExamined(result: RepositoryResult): result is ExaminedRepository {
  return result.problem === null;
}

/** Returns the number of findings with a severity. */
function countOf({ findings }: ExaminedRepository, severity: Severity): number {
  return findings.filter((one) => one.severity === severity).length;
}

/** Sorts by most errors, then by most warnings, then by name. */
function byGaps(report: FleetReport): readonly ExaminedRepository[] {
  return report.repositories
    .filter(isExamined)
    .sort(
      (left, right) =>
        countOf(right, 'error') - countOf(left, 'error') ||
        countOf(right, 'warning') - countOf(left, 'warning') ||
        (left.repository < right.repository ? -1 : 1),
    );
}

/** Returns the gaps of most repositories, errors first. */
function commonGaps(report: FleetReport): readonly CommonGap[] {
  const gaps = new Map<string, CommonGap>();
  for (const { findings } of report.repositories.filter(isExamined)) {
    // A claim that several coding agents do not meet is counted once per repository.
    const own = new Map(findings.map((one) => [`${one.control}/${one.claim}`, one]));
    for (const [key, { severity, message }] of own)
      gaps.set(key, { control: key, severity, message, count: (gaps.get(key)?.count ?? 0) + 1 });
  }
  return [...gaps.values()].sort((left, right) => RANK[left.severity] - RANK[right.severity] || right.count - left.count);
}

/** `200 repositories: 12 without a gap, 180 with gaps, 8 could not be examined.` */
function fleetSentence({ repositories }: FleetReport): string {
  const examined = repositories.filter(isExamined);
  const clean = examined.filter(({ findings }) => findings.length === 0).length;
  const broken = repositories.length - examined.length;
  const all = repositories.length === 1 ? '1 repository' : `${repositories.length} repositories`;
  return `${all}: ${clean} without a gap, ${examined.length - clean} with gaps, ${broken} could not be examined.`;
}
