/** `policy audit`: whether the installed hooks really enforce what the policy promises. Every claim has its evidence. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fails, heldAgainst } from '../../audit/accepted/acceptance.js';
import { EXCEPTIONS_FILE } from '../../audit/accepted/exceptions.js';
import { whyUnusable } from '../../audit/claude-code/settings.js';
import { type AuditReport, SEVERITIES } from '../../audit/model/report.js';
import { RELEASE_CHECKS } from '../../audit/model/results.js';
import { audit } from '../../audit/run.js';
import { CHECKLISTS } from '../../audit/subject/checklist.js';
import type { VerifyOptions } from '../../audit/verify/verify.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { VERSION } from '../../generated/build.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { choiceAdvice } from '../../policy/nearest.js';
import type { Workspace } from '../../project/workspace.js';
import { auditAsBadge } from '../../report/audit/badge.js';
import { auditAsHtml, auditAsMarkdown, auditAsSummary, fullAuditOnTerminal } from '../../report/audit/document.js';
import { auditOnTerminal } from '../../report/audit/first-screen.js';
import { auditAsJunit } from '../../report/audit/junit.js';
import { auditAsSarif } from '../../report/audit/sarif.js';
import { jsonLine } from '../../report/printing/escape.js';
import { HELD_AGAINST, heldAgainstOf } from '../audit/held-against.js';
import { verify } from '../audit/verify.js';
import { auditFleet } from '../fleet/run.js';
import { open } from '../place/open.js';
import { ownPrograms } from '../place/own-programs.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag, textFlags } from '../words/arguments.js';
import type { Takes } from '../words/command.js';
import { outputsOf, writeOutput } from '../words/outputs.js';

/** `md` is an alias for markdown. */
const FORMATS = ['markdown', 'md', 'summary', 'json', 'html', 'sarif', 'junit', 'badge'] as const;
type Format = (typeof FORMATS)[number];
/** The formats for one project, for many repositories, and for --verify. */
const ALL_FORMATS = [...FORMATS, 'jsonl', 'text'] as const;

const RENDERERS: Readonly<Record<Format, (report: AuditReport) => string>> = {
  markdown: auditAsMarkdown,
  md: auditAsMarkdown,
  summary: auditAsSummary,
  json: jsonLine,
  html: auditAsHtml,
  sarif: auditAsSarif,
  junit: auditAsJunit,
  badge: auditAsBadge,
};
/** Flags that are about one project and its hooks. */
const OF_ONE_PROJECT = [
  'checklist',
  'runner',
  'settings',
  'transcripts',
  'no-probes',
  'run-hooks',
  'full',
  'verify',
  ...HELD_AGAINST,
  'cwd',
];
const ALL = 'all';
const LISTS = [ALL, ...CHECKLISTS] as const;
const WHAT = 'What to audit:';
const AGAINST = 'What counts as a failure:';
const MANY = 'Many repositories:';
const ANSWER = 'The answer:';

export const takes: Takes = {
  arguments: { dir: { value: 'DIR', describe: 'A directory of the project (default: here); same as --cwd' } },
  options: {
    checklist: { choices: LISTS, default: ALL, describe: 'Which controls to examine', group: WHAT },
    runner: {
      value: 'RUNNERS',
      describe: 'Only these coding agents, such as claude-code,codex (default: all that are on PATH or have a hook)',
      group: WHAT,
    },
    settings: {
      value: 'FILE',
      describe: 'A settings file for Claude Code (`claude --settings FILE`); may be repeated',
      group: WHAT,
    },
    transcripts: {
      value: 'DIR',
      describe: "Compare Claude Code's transcripts (~/.claude/projects/PROJECT) with the decision log",
      group: WHAT,
    },
    'no-probes': { describe: 'Start no hook; the claims that only a test call can prove stay unproven', group: WHAT },
    'run-hooks': { describe: 'Also start hooks of other programs: runs commands that this repository names', group: WHAT },
    verify: { value: 'FILE', describe: 'Repeat the audit of this JSON report, and compare the evidence', group: WHAT },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project', group: WHAT },
    baseline: {
      value: 'FILE',
      describe: 'An earlier JSON report: shows new and fixed findings, and fails only for new ones',
      group: AGAINST,
    },
    exceptions: {
      value: 'FILE',
      describe: 'Accepted findings: they stay in the report, but do not make the audit fail',
      group: AGAINST,
    },
    'no-exceptions': { describe: `Leave out the exceptions in ${EXCEPTIONS_FILE}`, group: AGAINST },
    gate: {
      choices: RELEASE_CHECKS,
      describe: 'Fail unless every control (ga), or every high-priority control, is implemented and in force',
      group: AGAINST,
    },
    repos: {
      value: 'PATH',
      describe:
        'Audit the repositories in this folder or on this list (- is standard input) by their files; git directories need no checkout',
      group: MANY,
    },
    jobs: { value: 'N', default: '1', describe: 'How many repositories to examine at the same time', group: MANY },
    resume: {
      value: 'FILE',
      describe: 'Write each result to FILE, and skip repositories whose result it already has',
      group: MANY,
    },
    format: {
      choices: ALL_FORMATS,
      default: 'markdown',
      describe: 'The format of the report; of --verify text (the default) or json',
      group: ANSWER,
    },
    full: {
      describe: 'On a terminal: also print every claim with its evidence, who may do what, and the decision log',
      group: ANSWER,
    },
    output: {
      value: 'FILE',
      describe:
        'Write the report to FILE, in the format that --format or its ending names; FORMAT=FILE adds another; may be repeated',
      group: ANSWER,
    },
    'fail-on': {
      value: 'SEVERITY',
      choices: SEVERITIES,
      default: 'error',
      describe: 'Exit 1 if a gap has this severity or a higher one; info includes unproven claims; with --gate, only if given',
      group: ANSWER,
    },
  },
};

