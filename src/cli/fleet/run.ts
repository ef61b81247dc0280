/**
 * `policy audit --repos`: audits many repositories by their files, several at once, each in a process whose failure does not
 * affect the others.
 */
import { createReadStream } from 'node:fs';
import { homedir } from 'node:os';
import { examineRepository } from '../../audit/fleet/examine.js';
import type { FleetReport, RepositoryResult } from '../../audit/fleet/report.js';
import { repositoriesAt } from '../../audit/fleet/repositories.js';
import { SEVERITIES, type Severity } from '../../audit/model/report.js';
import { statOf } from '../../disk/stat-of.js';
import { VERSION } from '../../generated/build.js';
import { systemCode } from '../../log/files/log-error.js';
import { fleetAsHtml, fleetAsMarkdown } from '../../report/fleet/document.js';
import { jsonLine } from '../../report/printing/escape.js';
import { markdownOnTerminal } from '../../report/terminal-markdown.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { linesOf } from '../terminal/lines.js';
import { withProgress } from '../terminal/progress.js';
import { print, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, textFlag } from '../words/arguments.js';
import { outputsOf, writeOutput } from '../words/outputs.js';
import { examineAll } from './children.js';
import { type Journal, openJournal } from './journal.js';
import { type Listed, listed } from './list.js';

const FLEET_FORMATS = ['markdown', 'md', 'json', 'jsonl', 'html'] as const;
type Format = (typeof FLEET_FORMATS)[number];

const RENDERERS: Readonly<Record<Format, (report: FleetReport) => string>> = {
  markdown: fleetAsMarkdown,
  md: fleetAsMarkdown,
  json: jsonLine,
  jsonl: ({ repositories }) => repositories.map(jsonLine).join(''),
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
  const entries = await listedRepositories(source);
  const journal = openJournal(textFlag(args, 'resume') ?? null, VERSION);
  const repositories = entries.flatMap(({ repository, problem }) => (problem === null ? [repository] : []));
  const examined = await withProgress('policy audit', (tick) =>
    examineAll(repositories, { jobs, journal: journal ?? NO_JOURNAL, tick }),
  );
  const byName = new Map(examined.map((result) => [result.repository, result]));
  const results = entries.map(({ repository, problem }) =>
    problem === null ? (byName.get(repository) ?? { repository, problem: 'it was not examined' }) : { repository, problem },
  );
  const report: FleetReport = {
    version: 1,
    tool: 'policy',
    toolVersion: VERSION,
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

/** Prints one line for each line of input, as soon as it is ready: the protocol between an audit and its processes. */
async function streamResults(failOn: Severity): Promise<ExitCode> {
  const options = { home: homedir(), toolVersion: VERSION, now: Date.now };
  let failed = false;
  for await (const { repository, problem } of listed(linesOf(process.stdin), about(STANDARD_INPUT))) {
    const result = problem === null ? await examineRepository(repository, options) : { repository, problem };
    failed ||= fails(result, failOn);
    await print(jsonLine(result));
  }
  return failed ? EXIT.deny : EXIT.allow;
}

/** Returns the repositories in the folder or list. Throws UsageError when there are none. */
async function listedRepositories(source: string): Promise<readonly Listed[]> {
  const found = source === STANDARD_INPUT ? null : repositoriesAt(source);
  if (found !== null && found.length === 0) throw new UsageError(`--repos ${source} has no repository in it`);
  if (found !== null) return found.map((repository) => ({ repository, problem: null }));
  const entries: Listed[] = [];
  try {
    for await (const entry of listed(linesOf(bytesOf(source)), about(source))) entries.push(entry);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`--repos ${source} cannot be read (${systemCode(error)})`);
  }
  if (entries.length === 0) throw new UsageError(`--repos ${source} names no repository`);
  return entries;
}

function about(source: string) {
  return { source, home: homedir(), note: warn };
}

/** Reads regular files only, since reading anything else may never end. */
function bytesOf(source: string): AsyncIterable<Uint8Array> {
  if (source === STANDARD_INPUT) return process.stdin;
  if (statOf(source)?.isFile() !== true) throw new UsageError(`--repos ${source} is neither a folder nor a readable list`);
  return createReadStream(source);
}

function jobsOf(args: Arguments): number {
  const text = textFlag(args, 'jobs') ?? '1';
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
    throw new UsageError(`--jobs is a whole number from 1 to ${MOST_JOBS}`);
  return jobs;
}

/** Whether a result makes the audit fail; a repository that could not be examined proves nothing, so it does. */
function fails(result: RepositoryResult, failOn: Severity): boolean {
  if (result.problem !== null) return true;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return result.findings.some(({ severity }) => failing.includes(severity));
}
