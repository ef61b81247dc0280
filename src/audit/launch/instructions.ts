/**
 * Before `policy run` starts a runner: which other files do the project's instruction files bring into the context, by symlinks
 * and imports?
 */
import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { folderEntries } from '../../disk/folder-entries.js';
import { isDirectory } from '../../disk/git/directory.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import type { InstallPlaces } from '../../install/target.js';
import { type Import, type ImportSyntax, importsIn, type OutsideApproval } from '../../runner/launch/instruction-files.js';
import type { Launcher } from '../../runner/launch/launcher.js';
import { namedFiles, UnknownNames } from './named-instructions.js';

/** A file that reaches the model with the instructions, without a call. */
export interface Brought {
  /** Absolute. */
  readonly file: string;
  /** The cause, as the beginning of a sentence: `CLAUDE.md:3 imports @.env`. */
  readonly how: string;
  /** The remedy. */
  readonly fix: string;
}

/** The files that they bring along, or a sentence that states why these cannot be determined. */
export type BroughtAlong =
  | { readonly ok: true; readonly files: readonly Brought[] }
  | { readonly ok: false; readonly message: string };

/** At most this many imports in a row are followed; clients follow four to eight. */
const MOST_HOPS = 10;
const MOST_FILES = 200;
/** The maximum number of entries of one folder of instructions, including those below it. */
const MOST_ENTRIES = 10_000;
/** Claude Code does not read larger files. */
const LARGEST = 4 * 1024 * 1024;
const MOST_CHARACTERS = 32 * 1024 * 1024;

class Untold extends Error {}

/** Regular instruction files by themselves bring nothing along. @param cwd the runner's working directory in the project */
export function broughtAlong(launcher: Launcher, places: InstallPlaces, cwd: string): BroughtAlong {
  try {
    return { ok: true, files: new Instructions(launcher, places).brought(cwd) };
  } catch (error) {
    if (error instanceof Untold || error instanceof UnknownNames) return { ok: false, message: error.message };
    throw error;
  }
}

/** A file that is read for its imports. */
interface Read {
  readonly path: string;
  readonly real: string;
}

class Instructions {
  readonly #launcher: Launcher;
  readonly #places: InstallPlaces;
  readonly #brought = new Map<string, Brought>();
  readonly #read: Read[] = [];
  /** Real paths; null: not a regular file. */
  readonly #tried = new Map<string, string | null>();
  #characters = 0;
  #isApproved: boolean | null = null;

  constructor(launcher: Launcher, places: InstallPlaces) {
    this.#launcher = launcher;
    this.#places = places;
  }

