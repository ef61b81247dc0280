/**
 * Archives and patches determine themselves which files they write, and nothing reveals these before they run. A rule for the
 * program therefore does not cover the replacement of protected files.
 */
import type { Command } from '../../command/model/command.js';
import { pathKey } from '../place/path-references.js';
import { holdsProject } from '../place/paths.js';
import { protectedBelow } from '../place/sensitive-paths.js';
import { settingsBelow } from '../place/settings-below.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';

/** `folder`: the option that names the target folder, in the same word or before it. `only`: options with which no file is written. */
interface Unpacker {
  readonly folder: RegExp | null;
  readonly only: RegExp;
  /** Words that mean files are written at all; null if they always are. */
  readonly unpacks: RegExp | null;
}

const TAR: Unpacker = {
  folder: /^(?:-C|--directory(?:=|$))/,
  only: /^(?:-[a-zA-Z]*t[a-zA-Z]*|--list|-[a-zA-Z]*O[a-zA-Z]*|--to-stdout|--help|--version)$/,
  unpacks: /^(?:-?[a-zA-Z]*x[a-zA-Z]*|--(?:ex|ge)[a-z]*)$/,
};
const UNZIP: Unpacker = { folder: /^-d/, only: /^-(?:[a-zA-Z]*[ltZzpv][a-zA-Z0-9]*|h)$/, unpacks: null };
const SEVEN_ZIP: Unpacker = { folder: /^-o/, only: /^(?:l|t|-so)$/, unpacks: /^[xe]$/ };
const PATCH: Unpacker = { folder: null, only: /^--(?:dry-run|help|version)$/, unpacks: null };
const CPIO: Unpacker = {
  folder: /^(?:-D|--directory(?:=|$))/,
  only: /^(?:-[a-z]*t[a-z]*|--list)$/,
  unpacks: /^(?:-[a-z]*[ip][a-z]*|--extract)$/,
};

const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map([
  ['tar', TAR],
  ['gtar', TAR],
  ['bsdtar', TAR],
  ['unzip', UNZIP],
  ['7z', SEVEN_ZIP],
  ['7za', SEVEN_ZIP],
  ['7zz', SEVEN_ZIP],
  ['patch', PATCH],
  ['gpatch', PATCH],
  ['cpio', CPIO],
]);

/** Whether a command writes files whose names only an archive or a patch contains. */
export function unpacks({ name }: Command): boolean {
  return name !== null && UNPACKERS.has(name);
}

/** Adds a question if a command unpacks into a folder that contains protected files, or into an unknown folder. */
export function unpackingRulings({ name, invocation }: Command, directory: string | null, facts: Facts, into: Ruling[]): void {
  const unpacker = name === null ? undefined : UNPACKERS.get(name);
  if (unpacker === undefined) return;
  const words = invocation.argv.slice(1).map(({ value }) => value);
  const has = (pattern: RegExp) => words.some((word) => word === null || pattern.test(word));
  if (words.some((word) => word !== null && unpacker.only.test(word)) || (unpacker.unpacks !== null && !has(unpacker.unpacks)))
    return;
  if (name?.endsWith('patch') && namesFile(words)) return;
  const folder = folderOf(words, unpacker, directory, facts.home);
  const fact = folder !== null && Object.hasOwn(facts.paths, folder) ? facts.paths[folder] : undefined;
  const real = fact?.real ?? null;
  const isFree = real !== null && protectedBelow(real, facts.home, facts.ownDirectories) === null;
  if (isFree && !holdsProject(real, facts) && settingsBelow(real, facts) === null) return;
  const message = `${name} may replace protected files: only ${name === 'patch' ? 'the patch' : 'the archive'} says which files it writes${
    name === 'patch' ? '' : '; unpack into a new folder'
  }`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'protected/unpacked', message, span: invocation.span } });
}

/** `patch src/a.ts a.patch` changes the named file, whatever the patch says. */
function namesFile(words: readonly (string | null)[]): boolean {
  return words.some(
    (word, at) => word !== null && !word.startsWith('-') && !/^-(?:[idoprBDFVYzg]|-[a-z-]+)$/.test(words[at - 1] ?? ''),
  );
}

/** The key of the target folder; null if unknown. */
function folderOf(
  words: readonly (string | null)[],
  { folder }: Unpacker,
  directory: string | null,
  home: string,
): string | null {
  const at = folder === null ? -1 : words.findIndex((word) => word !== null && folder.test(word));
  if (at < 0 || folder === null) return directory;
  const glued = words[at]?.replace(folder, '') ?? '';
  const named = glued === '' ? (words[at + 1] ?? null) : glued;
  return named === null || directory === null ? null : pathKey(directory, named, named.startsWith('~'), home);
}
