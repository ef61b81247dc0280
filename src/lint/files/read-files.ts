/** Finds and reads a project's files: bounded in number, size and depth; no link is followed, nothing but regular files opened. */
import { isAscii, isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { COMMON_DIALECT } from '../../agent/agent.js';
import { kindByContent } from '../places/content-kind.js';
import { type FileKind, fileKind, isAgentFolder } from '../places/file-kind.js';
import { isManifest, pluginKind, pluginRoot } from '../places/plugin-files.js';

const MAX_BYTES = 1_048_576;
const MAX_FILES = 10_000;
/** What the files of a project cost together, in bytes; read as values a text takes some 60 times its room. */
const MAX_COST = 16 * MAX_BYTES;
/** A file of Markdown below this size is mostly text, which takes little. */
const SMALL = 65_536;
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
  /** Whether there is something at a path of the project, linted or not; absent where nobody can look. */
  readonly exists?: (path: string) => boolean;
  /** Whether git keeps a path; null, or absent, where that cannot be told. */
  readonly tracked?: (path: string) => boolean | null;
}

export interface FindOptions {
  /** What a path is; null where that is not known from the path. */
  readonly kindOf: (path: string) => FileKind | null;
  /** Paths that a person named: what such a file is may be told by what is in it. */
  readonly isNamed: (path: string) => boolean;
  /** Which files are opened, beside those of plugins; without it all that may be something. */
  readonly isOpened?: (path: string) => boolean;
  /** Folders and files that are looked at; without them the whole of `root`. */
  readonly starts?: readonly string[];
  /** True where whoever wrote the files is trusted to link to others: folders behind links are searched, too. */
  readonly followsFolders?: boolean;
  /** Told how many files and folder entries were looked at. */
  readonly tick?: (what: string) => void;
}

export const EVERYWHERE: FindOptions = { kindOf: fileKind, isNamed: () => false };

/** Every file below `root` that lint knows, sorted by path. */
export function findFiles(root: string, options: FindOptions = EVERYWHERE): FoundFiles {
  const paths: { path: string; kind: FileKind; link: boolean }[] = [];
  /** Files whose path tells nothing; a plugin's manifest, or what is in them, may. */
  const unknown: string[] = [];
  const incomplete: { path: string; message: string }[] = [];
  const { tick = () => {}, isOpened = () => true } = options;
  const folders = (options.starts ?? ['']).flatMap((path) => (isFolder(join(root, path)) ? [{ path, depth: 0 }] : []));
  for (const path of options.starts ?? []) {
    const kind = options.kindOf(path);
    const entry = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (kind !== null && entry !== undefined && !entry.isDirectory()) paths.push({ path, kind, link: entry.isSymbolicLink() });
  }
  /** Real paths of folders behind links: one that leads back up is searched once. */
  const followed = new Set<string>();
  const isFollowed = (path: string) => {
    if (options.followsFolders !== true || !isFolder(path)) return false;
    const real = realpathSync(path);
    return !followed.has(real) && followed.add(real) !== null;
  };
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = list(join(root, folder.path));
    if (listed === null) {
      incomplete.push({ path: folder.path, message: 'This folder cannot be listed, so nothing below it was checked.' });
      continue;
    }
    entries += listed.length;
    tick(`${entries} folder entries looked at`);
    if (entries > MAX_ENTRIES || paths.length > MAX_FILES) {
      const most = `${MAX_FILES} files or ${MAX_ENTRIES} folder entries`;
      incomplete.push({ path: folder.path, message: `More than ${most} were found, so the search stopped here.` });
      break;
    }
    for (const entry of listed) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFollowed(join(root, path)))) {
        if (SKIPPED.has(entry.name) && !holdsAgents(path, options)) continue;
        if (folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1 });
        else incomplete.push({ path, message: `This folder lies deeper than ${MAX_DEPTH} folders and was not searched.` });
        continue;
      }
      const link = entry.isSymbolicLink();
      const kind = options.kindOf(path) ?? (link ? linkedFolder(path) : null);
      if (kind !== null && isOpened(path)) paths.push({ path, kind, link });
      else if (!link && UNKNOWN.test(path)) unknown.push(path);
    }
  }
  const allowance = { left: MAX_COST };
  const known = paths.map(({ path, kind, link }, index) => {
    tick(`${index} of ${paths.length} files read`);
    return within(allowance, readFound(root, path, kind, link));
  });
  const files = [...known, ...readUnknown(root, unknown, known, options, allowance)];
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  if (files.length > MAX_FILES && incomplete.length === 0)
    incomplete.push({ path: '', message: `More than ${MAX_FILES} files were found, of which only the first were read.` });
  return { files: files.slice(0, MAX_FILES), incomplete, exists: existsBelow(root) };
}