  brought(cwd: string): readonly Brought[] {
    const { files, folders = [], imports, named = [] } = this.#launcher.instructions;
    const places = foldersDownTo(cwd, this.#places.project);
    for (const at of places) {
      for (const file of files) this.#add(join(at, file), true);
      for (const { folder, ending, imports: isImporting, levels = Number.POSITIVE_INFINITY } of folders)
        for (const file of filesBelow(join(at, folder), ending, levels)) this.#add(file, isImporting);
      for (const { file, by } of named.flatMap((one) => namedFiles(one, at, places, this.#places))) {
        if (by !== null && regularFile(file) !== null)
          this.#bring(
            file,
            `${this.#shown(by)} names ${this.#shown(file)} as instructions`,
            `remove that name from ${this.#shown(by)}`,
          );
        this.#add(file, true);
      }
    }
    if (imports !== undefined) this.#follow(imports);
    return [...this.#brought.values()];
  }

  /** @param path below a real path, so that it differs from its real path only because of symlinks */
  #add(path: string, isImporting: boolean): void {
    const real = regularFile(path);
    if (real === null) return;
    const shown = this.#shown(path);
    if (real !== path) this.#bring(real, `${shown} is a link to ${this.#shown(real)}`, `replace ${shown} with a regular file`);
    if (isImporting) this.#read.push({ path, real });
  }

  #bring(file: string, how: string, fix: string): void {
    if (this.#brought.has(file)) return;
    if (this.#brought.size === MOST_FILES) throw new Untold(`the instruction files include more than ${MOST_FILES} files`);
    this.#brought.set(file, { file, how, fix });
  }

  /** Nearest files first, so that each file is reported with its shortest chain of imports. */
  #follow(syntax: ImportSyntax): void {
    const seen = new Set<string>();
    let files: readonly Read[] = this.#read;
    for (let hop = 0; hop < MOST_HOPS && files.length > 0; hop += 1) {
      const further: Read[] = [];
      for (const file of files) {
        if (seen.has(file.path)) continue;
        seen.add(file.path);
        for (const { line, paths } of this.#importsOf(file, syntax))
          for (const [path, text] of this.#targets(paths, file, syntax)) {
            const real = this.#triedFile(path);
            if (real === null) continue;
            const by = this.#shown(file.path);
            this.#bring(path, `${by}:${line} imports @${printable(text)}`, `remove the import from ${by}`);
            further.push({ path, real });
          }
      }
      files = further;
    }
  }

  #triedFile(path: string): string | null {
    const tried = this.#tried.get(path);
    if (tried !== undefined) return tried;
    const real = regularFile(path);
    this.#tried.set(path, real);
    return real;
  }

  #importsOf({ path, real }: Read, syntax: ImportSyntax): readonly Import[] {
    const read = readText(real, { limit: LARGEST, lenient: true });
    // The client cannot open such a file either.
    if (!read.ok && read.code !== 'too-large') return [];
    if (read.ok) this.#characters += read.text.length;
    if (this.#characters > MOST_CHARACTERS) throw new Untold('the instruction files and their imports are too large together');
    const imports = read.ok ? importsIn(read.text, syntax) : null;
    if (imports !== null) return imports;
    throw new Untold(`${this.#shown(path)} ${read.ok ? 'holds too many @' : read.message}, so its imports are unknown`);
  }

  /**
   * Returns the imported paths, each with the text of its import. Clients resolve relative to the folder of the name, or to that
   * of the symlink's target.
   */
  #targets(paths: readonly string[], { path, real }: Read, { outside }: ImportSyntax): ReadonlyMap<string, string> {
    const { home, project } = this.#places;
    const bases = new Set([dirname(path), dirname(real)]);
    const targets = new Map<string, string>();
    for (const text of paths)
      for (const base of bases) {
        const target = text.startsWith('~/') && outside !== null ? join(home, text.slice(2)) : resolve(base, text);
        if (targets.has(target)) continue;
        if (isInside(target, project) || this.#mayImportFromOutside(outside)) targets.set(target, text);
      }
    return targets;
  }

  #mayImportFromOutside(approval: OutsideApproval | null): boolean {
    if (approval === null) return false;
    this.#isApproved ??= isApproved(approval, this.#places);
    return this.#isApproved;
  }

  #shown(path: string): string {
    const { project, home } = this.#places;
    if (isInside(path, project)) return printable(relative(project, path));
    return printable(isInside(path, home) ? `~/${relative(home, path)}` : path);
  }
}

/** A file name of the project may contain a line break. */
function printable(text: string): string {
  return /\p{Cc}/u.test(text) ? JSON.stringify(text) : text;
}

/** Approval for any project counts, since only the client knows how it tells projects apart; also true if the file cannot be read. */
function isApproved({ file, folderVariable, approved }: OutsideApproval, { home, environment }: InstallPlaces): boolean {
  const read = readText(join(environment[folderVariable] || home, file), { limit: LARGEST, lenient: true });
  return read.ok ? approved.test(read.text) : read.code !== 'missing';
}

/** The project comes first. */
function foldersDownTo(cwd: string, project: string): readonly string[] {
  const folders = [project];
  for (let at = cwd; at !== project && at !== dirname(at); at = dirname(at)) folders.splice(1, 0, at);
  return folders;
}

/** Returns the real path of a regular file, following symlinks; null for everything else. */
function regularFile(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? realPath(path) : null;
  } catch {
    // A path that no file can have, such as one that is too long.
    return null;
  }
}

/** Follows symlinks to folders, as the clients do. @param levels the maximum depth; 1: only the folder itself */
function filesBelow(top: string, ending: string, levels: number): readonly string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  let entries = 0;
  let folders = [top];
  for (let level = 1; level <= levels && folders.length > 0; level += 1) {
    const further: string[] = [];
    for (const folder of folders) {
      const real = realPath(folder);
      if (real === null || seen.has(real)) continue;
      seen.add(real);
      for (const entry of folderEntries(folder) ?? []) {
        entries += 1;
        if (entries > MOST_ENTRIES) throw new Untold(`${top} has more than ${MOST_ENTRIES} entries`);
        const path = join(folder, entry.name);
        if (entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path))) further.push(path);
        else if (entry.name.endsWith(ending)) found.push(path);
      }
    }
    folders = further;
  }
  return found;
}
