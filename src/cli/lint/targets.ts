/** The files that `policy lint` reads and reports on: paths, a project, a text on standard input, changed files, the places of a user. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AGENT_FORMATS, type AgentFormat } from '../../agent/format.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { type ChangedFiles, changedFiles } from '../../disk/git/changed-files.js';
import { trackedBelow } from '../../disk/git/tracked.js';
import { type FindOptions, type FoundFiles, findFiles, type SourceFile } from '../../lint/files/read-files.js';
import { kindAsFormat, kindByContent } from '../../lint/places/content-kind.js';
import { type FileKind, fileKind, LOOKED_FOR, runnerOfKind } from '../../lint/places/file-kind.js';
import { USER_PLACES } from '../../lint/places/place.js';
import { choiceAdvice } from '../../policy/nearest.js';
import { projectOf } from '../../project/project.js';
import { UsageError } from '../terminal/exit.js';
import type { Tick } from '../terminal/progress.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';

/** The files to lint. */
export interface Targets {
  /** The project, or the home directory. */
  readonly root: string;
  /** Reads all files again: some rules compare the wanted files with others. */
  readonly read: (tick: Tick) => FoundFiles;
  /** Returns a sentence for each named file that lint does not know, since a person who names a file expects an answer about it. */
  readonly unknown: (found: FoundFiles) => readonly string[];
  readonly wanted: (path: string) => boolean;
  /** True if all files below the root are reported on. */
  readonly isWhole: boolean;
  readonly fileOf: (path: string) => string;
  /** The message when none of the files is wanted. */
  readonly nothing: { readonly message: string; readonly isFine: boolean };
}

/** Throws UsageError for paths that do not exist, unknown names, and flags that contradict each other. */
export async function targetsOf(args: Arguments): Promise<Targets> {
  refuseContradictions(args);
  const targets = switchFlag(args, 'user') ? userTargets() : ofChanged(await projectTargets(args), args);
  return ofRunners(targets, runnersOf(args));
}

const EXCLUSIVE = ['user', 'stdin', 'changed', 'since'] as const;

function refuseContradictions(args: Arguments): void {
  const given = EXCLUSIVE.filter((name) => Object.hasOwn(args, name) && args[name] !== undefined && args[name] !== false);
  if (given.length > 1) throw new UsageError(`--${given[0]} and --${given[1]} ask for different files; give one of them`);
  const [one] = given;
  if ((one === 'user' || one === 'stdin') && pathsOf(args).length > 0)
    throw new UsageError(`--${one} takes no PATHS; leave out ${pathsOf(args)[0]}`);
  if (one === 'user' && textFlag(args, 'dialect') !== undefined)
    throw new UsageError('--dialect needs PATHS: name the definitions to read');
  if (switchFlag(args, 'stdin') !== (textFlag(args, 'stdin-filename') !== undefined))
    throw new UsageError('--stdin and --stdin-filename FILE belong together: the name says what the text is');
}

async function projectTargets(args: Arguments): Promise<Targets> {
  const here = realpathSync('.');
  const name = textFlag(args, 'stdin-filename');
  const paths = name === undefined ? pathsOf(args).map(existing) : [resolve(here, name)];
  const root = paths.every((path) => isInside(projectOf(here), path)) ? projectOf(here) : projectOf(folderOf(paths[0] ?? here));
  const wanted = among(paths.map((path) => insidePath(root, path)));
  const find = { kindOf: kindOfPath(args, wanted, paths), isNamed: (path: string) => isNamed(paths, root) && wanted(path) };
  const read = (tick: Tick) => ({ ...findFiles(root, { ...find, tick }), tracked: trackedBelow(root) });
  const isWhole = paths.every((path) => path === root);
  const targets = { root, wanted, isWhole, fileOf: (path: string) => join(root, path) };
  if (name !== undefined) {
    const typed = await typedFile(insidePath(root, paths[0] ?? here), find);
    return { ...targets, read: (tick) => replaced(read(tick), typed), unknown: () => [], nothing: nothingIn([name]) };
  }
  const unknown = (found: FoundFiles) => unknownAmong(pathsOf(args), paths, root, found);
  return { ...targets, read, unknown, nothing: nothingIn(pathsOf(args)) };
}

