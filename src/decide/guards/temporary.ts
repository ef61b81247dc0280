/** Files of temporary folders, which a preset may open to the agent: facts say what is proven of them (TemporaryFact). */

import type { PathReference } from '../place/path-references.js';
import { isInside, type ResolvedPath } from '../place/paths.js';
import type { Scope } from '../policy/scope.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts, PathFact } from '../ruling/facts.js';

/** A temporary folder of the machine, or on macOS of the user, at the beginning of a path: what a variable names may be any folder. */
export const TEMPORARY = /^(?:\/private)?\/(?:(?:var\/)?tmp|var\/folders\/[^/]+\/[^/]+\/T)(?=\/|$)/;

export const TEMPORARY_FILES: Ruling = {
  effect: 'allow',
  rule: null,
  reason: {
    code: 'preset/temporary',
    message: 'it only touches temporary files: such as everybody may read, and new ones or the own ones of the user',
  },
};

/** Whether the preset lets a path be used in this way, by what is known of it: read or written as data, neither run nor deleted. */
export function isTemporary({ reference }: ResolvedPath, { preset, facts }: Pick<Scope, 'preset' | 'facts'>): boolean {
  if (preset?.definition.temporary !== true) return false;
  const { key, glob, access, found, assumed, span } = reference;
  if (found || assumed || access === 'delete') return false;
  if (glob !== null)
    return isListedGlob(reference, facts) && facts.globs?.[glob]?.every((path) => permits(facts.paths[path], reference)) === true;
  // In a field of a tool it may be a pattern.
  return key !== null && (span !== null || !/[*?[{]/.test(key)) && permits(facts.paths[key], reference);
}

function permits(fact: PathFact | undefined, { access, listing, recursive }: PathReference): boolean {
  if (fact?.temporary === undefined) return false;
  const { reads, writes } = fact.temporary;
  if (access === 'write') return writes;
  // A folder that is missing may be filled by then.
  if (fact.kind !== 'directory') return listing || (reads && (!recursive || fact.kind === 'file'));
  return reads && listing && !(recursive && TEMPORARY.exec(fact.real)?.[0] === fact.real);
}

/** A pattern of files in temporary folders that are read: facts list what it stands for, which says more than a search of all that is there. */
export function isListedGlob({ glob, crossing, access, recursive }: PathReference, { project }: Pick<Facts, 'project'>): boolean {
  return glob !== null && !crossing && !recursive && access === 'read' && TEMPORARY.test(glob) && !isInside(glob, project);
}
