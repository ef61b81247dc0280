/** `policy lint`: what is wrong with the agent definitions and policies of a project. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { DIALECTS, type Dialect } from '../../agent/agent.js';
import { projectOf } from '../../enforce/project/project.js';
import { type FileKind, fileKind, LOOKED_FOR } from '../../lint/file-kind.js';
import { type LintReport, SEVERITIES, type Severity } from '../../lint/finding.js';
import { findFiles } from '../../lint/read-files.js';
import { rules } from '../../lint/registry.js';
import { lint } from '../../lint/run.js';
import { nearestWord } from '../../policy/nearest.js';
import { findingsAsGithub } from '../../report/findings/github.js';
import { findingsAsJson } from '../../report/findings/json.js';
import { findingsAsSarif } from '../../report/findings/sarif.js';
import { findingsAsText, ruleAsText } from '../../report/findings/text.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../arguments.js';
import type { CommandHelp, Declarations } from '../command.js';
import { EXIT, type ExitCode, UsageError } from '../exit.js';
import { writeFixes } from '../lint-fix.js';
import { lintSettings } from '../lint-settings.js';
import { tellMode } from '../open.js';
import { outputsOf, writeOutput } from '../outputs.js';
import { print, printTable, textOptions, warn } from '../terminal.js';
import { version } from '../version.js';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;
type Format = (typeof FORMATS)[number];
const WHAT = 'What to lint:';
const ANSWER = 'The answer:';

export const usage = `$0 lint [OPTIONS] [PATHS…]
$0 lint --rules
$0 lint --explain RULE

What is wrong with the agent definitions and policies here; without PATHS in the whole project. Each finding names its rule, its place
and what to do; --fix writes the corrections that are safe. Findings are accepted with a comment, policy-disable-next-line RULE, or in the
policy's \`lint:\` section.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'nothing at or above --fail-on'],
    [1, 'findings'],
    [3, 'wrong usage or configuration, or nothing to check'],
  ],
  files: [
    ['policy.yaml, .json, .toml', "The project's policy: linted, and read for its `lint:` settings when it is trusted"],
    ['.claude/agents, .codex/agents, .agent/agents', 'The agent definitions that are linted'],
  ],
  examples: [
    {
      says: 'One file, with the correction that --fix would write',
      line: 'policy lint .claude/agents/docs-writer.md',
      exit: 1,
      prints: [
        'error[tools/misspelled-key]: "tool" is not read, so this agent has every tool; the key is `tools`.',
        '  --> .claude/agents/docs-writer.md:4:1',
        '  |',
        '4 | tool: Read, Grep, Edit',
        '  | ^^^^',
        '  = help: Rename the key to tools.',
        '  = fix: Rename it to tools (--fix)',
        '  = more: policy lint --explain tools/misspelled-key',
        '',
        '1 error in 1 agent and 0 policies',
      ],
    },
    {
      says: 'In CI: notes on the changed lines, and a file for code scanning',
      line: 'policy lint --format github --output sarif=lint.sarif',
      exit: 1,
      prints: [
        '…',
        '::error file=.claude/agents/docs-writer.md,line=4,col=1,endLine=4,endColumn=5,title=tools/misspelled-key::"tool" is not read, so this agent has every tool; the key is `tools`. Rename the key to tools.',
        '…',
      ],
    },
  ],
};

export function options(program: Declarations): Declarations {
  return program
    .positional('paths', { array: true, value: 'FILE', describe: 'Files and folders to report on' })
    .option('dialect', {
      type: 'string',
      choices: DIALECTS,
      describe: 'Read every definition in PATHS as this format',
      group: WHAT,
    })
    .option('trust-project', { type: 'boolean', describe: "Let the project's own `lint:` settings hold, this once", group: WHAT })
    .option('fix', {
      type: 'boolean',
      describe: 'Write the corrections that findings offer, then report what is left',
      group: WHAT,
    })
    .option('no-comments', { type: 'boolean', describe: 'Heed no policy-disable-next-line comments', group: WHAT })
    .option('format', { type: 'string', choices: FORMATS, default: 'text', describe: 'The form of the answer', group: ANSWER })
    .option('output', {
      type: 'string',
      value: 'FILE',
      describe: 'Write the answer to FILE, or FORMAT=FILE beside it; may be repeated',
      group: ANSWER,
    })
    .option('fail-on', {
      type: 'string',
      value: 'SEVERITY',
      choices: SEVERITIES,
      default: 'error',
      describe: 'Exit 1 from this severity on',
      group: ANSWER,
    })
    .option('rules', { type: 'boolean', describe: 'List the rules', group: ANSWER })
    .option('explain', { type: 'string', value: 'RULE', describe: 'Say what a rule is about', group: ANSWER });
}

/** Throws UsageError for paths that are not there, unknown formats and rules, and an output that cannot be written. */
export async function run(args: Arguments): Promise<ExitCode> {
  const explained = textFlag(args, 'explain');
  if (explained !== undefined) return explain(explained);
  if (switchFlag(args, 'rules')) return list();
  const failOn = choiceFlag(args, 'fail-on', SEVERITIES) ?? 'error';
  const outputs = outputsOf(args, FORMATS);
  const report = lintHere(args);
  const { agents, policies } = report.summary.files;
  if (agents + policies === 0) throw new UsageError(nothingToLint(pathsOf(args)));
  for (const { format, file } of outputs) {
    const text = await rendered(report, format);
    if (file === null) await print(text);
    else writeOutput(file, text);
  }
  return fails(report, failOn) ? EXIT.deny : EXIT.allow;
}

