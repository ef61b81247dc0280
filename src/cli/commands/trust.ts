/** `policy trust`: shows what the project's own policy grants, and records that a person agrees. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isDirectory } from '../../disk/git/directory.js';
import { realPath } from '../../disk/real-path.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { composePolicy } from '../../policy/compose.js';
import { type GrantChange, grantsBeyond, NO_GRANTS } from '../../policy/grants.js';
import { projectOf } from '../../project/project.js';
import { forgetTrust, type ProjectTrust, readTrustedLayers, recordTrust, type TrustedLayers } from '../../project/trust.js';
import { type TrustReport, trustReport } from '../../report/trust.js';
import { guarded } from '../place/guarded.js';
import { problemLine, tellNotes } from '../place/open.js';
import { refuseInsideRunner } from '../place/where.js';
import { confirmed, isAtTerminal } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printProse, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  options: {
    show: { describe: 'Only show it, and say whether it is trusted' },
    yes: { alias: 'y', describe: 'Agree without being asked' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
  },
};

/** Throws UsageError inside a runner, for policy files with mistakes, and when there is no person to ask. */
export async function run(args: Arguments): Promise<ExitCode> {
  const only = switchFlag(args, 'show');
  if (!only) refuseInsideRunner('policy trust');
  const { project, stateDirectory, layers } = readProject(args);
  const { trust } = layers;
  const report = reportOf(project, trust);
  await printProse(trustReport(report));
  tellIgnored(layers, project);
  if (only)
    return report.standing === 'untrusted' || report.standing === 'changed' || report.standing === 'gone'
      ? EXIT.deny
      : EXIT.allow;
  if (report.standing === 'none') throw new UsageError(`There is no policy in ${project}; policy init writes one`);
  if (report.standing === 'trusted') return EXIT.allow;
  const question = report.standing === 'gone' ? 'Forget it?' : 'Trust it?';
  if (!switchFlag(args, 'yes') && !(await agreed(question, args))) {
    warn('Nothing was changed.');
    return EXIT.error;
  }
  await store(stateDirectory, trust);
  return EXIT.allow;
}

function readProject(args: Arguments): {
  readonly project: string;
  readonly stateDirectory: string;
  readonly layers: TrustedLayers;
} {
  const named = resolve(textFlag(args, 'cwd') ?? '.');
  const cwd = realPath(named);
  if (cwd === null || !isDirectory(cwd)) throw new UsageError(`${named} is not a directory`);
  const project = projectOf(cwd);
  const stateDirectory = defaultStateDirectory(process.env, homedir());
  const layers = readTrustedLayers({
    project,
    cwd: null,
    userDirectory: defaultUserDirectory(process.env, homedir()),
    managedDirectory: '/etc/policy',
    stateDirectory,
    extra: null,
    preset: null,
    trustProject: false,
    asWritten: true,
  });
  // This command handles a removed policy; all other mistakes have to be fixed first.
  const problems = layers.problems.filter(({ code }) => !code.startsWith('trust/'));
  if (problems.length > 0) throw new UsageError(...problems.map(problemLine));
  return { project, stateDirectory, layers };
}

function reportOf(project: string, { by, record, own, changes }: ProjectTrust): TrustReport {
  const documents = own.map(({ document }) => document);
  const all = grantsBeyond(NO_GRANTS, documents);
  const day = record?.trustedAt.slice(0, 10) ?? null;
  // If a policy was removed, all its grants are gone; listing them would hide what matters.
  const shown = own.length === 0 ? [] : record !== null && by === null ? changes : all;
  return {
    project,
    files: documents.map(({ file }) => file),
    standing: standingOf(own.length, by, record !== null, all.length),
    since:
      by === 'trustedRepos'
        ? 'trustedRepos of your user or managed policy'
        : day === null
          ? null
          : by === 'record'
            ? `since ${day}`
            : day,
    grants: [...shown].sort(inFileOrder).map(({ kind, what, before, source }) => ({
      kind,
      what,
      before: before ?? null,
      place: source === null ? null : `${source.file}:${source.line}`,
    })),
    restrictions: documents.flatMap(({ rules }) => rules).filter(({ effect }) => effect !== 'allow').length,
  };
}

/** Sorts grants in the order of the files; removed ones come last. */
function inFileOrder({ source: left }: GrantChange, { source: right }: GrantChange): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return left.file === right.file ? left.line - right.line : left.file < right.file ? -1 : 1;
}

function standingOf(files: number, by: ProjectTrust['by'], recorded: boolean, grants: number): TrustReport['standing'] {
  if (files === 0) return recorded ? 'gone' : 'none';
  if (by !== null) return 'trusted';
  if (recorded) return 'changed';
  return grants === 0 ? 'harmless' : 'untrusted';
}

/** Reports settings that have no effect in a project's policy, even if it is trusted. */
function tellIgnored({ layers }: TrustedLayers, project: string): void {
  const agreedTo = layers.map((layer) => ({ ...layer, trusted: true }));
  tellNotes(composePolicy(agreedTo, { repository: project, trustRepository: true }).policy.notes);
}

/** Throws UsageError with the command to type when there is no terminal to ask at. */
async function agreed(question: string, args: Arguments): Promise<boolean> {
  if (!isAtTerminal()) {
    const folder = textFlag(args, 'cwd');
    const line = `policy trust --yes${folder === undefined ? '' : ` --cwd ${folder}`}`;
    throw new UsageError(`There is no terminal to ask at; nothing was changed. To agree, type: ${line}`);
  }
  return confirmed(question);
}

async function store(stateDirectory: string, trust: ProjectTrust): Promise<void> {
  guarded(() => (trust.own.length === 0 ? forgetTrust(stateDirectory, trust) : recordTrust(stateDirectory, trust, new Date())));
  await print(
    trust.own.length === 0 ? 'Forgotten: there is no longer a trusted policy here.\n' : 'Trusted: its rules apply from now on.\n',
  );
}
