/** Finds and reads a project's files: bounded in number, size and depth; no link is followed, nothing but regular files opened. */
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type FileKind, fileKind } from './file-kind.js';

const MAX_BYTES = 1_048_576;
const MAX_FILES = 10_000;
/** Folder entries that are looked at before the search stops. */
const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 20;
/** Other people's code, and what version control keeps. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** A file as it was found; `text` is null when it could not be read. */
export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string | null;
  readonly problem: ReadingProblem | null;
}

/** Why a file could not be read, or not as it stands. */
export interface ReadingProblem {
  readonly code: 'read/link' | 'read/not-a-file' | 'read/too-large' | 'read/not-utf8' | 'read/utf-16' | 'read/unreadable';
  readonly message: string;
  /** Offset of the character that the message is about. */
  readonly offset: number;
}

export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** Why the search ended early, or what could not be searched; each a sentence with its place. */
  readonly incomplete: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Every file below `root` that lint knows, sorted by path.
 * @param kindOf what a path is; null for files to leave alone
 */
export function findFiles(root: string, kindOf: (path: string) => FileKind | null = fileKind): FoundFiles {
  const paths: { path: string; kind: FileKind; link: boolean }[] = [];
  const incomplete: { path: string; message: string }[] = [];
  const folders = [{ path: '', depth: 0 }];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = list(join(root, folder.path));
    if (listed === null) {
      incomplete.push({ path: folder.path, message: 'This folder cannot be listed, so nothing below it was checked.' });
      continue;
    }
    entries += listed.length;
    if (entries > MAX_ENTRIES || paths.length > MAX_FILES) {
      const most = `${MAX_FILES} files or ${MAX_ENTRIES} folder entries`;
      incomplete.push({ path: folder.path, message: `More than ${most} were found, so the search stopped here.` });
      break;
    }
    for (const entry of listed) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (SKIPPED.has(entry.name)) continue;
        if (folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1 });
        else incomplete.push({ path, message: `This folder lies deeper than ${MAX_DEPTH} folders and was not searched.` });
        continue;
      }
      const link = entry.isSymbolicLink();
      const kind = kindOf(path) ?? (link ? linkedFolder(path) : null);
      if (kind !== null) paths.push({ path, kind, link });
    }
  }
  paths.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { files: paths.slice(0, MAX_FILES).map(({ path, kind, link }) => readFound(root, path, kind, link)), incomplete };
}

/** Reads one file of the project. */
function readFound(root: string, path: string, kind: FileKind, link = false): SourceFile {
  const content = link ? failed('read/link', LINK) : readRegular(join(root, path));
  return { path, kind, ...content };
}

const LINK = 'This is a symbolic link; it is not followed here, but its runner may follow it.';

/** A link in the place of a whole folder of definitions hides every one of them. */
function linkedFolder(path: string): FileKind | null {
  return /(?:^|\/)\.(?:claude|codex|agent)(?:\/agents)?$/.test(path) ? fileKind('.claude/agents/x.md') : null;
}

function list(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

interface Content {
  readonly text: string | null;
  readonly problem: ReadingProblem | null;
}

/** A FIFO or device is refused without waiting for it; the size is bounded before anything is read. */
function readRegular(file: string): Content {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return failed('read/not-a-file', 'This is no regular file; it was not opened.');
    if (stat.size > MAX_BYTES) return failed('read/too-large', 'This file is larger than 1 MiB; it was not read.');
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(descriptor, bytes, length, bytes.length - length, length);
    return decode(bytes.subarray(0, length));
  } catch (error) {
    return failure(error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Text that is no UTF-8 is read with U+FFFD in the place of what is wrong, as runners do, and said. */
function decode(bytes: Uint8Array): Content {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return failed('read/utf-16', 'This file is UTF-16; runners read UTF-8 only.');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), problem: null };
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const message = 'A byte here is not UTF-8; it is read as U+FFFD.';
    return { text, problem: { code: 'read/not-utf8', message, offset: Math.max(text.indexOf('\uFFFD'), 0) } };
  }
}

function failure(error: unknown): Content {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ELOOP') return failed('read/link', LINK);
  if (code === 'ENXIO') return failed('read/not-a-file', 'This is no regular file; it was not opened.');
  return failed('read/unreadable', `This file cannot be read${code === '' ? '' : ` (${code})`}.`);
}

function failed(code: ReadingProblem['code'], message: string): Content {
  return { text: null, problem: { code, message, offset: 0 } };
}