function isNamed(paths: readonly string[], root: string): boolean {
  return paths.length > 0 && !paths.includes(root);
}

/** Returns the message if lint knows no file here; it is an error, since a success would be about nothing. */
function nothingIn([path]: readonly string[]): Targets['nothing'] {
  const where = path === undefined ? 'here' : isFolder(path) ? `in ${path}` : null;
  const message =
    where === null
      ? `Nothing was checked: ${path} ${UNKNOWN}`
      : `Nothing was checked: no file ${where} is one that lint knows; it looks for ${LOOKED_FOR}`;
  return { message, isFine: false };
}

const UNKNOWN = `is not a file that lint knows; for an agent definition, name its format: --dialect ${AGENT_FORMATS.join('|')}`;

function unknownAmong(
  typed: readonly string[],
  paths: readonly string[],
  root: string,
  { files }: FoundFiles,
): readonly string[] {
  const known = new Set(files.map(({ path }) => path));
  return typed.flatMap((name, index) => {
    const path = paths[index] ?? root;
    return isFolder(path) || known.has(insidePath(root, path)) ? [] : [`Not checked: ${name} ${UNKNOWN}`];
  });
}

function kindOfPath(args: Arguments, asked: (path: string) => boolean, paths: readonly string[]): FindOptions['kindOf'] {
  const dialect = choiceFlag(args, 'dialect', AGENT_FORMATS);
  if (dialect === undefined) return fileKind;
  if (paths.length === 0) throw new UsageError('--dialect needs PATHS: name the definitions to read');
  return (path) => (asked(path) ? asDialect(path, dialect) : fileKind(path));
}

/** Treats any file that can be a definition of the dialect as one. */
function asDialect(path: string, format: AgentFormat): FileKind | null {
  return kindAsFormat(path, format) ?? fileKind(path);
}

