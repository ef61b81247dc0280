/** Files in temporary folders, which a preset may open to the agent: facts contain what is proven about them (TemporaryFact). */

import type { PathReference } from '../place/path-references.js';
import { isInside, type ResolvedPath } from '../place/paths.js';
import type { Scope } from '../policy/scope.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts, PathFact } from '../ruling/facts.js';

/**
 * A temporary folder of the machine, or of the user on macOS, at the beginning of a path. Folders named by a variable are
 * excluded: they may be any folder.
 */
export const TEMPORARY = /^(?:\/private)?\/(?:(?:var\/)?tmp|var\/folders\/[^/]+\/[^/]+\/T)(?=\/|$)/;

export const TEMPORARY_FILES: Ruling = {
  effect: 'allow',
  rule: null,
  reason: {
    code: 'preset/temporary',
    message: 'it only reads temporary files that everybody may read, and only writes new ones or your own',
  },
};

/** Whether the preset and the facts allow this use of a path: reading or writing as data, not running or deleting. */
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
  // A missing folder may have content by the time the call runs.
  if (fact.kind !== 'directory') return listing || (reads && (!recursive || fact.kind === 'file'));
  return reads && listing && !(recursive && TEMPORARY.exec(fact.real)?.[0] === fact.real);
}

/** Whether a pattern reads files in temporary folders. Facts list its matches, which is more precise than a search of everything there. */
export function isListedGlob({ glob, crossing, access, recursive }: PathReference, { project }: Pick<Facts, 'project'>): boolean {
  return glob !== null && !crossing && !recursive && access === 'read' && TEMPORARY.test(glob) && !isInside(glob, project);
}
