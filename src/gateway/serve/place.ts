/**
 * Files of the tool server's project. A path is made real before its call is judged, and what is opened must still lie there: no link that
 * was put in between leads anywhere else.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { isInside } from '../../disk/inside.js';
import { pathFact, realPath } from '../../disk/real-path.js';
import { utf8Of } from '../../log/record/bytes.js';
import type { Judged } from '../protocol/methods.js';

/** Why a tool could not do what it was asked, as a sentence for the agent. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** A file that is larger than what is read as a whole. */
export class TooLarge extends ToolFailure {}

/** Bytes of a file that is read, searched or changed as a whole. */
export const LARGEST = 256 * 1024;
const LINUX = process.platform === 'linux';

/** Returns a call whose paths are real: links are followed now, and it is judged by where they lead. */
export function withRealPaths(call: Judged, project: string): Judged {
  const { tool, input } = call;
  // A patch names its files itself, and what is deleted is a link, not where it leads.
  if (tool === 'codex_apply_patch' || tool === 'codex_delete_file' || tool === 'codex_shell') return call;
  const real = (path: unknown) => (typeof path === 'string' && path !== '' ? realOf(path, project) : path);
  const paths = Object.entries(input).flatMap(([name, value]) => {
    if (name === 'path') return [[name, real(value)]];
    return name === 'target_directories' && Array.isArray(value) ? [[name, value.map(real)]] : [];
  });
  return { tool, input: { ...input, ...Object.fromEntries(paths) } };
}

function realOf(path: string, project: string): string {
  const fact = pathFact(isAbsolute(path) ? path : `${project}/${path}`);
  // What cannot be resolved cannot be opened either.
  if (fact === null || fact.real === path) return path;
  const below = relative(project, fact.real);
  return isInside(fact.real, project) ? `${below.startsWith('~') ? './' : ''}${below || '.'}` : fact.real;
}

/** Returns a path as an absolute one. Throws ToolFailure if it could lead elsewhere than where it was judged to lead. */
export function placeIn(path: string, project: string): string {
  if (path.startsWith('~') || path.split('/').includes('..')) throw new ToolFailure(`${path}: write it without ~ and ..`);
  return resolve(project, path);
}

/** Opens a regular file, whose path contains no link. Throws ToolFailure. */
export function openFile(path: string): { readonly descriptor: number; readonly stat: Stats } {
  const descriptor = opened(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const stat = fstatSync(descriptor);
  if (stat.isFile() && leadsTo(descriptor, stat, path)) return { descriptor, stat };
  closeSync(descriptor);
  throw new ToolFailure(stat.isFile() ? `${path} was moved, or goes through a link` : `${path} is not a regular file`);
}

/** Reads a text file as a whole. Throws ToolFailure. */
export function readWhole(path: string, most: number = LARGEST): string {
  const { descriptor, stat } = openFile(path);
  try {
    if (stat.size > most) throw new TooLarge(`${path} has ${stat.size} bytes; the limit is ${most}`);
    // A file of /proc has no size.
    const bytes = Buffer.alloc(Math.max(stat.size, 64 * 1024) + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (length === bytes.length) throw new ToolFailure(`${path} grew while it was read`);
    const text = utf8Of(bytes, length);
    if (text === null || text.includes('\0')) throw new ToolFailure(`${path} is not a text file`);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

function opened(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why: Readonly<Record<string, string>> = { ENOENT: 'does not exist', ENOTDIR: 'does not exist', ELOOP: 'is a link' };
    throw new ToolFailure(`${path} ${why[code] ?? `cannot be opened (${code})`}`);
  }
}

function leadsTo(descriptor: number, stat: Stats, path: string): boolean {
  if (LINUX) return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  const now = lstatSync(path, { throwIfNoEntry: false });
  return realPath(path) === path && now?.ino === stat.ino && now.dev === stat.dev;
}

/** What becomes of one file; a text of null means that it is deleted, or that it does not exist. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns a path as an absolute one in the project. Throws ToolFailure if it is elsewhere. */
export function insideProject(path: string, project: string): string {
  const absolute = placeIn(path, project);
  if (absolute === project || !isInside(absolute, project))
    throw new ToolFailure(`${path} is not in the project; files are only changed there`);
  return absolute;
}

/** Returns what stands for the text of a file that is replaced without being read; null if there is none. */
export function entryOf(path: string): string | null {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : '';
}

/** Makes all changes or none. Throws ToolFailure; what had been changed by then is changed back. */
export function changeFiles(changes: readonly FileChange[], project: string): void {
  const done: FileChange[] = [];
  try {
    for (const change of changes) {
      changeFile(change, project);
      done.push(change);
    }
  } catch (error) {
    for (const { path, before, after } of done.reverse()) changeFile({ path, before: after, after: before }, project);
    throw error;
  }
}

/** Every step is made in a folder that is held open, so that nobody can put another in its place. */
function changeFile({ path, before, after }: FileChange, project: string): void {
  const folder = dirname(path);
  if (after !== null) makeFolders(folder, project);
  const descriptor = opened(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (!leadsTo(descriptor, fstatSync(descriptor), folder)) throw new ToolFailure(`${path} goes through a link`);
    const held = LINUX ? `/proc/self/fd/${descriptor}` : folder;
    const file = `${held}/${basename(path)}`;
    const old = lstatSync(file, { throwIfNoEntry: false });
    if (old !== undefined && !old.isFile()) throw new ToolFailure(`${path} is not a regular file`);
    if ((old === undefined) !== (before === null))
      throw new ToolFailure(old === undefined ? `${path} does not exist` : `${path} exists already`);
    if (after === null) {
      unlinkSync(file);
      return;
    }
    const draft = `${held}/.${randomUUID()}.tmp`;
    try {
      writeFileSync(draft, after, { flag: 'wx', mode: 0o666 });
      if (old !== undefined) chmodSync(draft, old.mode & 0o7777);
      renameSync(draft, file);
    } catch (error) {
      discard(draft);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was not made.
  }
}

function makeFolders(folder: string, project: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory() || folder === project) return;
  if (stat !== undefined) throw new ToolFailure(`${folder} ${stat.isSymbolicLink() ? 'goes through a link' : 'is no folder'}`);
  makeFolders(dirname(folder), project);
  if (realPath(dirname(folder)) !== dirname(folder)) throw new ToolFailure(`${folder} goes through a link`);
  mkdirSync(folder);
}