/** Throws UsageError for an unusable policy, unreadable settings files, and an output that cannot be written. */
export async function run(given: Arguments): Promise<ExitCode> {
  const args = withDirectory(given);
  const repositories = textFlag(args, 'repos');
  if (repositories !== undefined) {
    const strange = OF_ONE_PROJECT.find((name) => args[name] !== undefined);
    if (strange !== undefined) {
      const word = strange === 'cwd' && given.cwd === undefined ? textFlag(args, 'cwd') : `--${strange}`;
      throw new UsageError(`--repos looks only at the files of many repositories; leave out ${word}`);
    }
    return await auditFleet(args, repositories);
  }
  const onlyThere = ['jobs', 'resume'].find((name) => args[name] !== undefined);
  if (onlyThere !== undefined) throw new UsageError(`--${onlyThere} needs --repos`);
  const earlier = textFlag(args, 'verify');
  if (earlier !== undefined) return verify(earlier, args, optionsOf(args, opened(args)));
  const list = choiceFlag(args, 'checklist', LISTS) ?? ALL;
  const runners = runnersOf(textFlags(args, 'runner'));
  const outputs = outputsOf(args, FORMATS);
  const options = optionsOf(args, opened(args));
  const against = heldAgainstOf(args, options.workspace);
  const severity = choiceFlag(args, 'fail-on', SEVERITIES);
  // With a release check, findings determine the exit code only if requested.
  const failOn = severity ?? (against.gate === null || against.baseline !== null ? 'error' : null);
  const gathered = await withProgress('policy audit', (tick) =>
    audit({ ...options, checklists: list === ALL ? CHECKLISTS : [list], runners, tick }),
  );
  const report = heldAgainst(gathered, against);
  for (const { format, file } of outputs) {
    const text = RENDERERS[format](report);
    if (file !== null) writeOutput(file, text, report.meta.project);
    else if ((format === 'markdown' || format === 'md') && process.stdout.isTTY === true)
      await print((switchFlag(args, 'full') ? fullAuditOnTerminal : auditOnTerminal)(report, textOptions()));
    else await print(text);
  }
  return fails(report, failOn) ? EXIT.deny : EXIT.allow;
}

/** The directory may be given as an argument or with --cwd. */
function withDirectory(args: Arguments): Arguments {
  const directory = textFlag(args, 'dir');
  if (directory === undefined) return args;
  if (args.cwd !== undefined) throw new UsageError(`Two directories, ${directory} and --cwd; leave out one of them`);
  return { ...args, cwd: directory };
}

/** Opens the workspace with the agents of every runner: --runner, which may name several, only selects which runners are examined. */
function opened(args: Arguments): Workspace {
  return open({ ...args, runner: undefined }, true);
}

/** Returns the options of an audit, except which checklists and runners it is about. */
function optionsOf(args: Arguments, workspace: Workspace): VerifyOptions {
  const transcripts = textFlag(args, 'transcripts');
  return {
    workspace,
    home: homedir(),
    environment: process.env,
    stateDirectory: defaultStateDirectory(process.env, homedir()),
    settings: textFlags(args, 'settings').map(usable),
    ...(transcripts !== undefined && { transcripts: transcriptsFolder(transcripts) }),
    own: ownPrograms(),
    probes: !switchFlag(args, 'no-probes'),
    runHooks: switchFlag(args, 'run-hooks'),
    toolVersion: VERSION,
    now: Date.now,
  };
}

/** Throws UsageError for an unknown name. */
function runnersOf(flags: readonly string[]): readonly RunnerId[] {
  return flags
    .flatMap((flag) => flag.split(','))
    .map((name) => {
      const known = RUNNERS.find((one) => one === name.trim());
      if (known === undefined)
        throw new UsageError(`--runner ${name} is not a known coding agent; ${choiceAdvice(name, RUNNERS)}`);
      return known;
    });
}

function transcriptsFolder(folder: string): string {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--transcripts ${folder} is not a directory`);
  return path;
}

/** Returns the path of a settings file. An unreadable one may switch the hook off: an audit without it would be about another session. */
function usable(file: string): string {
  const path = resolve(file);
  const why = whyUnusable(path);
  if (why !== null) throw new UsageError(`--settings ${file} ${why}`);
  return path;
}
