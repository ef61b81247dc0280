/** Resolves a call's paths to their targets, as far as the facts include them. */
import { locate, type PathLocation } from '../../rule/path/location.js';
import type { Facts } from '../ruling/facts.js';
import type { PathReference } from './path-references.js';

/** A reference with its facts. */
export interface ResolvedPath {
  readonly reference: PathReference;
  /** Its real target; null if the facts do not include it: then nothing about it is proven. */
  readonly real: PathLocation | null;
  /** The path as written and its real target, each once; empty if unknown. Ask and deny rules check all of them. */
  readonly locations: readonly PathLocation[];
  readonly inProject: boolean;
}

/** Looks a reference up in the facts. */
export function resolvePath(reference: PathReference, facts: Facts): ResolvedPath {
  const key = reference.key ?? reference.globRoot;
  if (key === null) return { reference, real: null, locations: [], inProject: false };
  const lexical = located(key, facts);
  // Keys begin with a slash, so they cannot collide with members of Object.prototype.
  const fact = facts.paths[key];
  if (fact === undefined) return { reference, real: null, locations: [lexical], inProject: false };
  const real = fact.real === lexical.absolute ? lexical : located(fact.real, facts);
  const locations = real === lexical ? [lexical] : [lexical, real];
  // A checkout inside the project: restrictive rules match its files by either path.
  if (facts.checkouts !== undefined && isInside(real.absolute, facts.project)) locations.push(locate(real.absolute, facts));
  if (reference.names !== null && fact.kind === 'directory')
    for (const name of reference.names) if (!/[*?[]/.test(name)) locations.push(located(`${real.absolute}/${name}`, facts));
  return {
    reference,
    real,
    locations,
    inProject: isOwn(real.absolute, facts),
  };
}

/** The location of a path relative to the top of its checkout. */
function located(path: string, facts: Facts): PathLocation {
  const plain = locate(path, facts);
  const top = facts.checkouts === undefined ? null : checkoutOf(plain.absolute, facts);
  return top === null || top === facts.project ? plain : locate(plain.absolute, { ...facts, project: top });
}

/** The innermost checkout of the project that contains a path; null outside all of them. */
export function checkoutOf(
  path: string,
  { project, checkouts = NO_CHECKOUTS }: Pick<Facts, 'project' | 'checkouts'>,
): string | null {
  let found = isInside(path, project) ? project : null;
  for (const top of checkouts) if (isInside(path, top) && top.length > (found?.length ?? 0)) found = top;
  return found;
}

const NO_CHECKOUTS: readonly string[] = [];

/** Whether a real path is in the project, in any of its checkouts. */
export function isOwn(path: string, facts: Pick<Facts, 'project' | 'checkouts'>): boolean {
  return isInside(path, facts.project) || (facts.checkouts !== undefined && checkoutOf(path, facts) !== null);
}

/** Whether a folder is or contains a checkout of the project. */
export function holdsProject(
  folder: string,
  { project, checkouts = NO_CHECKOUTS }: Pick<Facts, 'project' | 'checkouts'>,
): boolean {
  return isInside(project, folder) || checkouts.some((top) => isInside(top, folder));
}

const SLASH = 47;

/** True for the folder itself and everything below it. */
export function isInside(path: string, folder: string): boolean {
  if (path.length <= folder.length) return path === folder;
  return (path.charCodeAt(folder.length) === SLASH || folder.endsWith('/')) && path.startsWith(folder);
}
