/** Whether a read meets a file that may hold secrets: by its own name, or somewhere below a folder (docs/guarantees.md, 7). */
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
    return guardRuling('ask', 'secret/git-config', `${reference.text} holds a credential in a setting of git`, reference);
  // An `.npmrc` of settings that are all known: none of them is a token.
  if (reference.key !== null && facts.paths[reference.key]?.harmless === true) return null;
  const secret = secretPath(absolute, facts.home);
  return secret === null ? null : guardRuling('ask', 'secret/path', `${reference.text} may hold secrets (${secret})`, reference);
}

/** A reader of many files asks when one of them is a secret, or when nobody can say. */
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
    return guardRuling('ask', 'secret/unknown-tree', `${reference.text} may lead out of the project`, reference);
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
  const message = `${reference.text} is too large to know that it holds no secrets`;
  return guardRuling('ask', 'secret/unknown-tree', message, reference);
}

/** A pattern in a temporary folder, of which is known what it stands for: a secret, or what lies elsewhere behind a link. */
function listedRuling(reference: PathReference, { globs, home }: Facts): Ruling | null {
  const paths = globs?.[reference.glob ?? ''];
  if (paths === undefined || paths === null) return tooLarge(reference);
  const first = paths.find((path) => secretPath(path, home) !== null || !TEMPORARY.test(path));
  return first === undefined
    ? null
    : guardRuling('ask', 'secret/tree', `reads ${first}, which may hold secrets; leave it out`, reference);
}

/** Where a link in installed packages leads that a pattern stands for: out of the project, or to a secret. */
function ledOut(reference: PathReference, facts: Facts): string | undefined {
  const { glob, globRoot } = reference;
  if (glob === null || globRoot === null || !mayEnterPackages(reference)) return undefined;
  const below = `${globRoot}/`;
  return facts.globs?.[glob]?.find(
    (path) => !path.startsWith(below) && (!isInside(path, facts.project) || secretPath(path, facts.home) !== null),
  );
}

/** Whether the names that a search is told to read take in this file. */
function opens({ filter }: PathReference, tree: string, file: string, facts: Facts): boolean {
  if (!filter) return true;
  const path = posix.relative(posix.normalize(tree), file);
  if (!mayOpen(filter, path)) return false;
  // A link has another name than what it leads to.
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

/** True when a reader of many files may come across this one: below its folder, and where its glob leads. */
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
 * Whether a glob may stand for a file, or for a folder above or below it. `**` is any number of folders, as zsh reads it.
 * @param recursive what lies below a folder that it stands for is read too
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

/** Whether a pattern that git expands may stand for a file, or for a folder that holds it. */
function crossingMeets(glob: string, file: string): boolean {
  // `:(glob)**/x` also stands for x itself: any number of folders may be none.
  const pattern = withoutLists(posix.normalize(glob), true).replace(/\/(?:\*\*\/)+/g, '/*');
  return globMatch(pattern, file) || globMatch(`${pattern}/*`, file);
}
