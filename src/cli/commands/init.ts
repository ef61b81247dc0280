/** `policy init`: a starter policy for a repository, which is shown first and then written. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import {
  type Proposal,
  projectStarter,
  proposeStarter,
  type Starter,
  type StarterPart,
  userStarter,
} from '../../author/starter.js';
import { schemaFor } from '../../author/starter-schema.js';
import { isDirectory } from '../../disk/git/directory.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { replaceFile } from '../../disk/replace.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { defaultStateDirectory, ownDirectory } from '../../log/files/directory.js';
import { parsePolicy } from '../../policy/document.js';
import { FORMATS } from '../../policy/read/located.js';
import type { OwnFile } from '../../project/policy-files.js';
import { projectOf } from '../../project/project.js';
import { type RetrustPlaces, standingOf, trustWritten } from '../../project/retrust.js';
import { escapeText } from '../../report/printing/escape.js';
import { painter } from '../../report/printing/paint.js';
import { entries } from '../../report/printing/table.js';
import { guarded } from '../place/guarded.js';
import { refuseInsideRunner } from '../place/where.js';
import { confirmed, isAtTerminal } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  options: {
    user: { describe: 'Write your own policy for all projects instead, from your own settings' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
    yes: { alias: 'y', describe: 'Do not ask: include every part' },
    'dry-run': { describe: 'Print the policy, and write nothing' },
  },
};

/** Where a starter is written. */
interface Destination {
  readonly folder: string;
  readonly mode: number;
  readonly starter: Starter;
  /** Policies that exist already and stay. */
  readonly kept: readonly OwnFile[];
}

/** Throws UsageError when a policy exists already, and when the file cannot be written. */
export async function run(args: Arguments): Promise<ExitCode> {
  if (!switchFlag(args, 'dry-run')) refuseInsideRunner('policy init');
  const destination = switchFlag(args, 'user') ? ofUser() : await ofProject(args);
  const { files } = destination.starter;
  for (const { stem, text } of files) await show(`${stem}.yaml`, text, files.length > 1);
  for (const note of destination.starter.notes) warn(`note: ${note}`);
  if (switchFlag(args, 'dry-run')) return EXIT.allow;
  if (!switchFlag(args, 'yes') && !(await confirmed(`Write this to ${destination.folder}?`))) {
    warn('Nothing was written.');
    return EXIT.error;
  }
  const state = defaultStateDirectory(process.env, homedir());
  guarded(() => {
    if (!switchFlag(args, 'user')) ownDirectory(state);
    for (const { stem, text } of files) replaceFile(join(destination.folder, `${stem}.yaml`), null, text, destination.mode);
    if (!switchFlag(args, 'user')) trust(destination);
  });
  for (const line of nextSteps(
    destination,
    files.map(({ stem }) => `${stem}.yaml`),
    args,
  ))
    await print(`${line}\n`);
  return EXIT.allow;
}

async function ofProject(args: Arguments): Promise<Destination> {
  const cwd = realPath(resolve(textFlag(args, 'cwd') ?? '.'));
  if (cwd === null || !isDirectory(cwd)) throw new UsageError(`${textFlag(args, 'cwd') ?? 'This directory'} is not a directory`);
  const project = projectOf(cwd);
  // A trusted local policy that the person wrote earlier (`policy allow`) stays as it is; an untrusted one must not come into force.
  const { changes, own } = standingOf(trustPlaces(project));
  const kept = changes.length > 0 ? [] : own.filter(({ document: { layer } }) => layer === 'local');
  refuseExisting(project, kept.length > 0 ? ['policy'] : ['policy', 'policy.local']);
  const schema = schemaFor(project, homedir());
  const proposal = proposeStarter(project, schema);
  const asks = !switchFlag(args, 'yes') && !switchFlag(args, 'dry-run') && isAtTerminal();
  const starter = projectStarter(proposal, asks ? await chosen(proposal) : proposal.parts);
  return { folder: project, mode: 0o644, starter: kept.length > 0 ? besideLocal(starter, kept) : starter, kept };
}

