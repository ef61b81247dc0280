/** `policy audit --repos`: many repositories by their files, several at once, each in a process that may fail without the others. */
import { homedir } from 'node:os';
import { examineRepository } from '../../audit/fleet/examine.js';
import type { FleetReport, RepositoryResult } from '../../audit/fleet/report.js';
import { listedRepositories, repositoriesAt } from '../../audit/fleet/repositories.js';
import { SEVERITIES, type Severity } from '../../audit/report.js';
import { escapeJson } from '../../report/escape.js';
import { fleetAsHtml } from '../../report/fleet/html.js';
import { fleetAsMarkdown } from '../../report/fleet/markdown.js';
import { markdownOnTerminal } from '../../report/terminal-markdown.js';
import { type Arguments, choiceFlag, textFlag } from '../arguments.js';
import { EXIT, type ExitCode, UsageError } from '../exit.js';
import { linesOf } from '../lines.js';
import { outputsOf, writeOutput } from '../outputs.js';
import { withProgress } from '../progress.js';
import { print, textOptions } from '../terminal.js';
import { version } from '../version.js';
import { examineAll } from './children.js';
import { type Journal, openJournal } from './journal.js';

const FLEET_FORMATS = ['markdown', 'md', 'json', 'jsonl', 'html'] as const;
type Format = (typeof FLEET_FORMATS)[number];

const RENDERERS: Readonly<Record<Format, (report: FleetReport) => string>> = {
  markdown: fleetAsMarkdown,
  md: fleetAsMarkdown,
  json: (report) => `${escapeJson(JSON.stringify(report))}\n`,
  jsonl: ({ repositories }) => repositories.map(lineOf).join(''),
  html: fleetAsHtml,
};
const STANDARD_INPUT = '-';
const MOST_JOBS = 64;

/** Throws UsageError for a list that cannot be read, and for flags that are about one project. */
export async function auditFleet(args: Arguments, source: string): Promise<ExitCode> {
  const failOn = choiceFlag(args, 'fail-on', SEVERITIES) ?? 'error';
  const outputs = outputsOf(args, FLEET_FORMATS);
  const jobs = jobsOf(args);
  const streams = source === STANDARD_INPUT && outputs.every(({ format, file }) => format === 'jsonl' && file === null);
  if (streams && jobs === 1) return await streamResults(failOn);
  const started = Date.now();
  const repositories = await repositoriesOf(source);
  const journal = openJournal(textFlag(args, 'resume') ?? null, version());
  const results = await withProgress('policy audit', (tick) =>
    examineAll(repositories, { jobs, journal: journal ?? NO_JOURNAL, tick }),
  );
  const report: FleetReport = {
    version: 1,
    tool: 'policy',
    toolVersion: version(),
    generatedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    repositories: results,
  };
  for (const { format, file } of outputs) {
    const text = RENDERERS[format](report);
    if (file !== null) writeOutput(file, text);
    else if ((format === 'markdown' || format === 'md') && process.stdout.isTTY === true)
      await print(markdownOnTerminal(text, textOptions()));
    else await print(text);
  }
  return results.some((result) => fails(result, failOn)) ? EXIT.deny : EXIT.allow;
}

const NO_JOURNAL: Journal = { known: new Map(), add: () => {} };

/** A line of output for each line of input, as soon as it is there: what several processes of one audit are told and answer. */
async function streamResults(failOn: Severity): Promise<ExitCode> {
  const options = { home: homedir(), toolVersion: version(), now: Date.now };
  let failed = false;
  for await (const line of linesOf(process.stdin)) {
    const [repository] = 'problem' in line ? [] : listedRepositories(line.text);
    if (repository === undefined) continue;
    const result = await examineRepository(repository, options);
    failed ||= fails(result, failOn);
    await print(lineOf(result));
  }
  return failed ? EXIT.deny : EXIT.allow;
}

function lineOf(result: RepositoryResult): string {
  return `${escapeJson(JSON.stringify(result))}\n`;
}

async function repositoriesOf(source: string): Promise<readonly string[]> {
  const found = source === STANDARD_INPUT ? listedRepositories(await allOfStdin()) : repositoriesAt(source);
  if (found === null) throw new UsageError(`--repos ${source} is neither a folder nor a list that can be read`);
  if (found.length === 0) throw new UsageError(`--repos ${source} has no repository in it`);
  return found;
}

async function allOfStdin(): Promise<string> {
  const lines: string[] = [];
  for await (const line of linesOf(process.stdin)) {
    if ('problem' in line) throw new UsageError(`--repos -: ${line.problem}`);
    lines.push(line.text);
  }
  return lines.join('\n');
}

function jobsOf(args: Arguments): number {
  const text = textFlag(args, 'jobs') ?? '1';
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
    throw new UsageError(`--jobs is a whole number from 1 to ${MOST_JOBS}`);
  return jobs;
}

/** A repository that could not be examined proves nothing, so it fails. */
function fails(result: RepositoryResult, failOn: Severity): boolean {
  if (result.problem !== null) return true;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return result.findings.some(({ severity }) => failing.includes(severity));
}
