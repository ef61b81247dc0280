/** Finds and reads a project's files: bounded in number, size and depth; no symlink leads out, and only regular files are opened. */
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
import { isAbsolute, join, relative, sep } from 'node:path';
import { COMMON_DIALECT } from '../../agent/agent.js';
import { kindByContent } from '../places/content-kind.js';
import { type FileKind, fileKind, isAgentFolder } from '../places/file-kind.js';
import { extensionRoot, isManifest, pluginKind, pluginRoot } from '../places/plugin-files.js';

const MAX_BYTES = 1_048_576;
const MAX_FILES = 10_000;
/** The maximum total cost of a project's files in bytes; a text parsed into values takes about 60 times its size. */
const MAX_COST = 16 * MAX_BYTES;
/** A Markdown file below this size is mostly text, which takes little. */
const SMALL = 65_536;
/** At most this many folder entries are examined before the search stops. */
const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 20;
/** Third-party code, and the files of version control. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** A file that was found; `text` is null when it could not be read. */
export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string | null;
  readonly problem: ReadingProblem | null;
}

/** Why a file could not be read, or not exactly as it is. */
export interface ReadingProblem {
  /** `read/link-inside`: a symlink to a file of the project, which is read in its place. */
  readonly code:
    | 'read/link'
    | 'read/link-inside'
    | 'read/not-a-file'
    | 'read/too-large'
    | 'read/not-utf8'
    | 'read/utf-16'
    | 'read/unreadable';
  readonly message: string;
  /** Offset of the character to which the message refers. */
  readonly offset: number;
}

export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** Why the search ended early, or what could not be searched; each a sentence with its place. */
  readonly incomplete: readonly { readonly path: string; readonly message: string }[];
  /** The folders that were searched; the project itself is empty. */
  readonly folders?: readonly string[];
  /** Whether there is anything at a path of the project, linted or not; absent if this cannot be determined. */
  readonly exists?: (path: string) => boolean;
  /** Whether git tracks a path; null or absent if this cannot be determined. */
  readonly tracked?: (path: string) => boolean | null;
  /** Returns the names of the packages that the project itself publishes. */
  readonly ownPackages?: () => ReadonlySet<string>;
}

export interface FindOptions {
  /** Returns the kind of a path; null if the path does not determine it. */
  readonly kindOf: (path: string) => FileKind | null;
  /** Whether a person named the path: the kind of such a file may be determined by its contents. */
  readonly isNamed: (path: string) => boolean;
  /** Which files are opened, in addition to those of plugins; if absent, all that may be relevant. */
  readonly isOpened?: (path: string) => boolean;
  /** Folders and files to examine; if absent, the whole of `root`. */
  readonly starts?: readonly string[];
  /** True if the author of the files is trusted with symlinks: folders behind symlinks are searched, too. */
  readonly followsFolders?: boolean;
  /** Called with the number of files and folder entries examined. */
  readonly tick?: (what: string) => void;
}

export const EVERYWHERE: FindOptions = { kindOf: fileKind, isNamed: () => false };

/** Returns every file below `root` that lint recognizes, sorted by path. */
export function findFiles(root: string, options: FindOptions = EVERYWHERE): FoundFiles {
  const paths: { path: string; kind: FileKind; link: boolean }[] = [];
  /** Files whose path does not determine a kind; a plugin's manifest, or their contents, may. */
  const unknown: string[] = [];
  const incomplete: { path: string; message: string }[] = [];
  const { tick = () => {}, isOpened = () => true } = options;
  const folders = (options.starts ?? ['']).flatMap((path) => (isFolder(join(root, path)) ? [{ path, depth: 0 }] : []));
  for (const path of options.starts ?? []) {
    const kind = options.kindOf(path);
    const entry = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (kind !== null && entry !== undefined && !entry.isDirectory()) paths.push({ path, kind, link: entry.isSymbolicLink() });
  }
  /** Real paths of folders behind symlinks: a symlink that leads back up is searched only once. */
  const followed = new Set<string>();
  const isFollowed = (path: string) => {
    if (options.followsFolders !== true || !isFolder(path)) return false;
    const real = realpathSync(path);
    return !followed.has(real) && followed.add(real) !== null;
  };
  const searched: string[] = [];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = list(join(root, folder.path));
    if (listed === null) {
      incomplete.push({ path: folder.path, message: 'This folder cannot be listed, so nothing below it was checked.' });
      continue;
    }
    searched.push(folder.path);
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
  const known = paths.flatMap(({ path, kind, link }, index) => {
    tick(`${index} of ${paths.length} files read`);
    return link ? [] : [within(allowance, { path, kind, ...readRegular(join(root, path)) })];
  });
  const files = [...known, ...readUnknown(root, unknown, known, options, allowance)];
  const read = new Set(files.flatMap(({ path }) => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))));
  for (const { path, kind, link } of paths)
    if (link) files.push(within(allowance, { path, kind, ...readLink(root, path, read) }));
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  if (files.length > MAX_FILES && incomplete.length === 0)
    incomplete.push({ path: '', message: `More than ${MAX_FILES} files were found, of which only the first were read.` });
  const ownPackages = () => ownPackagesIn(unknown.map((path) => join(root, path)));
  return { files: files.slice(0, MAX_FILES), incomplete, folders: searched, exists: existsBelow(root), ownPackages };
}