/** Files that runners read below the home directory. Paths are shown as `~/…`. */
function userTargets(): Targets {
  const root = homedir();
  const read = (tick: Tick) => {
    const {
      files,
      incomplete,
      folders = [],
      exists,
    } = findFiles(root, { kindOf: fileKind, isNamed: () => false, starts: USER_PLACES, tick });
    const below = { folders, files: files.map(belowHome), incomplete: incomplete.map(belowHome) };
    return { ...below, ...(exists && { exists: (path: string) => exists(path.replace(/^~\//, '')) }) };
  };
  return {
    root,
    read,
    unknown: () => [],
    wanted: () => true,
    isWhole: true,
    fileOf: (path) => join(root, path.slice(2)),
    nothing: {
      message: 'Nothing was checked: no coding agent keeps settings or definitions in your home folder',
      isFine: false,
    },
  };
}

function belowHome<Place extends { readonly path: string }>(place: Place): Place {
  return { ...place, path: `~/${place.path}` };
}

/** Returns targets that are narrowed to chosen files, which are chosen anew at each reading. */
function narrowed(
  targets: Targets,
  choose: (files: readonly SourceFile[]) => Iterable<string>,
  nothing: Targets['nothing'],
): Targets {
  let chosen: ReadonlySet<string> = new Set();
  const read = (tick: Tick) => {
    const found = targets.read(tick);
    chosen = new Set(choose(found.files.filter(({ path }) => targets.wanted(path))));
    return found;
  };
  return { ...targets, read, isWhole: false, wanted: (path) => chosen.has(path), nothing };
}

/** Keeps only files of these runners and files that several runners read; our own policies are excluded. */
function ofRunners(targets: Targets, runners: readonly RunnerId[] | null): Targets {
  if (runners === null) return targets;
  const message = `Nothing was checked: no file here is one of ${runners.join(' or ')}; without --runner, all are linted`;
  const choose = (files: readonly SourceFile[]) =>
    files.flatMap(({ path, kind }) => {
      const runner = runnerOfKind(kind);
      return runner === 'several' || runners.some((one) => one === runner) ? [path] : [];
    });
  return narrowed(targets, choose, targets.nothing.isFine ? targets.nothing : { message, isFine: false });
}

function runnersOf(args: Arguments): readonly RunnerId[] | null {
  const text = textFlag(args, 'runner');
  if (text === undefined) return null;
  return text.split(',').map((word) => {
    const runner = RUNNERS.find((one) => one === word.trim());
    if (runner === undefined)
      throw new UsageError(`--runner is ${JSON.stringify(word.trim())}; ${choiceAdvice(word.trim(), RUNNERS)}`);
    return runner;
  });
}

/** Keeps only files selected by `--changed` or `--since`. */
function ofChanged(targets: Targets, args: Arguments): Targets {
  const since = textFlag(args, 'since');
  if (since === undefined && !switchFlag(args, 'changed')) return targets;
  const choose = (files: readonly SourceFile[]) => {
    const changed = changedFiles(targets.root, homedir(), since ?? null, files);
    if (!changed.ok) throw new UsageError(notTold(changed.code, since));
    return changed.paths;
  };
  return narrowed(targets, choose, { message: 'Nothing to check: no file that lint knows has changed.', isFine: true });
}

function notTold(code: Exclude<ChangedFiles, { ok: true }>['code'], since: string | undefined): string {
  const flag = since === undefined ? '--changed' : '--since';
  if (code === 'no-git') return `${flag} needs git, but git is not in its usual place (/usr/bin, /usr/local/bin)`;
  if (code === 'no-repository') return `${flag} needs git, but git reads no repository here; leave out the flag`;
  if (code === 'unknown-revision') return `--since ${since}: git knows no such commit here; fetch it, or name another`;
  return `${flag}: git gave no answer; leave out the flag, or try again`;
}

const MAX_BYTES = 1_048_576;

/** Returns the text on standard input as a file with the given name. */
async function typedFile(path: string, { kindOf }: FindOptions): Promise<SourceFile> {
  if (process.stdin.isTTY) throw new UsageError('--stdin reads a text from standard input, which is a terminal');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw new UsageError('The text on standard input is larger than 1 MiB; lint reads no larger file');
    chunks.push(bytes);
  }
  const text = utf8(Buffer.concat(chunks));
  if (text === null) throw new UsageError('The text on standard input is not UTF-8');
  const kind = kindOf(path) ?? kindByContent(path, text);
  if (kind === null) throw new UsageError(nothingIn([path]).message);
  return { path, kind, text, problem: null };
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function replaced({ files, incomplete }: FoundFiles, typed: SourceFile): FoundFiles {
  const old = files.find(({ path }) => path === typed.path);
  const kept = files.filter(({ path }) => path !== typed.path);
  return { files: [...kept, { ...typed, kind: old?.kind ?? typed.kind }].sort((a, b) => (a.path < b.path ? -1 : 1)), incomplete };
}

/** Returns a test whether a path is one of those asked for, or is in one; if none is asked for, every path is. */
function among(asked: readonly string[]): (path: string) => boolean {
  return (path) =>
    asked.length === 0 || asked.some((prefix) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`));
}

function pathsOf(args: Arguments): readonly string[] {
  const paths = Object.hasOwn(args, 'paths') ? args.paths : undefined;
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** Returns the path itself if it is a folder, else the folder that contains it. */
function folderOf(path: string): string {
  return isFolder(path) ? path : dirname(path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the path with the links of its folder resolved; the last part is kept, since lint follows no link. */
function existing(path: string): string {
  const absolute = resolve(path);
  const parent = resolve(absolute, '..');
  if (!existsSync(absolute)) throw new UsageError(`${path} does not exist`);
  return absolute === parent ? absolute : resolve(realpathSync(parent), relative(parent, absolute));
}

function isInside(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

function insidePath(root: string, path: string): string {
  if (!isInside(root, path)) throw new UsageError(`${path} is outside ${root}; lint one project at a time`);
  return relative(root, path).split(sep).join('/');
}
