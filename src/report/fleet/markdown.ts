/** The audit of many repositories as Markdown: the verdict, what is wrong most often, and a row for each repository. */
import type { ExaminedRepository, FleetReport } from '../../audit/fleet/report.js';
import { code, ours, plain, table } from '../printing/markdown.js';
import { byGaps, commonGaps, countOf, fleetSentence, isExamined } from './counts.js';

const MOST_ROWS = 1_000;

/** Where no file is for a coding agent, no policy is missed. */
function policyOf({ hasPolicy, files }: ExaminedRepository): string {
  if (files === 0) return 'no agent files';
  return hasPolicy ? 'yes' : '❌ none';
}

/** The whole document, with a final line break. */
export function fleetAsMarkdown(report: FleetReport): string {
  const examined = byGaps(report);
  const broken = report.repositories.filter((one) => !isExamined(one));
  const rows = examined
    .slice(0, MOST_ROWS)
    .map((one) => [
      code(one.repository),
      policyOf(one),
      String(one.agents),
      `${one.met} of ${one.claims}`,
      String(countOf(one, 'error')),
      String(countOf(one, 'warning')),
      one.findings[0] === undefined ? '✅' : `${one.findings[0].control}: ${ours(one.findings[0].message)}`,
    ]);
  const gaps = commonGaps(report).map(({ control, severity, message, count }) => [
    String(count),
    severity,
    control,
    ours(message),
  ]);
  return [
    '# Agent Policy Audit of Many Repositories\n',
    `**${ours(fleetSentence(report))}**\n`,
    'Each was examined by its files alone. No hook was started, so nothing here is proven to be enforced: run `policy audit` where the coding agents run.\n',
    ...(gaps.length > 0 ? ['## Most Frequent Gaps\n', table(['Repositories', 'Severity', 'Claim', 'Gap'], gaps)] : []),
    ...(rows.length > 0
      ? [
          '## Repositories\n',
          table(['Repository', 'Policy', 'Agents', 'Claims that hold', 'Errors', 'Warnings', 'Worst gap'], rows),
        ]
      : []),
    ...(examined.length > MOST_ROWS ? [`and ${examined.length - MOST_ROWS} more\n`] : []),
    ...(broken.length > 0
      ? ['## Could Not Be Examined\n', broken.map((one) => `- ${code(one.repository)}: ${plain(one.problem ?? '')}\n`).join('')]
      : []),
    `policy ${plain(report.toolVersion)}, ${report.generatedAt}, ${report.milliseconds} ms\n`,
  ].join('\n');
}