/** At most this many manifests of packages are read. */
const MAX_PACKAGES = 200;

/** The names in the manifests of packages, without those that are kept private: anybody may publish such a name. */
function ownPackagesIn(files: readonly string[]): ReadonlySet<string> {
  const manifests = files.filter((file) => /[\\/](?:package\.json|pyproject\.toml)$/.test(file)).slice(0, MAX_PACKAGES);
  const texts = manifests.map((file) => readRegular(file).text ?? '').filter((text) => !/"private"\s*:\s*true/.test(text));
  return new Set(texts.map((text) => /^\s*\{?\s*"?name"?\s*[:=]\s*"([^"\n]+)"/m.exec(text)?.[1] ?? ''));
}

/** Coding agents look for definitions in every folder below their own, whatever its name. */
function holdsAgents(folder: string, { kindOf }: FindOptions): boolean {
  return kindOf(`${folder}/agent.md`)?.kind === 'agent';
}

/** Checks the path alone: opens nothing, follows no symlink. A path that cannot be checked is assumed to exist. */
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

/** Files that may be part of a plugin, or whose contents may determine their kind. */
const UNKNOWN = /\.(?:md|markdown|json|jsonc|toml)$/;
/** Collections of agents, commands and skills outside of any runner's folder. */
const COLLECTION = /(?:^|\/)(?:(?:agents|subagents|commands)\/(?:[^/]+\/){0,20}[^/]+\.md|SKILL\.md|[^/]+\.agent\.md)$/;
/** At most this many files are opened to determine their kind. */
const MAX_OPENED = 10_000;

function readUnknown(
  root: string,
  paths: readonly string[],
  known: readonly SourceFile[],
  { isNamed, isOpened = () => true }: FindOptions,
  allowance: Allowance,
): SourceFile[] {
  const plugins = known.flatMap(({ path, text }) => (isManifest(path) ? pluginRoot(path, text) : (extensionRoot(path) ?? [])));
  let opened = 0;
  return paths.flatMap((path) => {
    const ofPlugin = pluginKind(path, plugins);
    if (ofPlugin !== null) return [within(allowance, { path, kind: ofPlugin, ...readRegular(join(root, path)) })];
    if (!(isNamed(path) || COLLECTION.test(path)) || !isOpened(path) || ++opened > MAX_OPENED) return [];
    const content = readRegular(join(root, path));
    const kind = content.text === null ? null : kindByContent(path, content.text);
    return kind === null ? [] : [within(allowance, { path, kind, ...content })];
  });
}

/** The cost allowed for the files that are still to be read. */
interface Allowance {
  left: number;
}

/** Returns the file as read, or without its text if the previous files used up the allowance. */
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

/**
 * Follows a symlink only to a file of the project that is not in `read`, where every read file is with its folders. A target outside
 * is a problem, since no review of the project sees it change.
 */
function readLink(root: string, path: string, read: Set<string>): Content {
  const target = targetInside(root, path);
  if (target === null) return failed('read/link', LINK);
  const inside = failed('read/link-inside', LINK);
  if (read.has(target)) return inside;
  const { text } = readRegular(join(root, target));
  if (text === null) return failed('read/link', LINK);
  read.add(target);
  return { ...inside, text };
}

/** Returns the path in the project to which a symlink leads; null if it leads out, to itself or to nothing. */
function targetInside(root: string, path: string): string | null {
  try {
    const target = relative(realpathSync(root), realpathSync(join(root, path)));
    return target === '' || isAbsolute(target) || target.split(sep)[0] === '..' ? null : target.split(sep).join('/');
  } catch {
    return null;
  }
}

const LINK =
  'This symbolic link leads out of the project or to nothing readable, so what a runner finds behind it was not checked.';

/** A symlink in place of a whole folder of definitions hides all of them. */
function linkedFolder(path: string): FileKind | null {
  return isAgentFolder(path) ? { kind: 'agent', format: COMMON_DIALECT } : null;
}

/** Also true for a symlink to a folder: a person who starts there wants its contents. */
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

/** A buffer for the bytes of a file until they are decoded. */
let room: Buffer | null = null;

/** Rejects a FIFO or device without waiting for it; checks the size before reading anything. */
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

/** Text that is not UTF-8 is read with U+FFFD for invalid bytes, as runners do, and reported. */
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