/** Coding agents look for definitions in every folder below the one for them, whatever it is called. */
function holdsAgents(folder: string, { kindOf }: FindOptions): boolean {
  return kindOf(`${folder}/agent.md`)?.kind === 'agent';
}

/** A look at the path alone: nothing is opened, no link followed. Whatever cannot be looked at may be there. */
function existsBelow(root: string): (path: string) => boolean {
  return (path) => {
    if (path.split('/').includes('..')) return true;
    try {
      return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  };
}

/** Files that can be part of a plugin, or be told by their content. */
const UNKNOWN = /\.(?:md|markdown|json|jsonc|toml)$/;
/** Collections of agents, commands and skills that belong to no runner's folder. */
const COLLECTION = /(?:^|\/)(?:(?:agents|subagents|commands)\/(?:[^/]+\/){0,20}[^/]+\.md|SKILL\.md|[^/]+\.agent\.md)$/;
/** Files beyond this number are not opened to see what they are. */
const MAX_OPENED = 10_000;

function readUnknown(
  root: string,
  paths: readonly string[],
  known: readonly SourceFile[],
  { isNamed, isOpened = () => true }: FindOptions,
  allowance: Allowance,
): SourceFile[] {
  const plugins = known.filter(({ path }) => isManifest(path)).map(({ path, text }) => pluginRoot(path, text));
  let opened = 0;
  return paths.flatMap((path) => {
    const ofPlugin = pluginKind(path, plugins);
    if (ofPlugin !== null) return [within(allowance, readFound(root, path, ofPlugin))];
    if (!(isNamed(path) || COLLECTION.test(path)) || !isOpened(path) || ++opened > MAX_OPENED) return [];
    const content = readRegular(join(root, path));
    const kind = content.text === null ? null : kindByContent(path, content.text);
    return kind === null ? [] : [within(allowance, { path, kind, ...content })];
  });
}

/** What the files that are still to be read may cost. */
interface Allowance {
  left: number;
}

/** The file as it was read, or without its text when the files before it used the allowance up. */
function within(allowance: Allowance, file: SourceFile): SourceFile {
  const size = file.text?.length ?? 0;
  const cost = file.kind.kind === 'config' || size > SMALL ? size : size / 4;
  if (cost > allowance.left) {
    const message = 'The files of this project are too large together; this one was not read. Lint the folders one by one.';
    return { ...file, ...failed('read/too-large', message) };
  }
  allowance.left -= cost;
  return file;
}

function readFound(root: string, path: string, kind: FileKind, link = false): SourceFile {
  const content = link ? failed('read/link', LINK) : readRegular(join(root, path));
  return { path, kind, ...content };
}

const LINK = 'This is a symbolic link; it is not followed here, but its runner may follow it.';

/** A link in the place of a whole folder of definitions hides every one of them. */
function linkedFolder(path: string): FileKind | null {
  return isAgentFolder(path) ? { kind: 'agent', format: COMMON_DIALECT } : null;
}

/** Also a folder that a link leads to: a person who starts there wants what is in it. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
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

/** Where the bytes of a file lie until they are text. */
let room: Buffer | null = null;

/** A FIFO or device is refused without waiting for it; the size is bounded before anything is read. */
function readRegular(file: string): Content {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return failed('read/not-a-file', 'This is no regular file; it was not opened.');
    if (stat.size > MAX_BYTES) return failed('read/too-large', 'This file is larger than 1 MiB; it was not read.');
    room ??= Buffer.alloc(MAX_BYTES);
    let length = 0;
    for (let got = -1; got !== 0 && length < stat.size; length += got)
      got = readSync(descriptor, room, length, stat.size - length, length);
    return decode(room.subarray(0, length));
  } catch (error) {
    return failure(error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Text that is no UTF-8 is read with U+FFFD in the place of what is wrong, as runners do, and said. */
function decode(bytes: Buffer): Content {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return failed('read/utf-16', 'This file is UTF-16; runners read UTF-8 only.');
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), problem: null };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), problem: null };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const message = 'A byte here is not UTF-8; it is read as U+FFFD.';
  return { text, problem: { code: 'read/not-utf8', message, offset: Math.max(text.indexOf('\uFFFD'), 0) } };
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
