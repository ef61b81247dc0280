/** `policy lint`: mistakes in the agent definitions, settings and policies of a project. */
import { join, resolve } from 'node:path';

import { AGENT_FORMATS } from '../../agent/format.js';
import { VERSION } from '../../generated/build.js';
import type { FoundFiles } from '../../lint/files/read-files.js';
import type { LintOptions } from '../../lint/run.js';
import { type LintReport, PERSONAS, SEVERITIES, type Severity } from '../../lint/text/finding.js';
import { nearestWord } from '../../policy/nearest.js';
import { ruleAsText } from '../../report/findings/text.js';
import { lint } from '../../runner/lint/linter.js';
import { rules } from '../../runner/lint/rules.js';
import { readBaseline, staleNote, writeBaseline } from '../lint/baseline.js';
import { corrections, correctionsAsDiff, type FixLevel, writeCorrections } from '../lint/fix.js';
import { LINT_FORMATS, type LintFormat, rendered } from '../lint/formats.js';
import { lintSettings } from '../lint/settings.js';
import { type Targets, targetsOf } from '../lint/targets.js';
import { lintAtChanges } from '../lint/watch.js';
import { tellMode } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { type Tick, withProgress } from '../terminal/progress.js';
import { FILE_TEXT, print, printProse, printTable, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';
import { type Output, outputsOf, writeOutput } from '../words/outputs.js';

const WHAT = 'What to lint:';
const HOLDS = 'Which findings:';
const FIXES = 'Corrections:';
const ANSWER = 'The answer:';
const IGNORES = ['all', 'config-only'] as const;

export const takes: Takes = {
  arguments: { paths: { array: true, value: 'PATHS', describe: 'Files and folders to report on' } },
  options: {
    runner: { value: 'RUNNERS', describe: 'Only files that these coding agents read, such as claude-code,codex', group: WHAT },
    changed: { describe: 'Only files that differ from the last commit', group: WHAT },
    since: { value: 'REF', describe: 'Only files that changed on this branch since REF', group: WHAT },
    watch: { describe: 'Lint again after each change until you stop it', group: WHAT },
    stdin: { describe: 'Lint a text on standard input', group: WHAT },
    'stdin-filename': { value: 'FILE', describe: 'Where that text belongs in the project', group: WHAT },
    user: { describe: 'Lint what coding agents read below your home folder', group: WHAT },
    dialect: { choices: AGENT_FORMATS, describe: 'Read every definition in PATHS in this format', group: WHAT },
    persona: {
      choices: PERSONAS,
      default: 'reviewer',
      describe: 'Findings for this reader; a reviewer also sees those for authors, an auditor sees all',
      group: HOLDS,
    },
    'trust-project': { describe: "Apply the project's own `lint:` settings, as if the project were trusted", group: HOLDS },
    'no-config': { describe: 'Apply no `lint:` settings', group: HOLDS },
    'no-comments': { describe: 'Ignore policy-disable-next-line comments', group: HOLDS },
    'trusted-ignores': {
      value: 'WHICH',
      choices: IGNORES,
      default: 'all',
      describe: 'Which accepted findings count: all, or only those in the `lint:` settings (config-only, same as --no-comments)',
      group: HOLDS,
    },
    baseline: { value: 'FILE', describe: 'Report only findings that are not in FILE', group: HOLDS },
    'update-baseline': { describe: 'Write all current findings to the file of --baseline', group: HOLDS },
    fix: {
      attached: ['unsafe'],
      describe: 'Write the safe corrections (--fix=unsafe: all), and report the remaining findings',
      group: FIXES,
    },
    diff: { describe: 'Print what --fix or --fix=unsafe would write, and write nothing', group: FIXES },
    format: { choices: LINT_FORMATS, default: 'text', describe: 'The format of the answer', group: ANSWER },
    output: {
      value: 'FILE',
      describe:
        'Write the answer to FILE, in the format that --format or its ending names; FORMAT=FILE adds another; may be repeated',
      group: ANSWER,
    },
    'fail-on': {
      value: 'SEVERITY',
      choices: SEVERITIES,
      default: 'error',
      describe: 'Exit 1 if a finding has this severity or a higher one',
      group: ANSWER,
    },
    'max-warnings': { value: 'N', describe: 'Also exit 1 for more than N warnings', group: ANSWER },
    'allow-empty': {
      describe: 'Exit 0 if there is nothing to lint, and skip named files that lint does not know',
      group: ANSWER,
    },
    'exit-zero': { describe: 'Exit 0 whatever is found', group: ANSWER },
    rules: { describe: 'List the rules', group: ANSWER },
    'list-rules': { describe: 'The same as --rules', group: ANSWER },
    explain: { value: 'RULE', describe: 'Explain a rule', group: ANSWER },
  },
};

/** Throws UsageError for paths that do not exist, unknown formats and rules, and an output that cannot be written. */
export async function run(args: Arguments): Promise<ExitCode> {
  const explained = textFlag(args, 'explain');
  if (explained !== undefined) return explain(explained);
  if (switchFlag(args, 'rules') || switchFlag(args, 'list-rules')) return list();
  if (!switchFlag(args, 'watch')) return (await lintOnce(args)).exit;
  for (const flag of ['stdin', 'update-baseline', 'diff'])
    if (switchFlag(args, flag)) throw new UsageError(`--watch and --${flag} do not go together`);
  const written = new Set(outputsOf(args, LINT_FORMATS).flatMap(({ file }) => (file === null ? [] : [resolve(file)])));
  const isWritten = (file: string) => written.has(file);
  return lintAtChanges(async () => {
    const { root, found } = await lintOnce({ ...args, 'allow-empty': true }, performance.now());
    warn('Watching for changes; Ctrl-C ends it.');
    return (found.folders ?? []).map((folder) => join(root, folder));
  }, isWritten);
}

interface Ended {
  readonly exit: ExitCode;
  readonly root: string;
  readonly found: FoundFiles;
}

/** @param began milliseconds since the start of the process */
async function lintOnce(args: Arguments, began = 0): Promise<Ended> {
  const failOn = failingOf(args);
  const outputs = outputsOf(args, LINT_FORMATS);
  const baseline = textFlag(args, 'baseline');
  const update = updatedBaseline(args, baseline);
  const fixLevel = fixLevelOf(args);
  const targets = await targetsOf(args);
  const options = optionsOf(args, targets, update === null ? baseline : undefined);
  const linted = await withProgress('policy lint', (tick) => lintTargets(targets, options, tick));
  const ended = (exit: ExitCode) => ({ exit, root: targets.root, found: linted.found });
  const allowsEmpty = switchFlag(args, 'allow-empty');
  if (isEmpty(linted.report) && !targets.nothing.isFine && !allowsEmpty) throw new UsageError(targets.nothing.message);
  if (update !== null) {
    warn(writeBaseline(update, linted.report));
    return ended(EXIT.allow);
  }
  if (fixLevel !== null && switchFlag(args, 'diff')) {
    const corrected = corrections(linted.found, linted.report, fixLevel, options);
    await print(correctionsAsDiff(corrected));
    return ended(corrected.length === 0 ? EXIT.allow : EXIT.deny);
  }
  const { report } = fixLevel === null ? linted : corrected(linted, fixLevel, targets, options);
  const stale = baseline === undefined || !targets.isWhole ? null : staleNote(baseline, options.baseline, report);
  if (stale !== null) warn(`note: ${stale}`);
  if (isEmpty(report)) warn(targets.nothing.message);
  await write(report, outputs, switchFlag(args, 'user') ? undefined : targets.root, began);
  const unknown = allowsEmpty ? [] : targets.unknown(linted.found);
  for (const line of unknown) warn(line);
  if (unknown.length > 0) return ended(EXIT.error);
  return ended(failOn(report) ? EXIT.deny : EXIT.allow);
}

interface Linted {
  readonly found: FoundFiles;
  readonly report: LintReport;
}

/** The files must be found before it is known which of them are wanted. */
function lintTargets(targets: Targets, options: LintOptions, tick: Tick): Linted {
  const found = targets.read(tick);
  return { found, report: lint(found, { ...options, tick }) };
}

/** Returns the report on the remaining findings after corrections were written. */
function corrected(linted: Linted, level: FixLevel, targets: Targets, options: LintOptions): Linted {
  const changed = corrections(linted.found, linted.report, level, options);
  for (const line of writeCorrections(changed, targets.fileOf)) warn(`fixed: ${line}`);
  return changed.length === 0 ? linted : lintTargets(targets, options, () => {});
}

async function write(
  report: LintReport,
  outputs: readonly Output<LintFormat>[],
  root: string | undefined,
  began: number,
): Promise<void> {
  const telling = { version: VERSION, seconds: (performance.now() - began) / 1000 };
  for (const { format, file } of outputs) {
    if (file !== null) writeOutput(file, rendered(report, format, { ...telling, text: FILE_TEXT }), root);
    else {
      const text = rendered(report, format, { ...telling, text: textOptions() });
      if (format !== 'text') await print(text);
      else if (!isEmpty(report)) await printProse(text);
    }
  }
}

function isEmpty({ summary, findings }: LintReport): boolean {
  const { agents, policies, configs, texts } = summary.files;
  return agents + policies + configs + texts + findings.length === 0;
}

/** Returns the options of this run, and prints notes about settings that do not apply. */
function optionsOf(args: Arguments, { root, wanted }: Targets, baseline: string | undefined): LintOptions {
  const settings = lintSettings(root, switchFlag(args, 'trust-project'));
  tellMode({ mode: settings.mode });
  const { levels, ignores, notes } = switchFlag(args, 'no-config') ? { levels: {}, ignores: [], notes: [] } : settings;
  for (const note of notes) warn(`note: ${note}`);
  const noComments = switchFlag(args, 'no-comments') || choiceFlag(args, 'trusted-ignores', IGNORES) === 'config-only';
  return {
    levels,
    ignores,
    comments: !noComments,
    today: new Date().toISOString().slice(0, 10),
    wanted,
    persona: choiceFlag(args, 'persona', PERSONAS) ?? 'reviewer',
    baseline: baseline === undefined ? new Map() : readBaseline(baseline),
  };
}

/** Returns the file of the baseline to write; null if none is to be written. */
function updatedBaseline(args: Arguments, baseline: string | undefined): string | null {
  if (!switchFlag(args, 'update-baseline')) return null;
  if (baseline === undefined) throw new UsageError('--update-baseline needs --baseline FILE, the file to write');
  if (fixLevelOf(args) !== null)
    throw new UsageError('--update-baseline and --fix do not go together: first correct, then update');
  return baseline;
}

/** Returns null if nothing is corrected. */
function fixLevelOf(args: Arguments): FixLevel | null {
  const isUnsafe = Object.hasOwn(args, 'fix') && args.fix === 'unsafe';
  const diff = switchFlag(args, 'diff');
  if (!isUnsafe && !switchFlag(args, 'fix') && !diff) return null;
  if (switchFlag(args, 'stdin') && !diff)
    throw new UsageError('--fix has no file to write with --stdin; --diff shows the corrections');
  return isUnsafe ? 'unsafe' : 'safe';
}

function failingOf(args: Arguments): (report: LintReport) => boolean {
  const failOn = choiceFlag(args, 'fail-on', SEVERITIES) ?? 'error';
  const most = mostWarnings(args);
  const zero = switchFlag(args, 'exit-zero');
  const failing: readonly Severity[] = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return ({ findings, summary }) =>
    !zero && (summary.warnings > most || findings.some(({ severity }) => failing.includes(severity)));
}

function mostWarnings(args: Arguments): number {
  const text = textFlag(args, 'max-warnings');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`--max-warnings is ${JSON.stringify(text)}; it must be a whole number, such as 0`);
  return Number(text);
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
  await printProse(ruleAsText(rule));
  return EXIT.allow;
}

async function list(): Promise<ExitCode> {
  await printTable(rules.map(({ id, severity, docs }) => [id, severity, docs.what]));
  return EXIT.allow;
}
