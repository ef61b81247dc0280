/** Whether a read reaches a file that may contain secrets: the file itself, or one below a folder (docs/guarantees.md, 7). */
import { posix } from 'node:path';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import { isSkippedFile, mayOpen } from '../place/file-name-filters.js';
import { guardRuling } from '../place/guard-ruling.js';
import { followsLinks, mayEnterPackages, type PathReference, treeOf } from '../place/path-references.js';
import { isInside } from '../place/paths.js';
import { secretPath, segmentsMayMeet } from '../place/sensitive-paths.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import { isListedGlob, TEMPORARY } from './temporary.js';

export function readRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  if (reference.listing || reference.globRoot !== null) return null;
  if (reference.key !== null && facts.paths[reference.key]?.credential === true)
    return guardRuling('ask', 'secret/git-config', `${reference.text} holds a credential in a git setting`, reference);
  // An `.npmrc` in which every setting is known and none is a token.
  if (reference.key !== null && facts.paths[reference.key]?.harmless === true) return null;
  const secret = secretPath(absolute, facts.home);
  return secret === null ? null : guardRuling('ask', 'secret/path', `${reference.text} may hold secrets (${secret})`, reference);
}

/** A command that reads many files asks if one of them is a secret, or if that is unknown. */
export function treeRuling(reference: PathReference, facts: Facts): Ruling | null {
  const tree = treeOf(reference);
  if (tree === null) return null;
  if (isListedGlob(reference, facts)) return listedRuling(reference, facts);
  const found = Object.hasOwn(facts.secretTrees, tree) ? facts.secretTrees[tree] : null;
  if (found === null || found === undefined) {
    return tooLarge(reference);
  }
  const packed = followsLinks(reference) ? facts.packedLinks?.[tree] : undefined;
  if (packed === null || (reference.filter?.tracked === true && facts.names?.indexes[tree]?.astray === true))
    return guardRuling('ask', 'secret/unknown-tree', `${reference.text} may lead outside the project`, reference);
  const reads = (file: string) =>
    !(reference.byGit === true && `/${posix.relative(posix.normalize(tree), file)}`.includes('/.git/')) &&
    mayRead(reference, file) &&
    opens(reference, tree, file, facts);
  const first = found.find(reads) ?? packed?.find(reads) ?? ledOut(reference, facts);
  if (first === undefined) return null;
  const shown = posix.relative(posix.normalize(tree), first);
  return guardRuling('ask', 'secret/tree', `reads ${shown}, which may hold secrets; leave it out`, reference);
}

function tooLarge(reference: PathReference): Ruling {
  const message = `${reference.text} is too large to check for secrets`;
  return guardRuling('ask', 'secret/unknown-tree', message, reference);
}

/** For a pattern in a temporary folder whose matches are known: asks if one is a secret, or a symlink that leads elsewhere. */
function listedRuling(reference: PathReference, { globs, home }: Facts): Ruling | null {
  const paths = globs?.[reference.glob ?? ''];
  if (paths === undefined || paths === null) return tooLarge(reference);
  const first = paths.find((path) => secretPath(path, home) !== null || !TEMPORARY.test(path));
  return first === undefined
    ? null
    : guardRuling('ask', 'secret/tree', `reads ${first}, which may hold secrets; leave it out`, reference);
}

/** The target of a symlink in installed packages that a pattern matches, if it is outside the project or a secret. */
function ledOut(reference: PathReference, facts: Facts): string | undefined {
  const { glob, globRoot } = reference;
  if (glob === null || globRoot === null || !mayEnterPackages(reference)) return undefined;
  const below = `${globRoot}/`;
  return facts.globs?.[glob]?.find(
    (path) => !path.startsWith(below) && (!isInside(path, facts.project) || secretPath(path, facts.home) !== null),
  );
}

/** Whether the name filter of a search includes this file. */
function opens({ filter }: PathReference, tree: string, file: string, facts: Facts): boolean {
  if (!filter) return true;
  const path = posix.relative(posix.normalize(tree), file);
  if (!mayOpen(filter, path)) return false;
  // A symlink's name differs from its target's name.
  if (filter.tracked === true) {
    // git's index has no path through `.git`.
    if (filter.entered !== true && `/${path}`.includes('/.git/')) return false;
    if (facts.names?.indexes[tree]?.secret !== false || secretPath(file, facts.home) === null) return true;
    if (filter.entered !== true) return false;
  }
  const isOpen = filter.untracked !== true || facts.names?.indexes[tree]?.secret === false;
  if (filter.ignoring === true && isOpen && facts.ignored?.[tree]?.includes(file) === true) return false;
  return !(filter.unhidden === true && isSkippedFile(path, facts.takenIn?.[tree] ?? null));
}

/** True if a command that reads many files may reach this one: below its folder, and matched by its glob. */
function mayRead(reference: PathReference, file: string): boolean {
  if (reference.glob === null) return true;
  if (reference.crossing) return crossingMeets(reference.glob, file);
  return meetsFile(
    posix.normalize(reference.glob).replace(/\/$/, '').split('/'),
    posix.normalize(file).split('/'),
    reference.recursive,
  );
}

/**
 * Whether a glob may match a file, or a folder above or below it. `**` matches any number of folders, as in zsh.
 * @param recursive whether the content of a matched folder is read too
 */
function meetsFile(wanted: readonly string[], actual: readonly string[], recursive: boolean): boolean {
  const last = wanted.at(-1) ?? '';
  const segments = isDeep(last) ? [...wanted, '*'] : wanted;
  let reached = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      if (isDeep(segment)) for (let deeper = at; deeper < actual.length; deeper += 1) next.add(deeper);
      else if (segmentsMayMeet(segment, actual[at] ?? '')) next.add(at + 1);
    }
    if (next.has(actual.length)) return true;
    reached = next;
  }
  return recursive && reached.size > 0;
}

function isDeep(segment: string): boolean {
  return /^\*{2,}$/.test(segment);
}

/** Whether a pattern that git expands may match a file, or a folder that contains it. */
function crossingMeets(glob: string, file: string): boolean {
  // `:(glob)**/x` also matches x itself: `**` may match no folder at all.
  const pattern = withoutLists(posix.normalize(glob), true).replace(/\/(?:\*\*\/)+/g, '/*');
  return globMatch(pattern, file) || globMatch(`${pattern}/*`, file);
}
