/** `policy audit`: is what the policy promises enforced by what is really installed? Every claim with its evidence. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type AuditReport, SEVERITIES, type Severity } from '../../audit/report.js';
import { audit } from '../../audit/run.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { auditAsJson } from '../../report/audit/json.js';
import { auditAsMarkdown } from '../../report/audit/markdown.js';
import { type Arguments, choiceFlag, switchFlag, textFlags } from '../arguments.js';
import type { CommandHelp, Declarations } from '../command.js';
import { EXIT, type ExitCode, UsageError } from '../exit.js';
import { open, POLICY_FILES } from '../open.js';
import { outputsOf, writeOutput } from '../outputs.js';
import { ownPrograms } from '../own-programs.js';
import { print } from '../terminal.js';
import { version } from '../version.js';

/** `md` is another word for markdown. */
const FORMATS = ['markdown', 'md', 'json'] as const;
const AUDITED_RUNNERS = ['claude-code'] as const;
const WHAT = 'What to audit:';
const ANSWER = 'The answer:';

export const usage = `$0 audit [OPTIONS]

Is what the policy promises enforced by what is really installed? Works through the risk and mitigation checklist. For each control it
gathers evidence: files with their digests, decisions, and probes, for which it starts the hook found in the runner's settings with calls
that nobody made. A status is computed from the evidence; without any, the report says so.

By itself it starts only a hook of this program. --run-hooks starts whatever command the settings name, with your rights: use it only
in a repository that you trust.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'nothing at or above --fail-on'],
    [1, 'gaps'],
    [3, 'wrong usage or configuration'],
  ],
  files: [
    ...POLICY_FILES,
    ['.claude/settings.json, settings.local.json', "The runner's settings in the project, in which the hook is looked for"],
    ['~/.claude/settings.json', "The user's own"],
    ['/etc/claude-code/managed-settings.json', 'The managed ones of this machine, with those in managed-settings.d'],
  ],
  examples: [
    {
      says: 'The report; its first screen is the verdict and a table',
      line: 'policy audit',
      exit: 1,
      prints: ['# Risk & Mitigation Audit', '…', '| Risk Category | Current Status | Mitigation Level | Action Required |', '…'],
    },
    {
      says: 'In CI: one file for people, one for programs, and a failure from a warning on',
      line: 'policy audit --fail-on warning --output audit.md --output json=audit.json',
      exit: 1,
      prints: [],
    },
  ],
};

export function options(program: Declarations): Declarations {
  return program
    .option('runner', {
      type: 'string',
      choices: AUDITED_RUNNERS,
      default: 'claude-code',
      describe: 'The coding-agent program whose hooks are looked for',
      group: WHAT,
    })
    .option('settings', {
      type: 'string',
      value: 'FILE',
      describe: 'A settings file that the runner is started with (`claude --settings FILE`); may be repeated',
      group: WHAT,
    })
    .option('run-hooks', {
      type: 'boolean',
      describe: 'Start hooks that are not ours, too: runs commands that this repository names',
      group: WHAT,
    })
    .option('cwd', { type: 'string', value: 'DIR', default: 'here', describe: 'A directory of the project', group: WHAT })
    .option('format', {
      type: 'string',
      choices: FORMATS,
      default: 'markdown',
      describe: 'The form of the report',
      group: ANSWER,
    })
    .option('output', {
      type: 'string',
      value: 'FILE',
      describe: 'Write the report to FILE, or FORMAT=FILE beside it; may be repeated',
      group: ANSWER,
    })
    .option('fail-on', {
      type: 'string',
      value: 'SEVERITY',
      choices: SEVERITIES,
      default: 'error',
      describe: 'Exit 1 from a gap of this severity on; info is what could not be proven',
      group: ANSWER,
    });
}

/** Throws UsageError for a policy that cannot be used, settings files that are not there, and an output that cannot be written. */
export async function run(args: Arguments): Promise<ExitCode> {
  const runner = choiceFlag(args, 'runner', AUDITED_RUNNERS) ?? 'claude-code';
  const failOn = choiceFlag(args, 'fail-on', SEVERITIES) ?? 'error';
  const outputs = outputsOf(args, FORMATS);
  const report = await audit({
    workspace: open(args, true),
    runner,
    home: homedir(),
    environment: process.env,
    stateDirectory: defaultStateDirectory(process.env, homedir()),
    settings: textFlags(args, 'settings').map(existing),
    own: ownPrograms(),
    runHooks: switchFlag(args, 'run-hooks'),
    toolVersion: version(),
    now: Date.now,
  });
  for (const { format, file } of outputs) {
    const text = format === 'json' ? auditAsJson(report) : auditAsMarkdown(report);
    if (file === null) await print(text);
    else writeOutput(file, text);
  }
  return fails(report, failOn) ? EXIT.deny : EXIT.allow;
}

function existing(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`--settings ${file} does not exist`);
  return path;
}

function fails({ findings }: AuditReport, failOn: Severity): boolean {
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return findings.some(({ severity }) => failing.includes(severity));
}