/** Returns the starter without its own local policy, with a note about the rules that are left out. */
function besideLocal({ files, notes }: Starter, [first]: readonly OwnFile[]): Starter {
  const left = files.filter(({ stem }) => stem === 'policy');
  const note = `${first?.document.file ?? ''} stays as it is; the rules of .claude/settings.local.json were not imported`;
  return { files: left, notes: left.length < files.length ? [...notes, note] : notes };
}

/** Returns the parts that the person accepts, asking about each. */
async function chosen({ parts }: Proposal): Promise<readonly StarterPart[]> {
  const wanted: StarterPart[] = [];
  for (const part of parts) {
    await print(`${escapeText(part.comment)}\n`);
    for (const { effect, rules } of part.sections) for (const rule of rules) await print(`  ${effect}  ${escapeText(rule)}\n`);
    if (part.branch !== null) await print(`  ${escapeText(part.branch)}\n`);
    if (await confirmed('Include this in the policy?')) wanted.push(part);
  }
  return wanted;
}

function ofUser(): Destination {
  const folder = userDirectory();
  refuseExisting(folder, ['policy', 'policy.local']);
  return { folder, mode: 0o600, starter: userStarter(homedir(), schemaFor(null, homedir())), kept: [] };
}

function userDirectory(): string {
  return defaultUserDirectory(process.env, homedir());
}

function policiesIn(folder: string, stem: string): readonly string[] {
  return FORMATS.map((format) => join(folder, `${stem}.${format}`)).filter((path) => existsSync(path));
}

/** Whether a policy.json belongs to another tool; it stays, and ours is written next to it. */
function isForeign(path: string): boolean {
  const read = readText(path);
  return path.endsWith('.json') && read.ok && parsePolicy(read.text, { file: path, format: 'json', layer: 'project' }).foreign;
}

function refuseExisting(folder: string, stems: readonly string[]): void {
  const [first] = stems.flatMap((stem) => policiesIn(folder, stem)).filter((path) => !isForeign(path));
  if (first === undefined) return;
  throw new UsageError(
    `${first} already exists and was not changed; add rules with policy allow, ask or deny, or check it with policy lint`,
  );
}

/** Prints the file as it will be; with a heading only if there are several files. */
async function show(name: string, text: string, heading: boolean): Promise<void> {
  if (heading) await print(`--- ${name}\n`);
  await print(text.split('\n').map(escapeText).join('\n'));
}

/** Trusts the policies that the person has just agreed to, and nothing else. */
function trust({ folder, starter, kept }: Destination): void {
  const texts = new Map(starter.files.map(({ stem, text }) => [`${stem}.yaml`, text]));
  for (const { document, text } of kept) texts.set(document.file, text);
  if (!trustWritten(trustPlaces(folder), texts))
    warn('The policy was changed by another program in the meantime: look at it and run `policy trust`');
}

function trustPlaces(project: string): RetrustPlaces {
  const stateDirectory = defaultStateDirectory(process.env, homedir());
  return { project, userDirectory: userDirectory(), managedDirectory: '/etc/policy', stateDirectory };
}

function nextSteps({ folder }: Destination, names: readonly string[], args: Arguments): readonly string[] {
  const shown = relative(process.cwd(), folder);
  const where = shown === '' ? '' : ` in ${shown.startsWith('..') ? folder : shown}`;
  const steps = [
    ...(switchFlag(args, 'user') ? [] : [{ head: 'policy check --explain Bash "git push"', text: 'try a call' }]),
    { head: "policy allow 'Bash(…)'", text: 'allow a command; each question suggests the rule for it' },
    { head: 'policy install claude-code', text: 'check every tool call of Claude Code' },
  ];
  const { color, width: known } = textOptions();
  // Output to a pipe is not wrapped.
  const width = process.stdout.isTTY === true ? known : Number.POSITIVE_INFINITY;
  return [escapeText(`Written: ${names.join(' and ')}${where}`), painter(color).title('Next:'), ...entries(steps, width)];
}
