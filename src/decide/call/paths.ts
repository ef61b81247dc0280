/** A call's paths: where they lead, as far as the facts say. */
import { locate, type PathLocation } from '../../rule/path/location.js';
import type { Facts } from '../facts.js';
import type { PathReference } from '../guards/path-references.js';

/** A reference with what the facts say of it. */
export interface ResolvedPath {
  readonly reference: PathReference;
  /** Where it really leads; null when the facts do not say: then nothing about it is proven. */
  readonly real: PathLocation | null;
  /** The path as written and where it really leads, each once; empty when unknowable. Ask and deny look at all of them. */
  readonly locations: readonly PathLocation[];
  readonly inProject: boolean;
}

/** Looks a reference up in the facts. */
export function resolvePath(reference: PathReference, facts: Facts): ResolvedPath {
  const key = reference.key ?? reference.globRoot;
  if (key === null) return { reference, real: null, locations: [], inProject: false };
  const lexical = locate(key, facts);
  // Keys start with a slash, so no member of Object.prototype can stand in for one.
  const fact = facts.paths[key];
  if (fact === undefined) return { reference, real: null, locations: [lexical], inProject: false };
  const real = fact.real === lexical.absolute ? lexical : locate(fact.real, facts);
  const locations = real === lexical ? [lexical] : [lexical, real];
  if (reference.names !== null && fact.kind === 'directory')
    for (const name of reference.names) if (!/[*?[]/.test(name)) locations.push(locate(`${real.absolute}/${name}`, facts));
  return {
    reference,
    real,
    locations,
    inProject: isInside(real.absolute, facts.project),
  };
}

const SLASH = 47;

/** True for the folder itself and everything below it. */
export function isInside(path: string, folder: string): boolean {
  if (path.length <= folder.length) return path === folder;
  return (path.charCodeAt(folder.length) === SLASH || folder.endsWith('/')) && path.startsWith(folder);
}