function lintHere(args: Arguments): LintReport {
  const paths = pathsOf(args).map(existing);
  const here = realpathSync('.');
  const root = paths.every((path) => isInside(projectOf(here), path)) ? projectOf(here) : projectOf(folderOf(paths[0] ?? here));
  const wanted = among(paths.map((path) => insidePath(root, path)));
  const dialect = choiceFlag(args, 'dialect', DIALECTS);
  if (dialect !== undefined && paths.length === 0)
    throw new UsageError('--dialect needs PATHS: name the definitions that it is about');
  const kindOf = (path: string) => (dialect !== undefined && wanted(path) ? asDialect(path, dialect) : fileKind(path));
  const { levels, ignores, notes, mode } = lintSettings(root, switchFlag(args, 'trust-project'));
  tellMode({ mode });
  for (const note of notes) warn(`note: ${note}`);
  const today = new Date().toISOString().slice(0, 10);
  const options = { levels, ignores, comments: !switchFlag(args, 'no-comments'), today, wanted };
  const found = findFiles(root, kindOf);
  const report = lint(found, options);
  if (!switchFlag(args, 'fix')) return report;
  const written = writeFixes(root, found, report.findings);
  for (const line of written) warn(`fixed: ${line}`);
  return written.length === 0 ? report : lint(findFiles(root, kindOf), options);
}

/** What to do where no file was one that lint knows: a green answer would be about nothing. */
function nothingToLint(paths: readonly string[]): string {
  const [path] = paths;
  return path === undefined
    ? `Nothing was checked: no file here is one that lint knows; it looks for ${LOOKED_FOR}`
    : `Nothing was checked: ${path} is not a file that lint knows by its place; for an agent definition, name its format: --dialect ${DIALECTS.join('|')}`;
}

/** Whether a path is one of those that were asked for, or lies in one; without any, every path is. */
function among(asked: readonly string[]): (path: string) => boolean {
  return (path) =>
    asked.length === 0 || asked.some((prefix) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`));
}

/** Any file that can be a definition of the dialect is taken for one. */
function asDialect(path: string, dialect: Dialect): FileKind | null {
  const fits = dialect === 'codex-yaml' ? /\.ya?ml$/ : /\.(?:md|markdown)$/;
  return fits.test(path) ? { kind: 'agent', dialect } : fileKind(path);
}

function pathsOf(args: Arguments): readonly string[] {
  const paths = Object.hasOwn(args, 'paths') ? args.paths : undefined;
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** The path itself where it is a folder, else the folder that it lies in. */
function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

/** The path with its folder's links resolved; the last part stays as it is, since lint follows no link. */
function existing(path: string): string {
  const absolute = resolve(path);
  const parent = resolve(absolute, '..');
  if (!existsSync(absolute)) throw new UsageError(`${path} does not exist`);
  const real = absolute === parent ? absolute : resolve(realpathSync(parent), relative(parent, absolute));
  return real;
}

function isInside(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

function insidePath(root: string, path: string): string {
  if (!isInside(root, path)) throw new UsageError(`${path} lies outside of ${root}; lint one project at a time`);
  return relative(root, path).split(sep).join('/');
}

async function rendered(report: LintReport, format: Format): Promise<string> {
  if (format === 'json') return findingsAsJson(report);
  if (format === 'sarif') return findingsAsSarif(report, version());
  return format === 'github' ? findingsAsGithub(report) : findingsAsText(report, textOptions());
}

function fails({ findings }: LintReport, failOn: Severity): boolean {
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return findings.some(({ severity }) => failing.includes(severity));
}

async function explain(id: string): Promise<ExitCode> {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    const near = nearestWord(
      id,
      rules.map((one) => one.id),
    );
    throw new UsageError(
      `There is no lint rule ${JSON.stringify(id)}${near === null ? '; policy lint --rules lists them' : `; did you mean ${near}?`}`,
    );
  }
  await print(ruleAsText(rule));
  return EXIT.allow;
}

async function list(): Promise<ExitCode> {
  await printTable(rules.map(({ id, severity, docs }) => [id, severity, docs.what]));
  return EXIT.allow;
}
