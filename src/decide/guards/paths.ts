/** The guard over a call's paths: writes to protected paths and reads of secrets, whatever the rules say. */
import type { RuleSet } from '../../rule/rule-set.js';
import type { PossibleValues } from '../flow/possible-values.js';
import { mayReferToGuardedPath, RUNTIME_ARGUMENT } from '../flow/unknown-paths.js';
import { guardRuling } from '../place/guard-ruling.js';
import { isWrite, type PathReference } from '../place/path-references.js';
import type { ResolvedPath } from '../place/paths.js';
import { absolutePath } from '../place/place.js';
import { protectedPath, secretPath } from '../place/sensitive-paths.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import { readRuling, treeRuling } from './reads.js';
import { globRuling, namedRuling, writeRuling } from './writes.js';

/**
 * Adds rulings that apply whatever the rules say: writes to protected paths, reads of secrets (docs/guarantees.md, 6, 7).
 * @param possible for a line that a rule allows as a whole, the values that its words may have: an unknown path then gives no
 * ruling by itself, only a value that the line itself gives it. Null for any other line.
 */
export function guardRulings(
  path: ResolvedPath,
  facts: Facts,
  except: RuleSet | null,
  possible: PossibleValues | null,
  into: Ruling[],
): void {
  if (path.real !== null && except !== null && except.coversPath('*', path.real).length > 0) return;
  const { reference } = path;
  const writes = isWrite(reference);
  const named = reference.glob !== null && (writes || reference.assumed) ? globRuling(reference.glob, reference, facts) : null;
  if (named !== null) {
    into.push(named);
    return;
  }
  if (path.locations.length === 0) {
    const ruling = (writes ? null : treeRuling(reference, facts)) ?? unknownRuling(reference, writes, possible, facts);
    if (ruling !== null) into.push(ruling);
    return;
  }
  if (reference.glob !== null && !reference.listing && possible?.widensPatterns())
    into.push(unknownPath(writes, `a shell option changes what ${reference.text} matches`, reference));
  if (writes && reference.glob !== null) return;
  let strictest: Ruling | null = null;
  for (const { absolute } of path.locations) {
    const ruling =
      (reference.glob === null && (writes || reference.assumed) ? writeRuling(absolute, reference, facts) : null) ??
      (writes ? null : readRuling(absolute, reference, facts));
    if (ruling !== null && (strictest === null || ruling.effect === 'deny')) strictest = ruling;
    if (ruling?.effect === 'deny') break;
  }
  if (strictest !== null) {
    into.push(strictest);
    return;
  }
  const tree = writes ? null : treeRuling(reference, facts);
  if (tree !== null) into.push(tree);
}

/**
 * The ruling on a path known only at run time, which may be any path; parts of its text that look protected or secret are taken literally.
 */
function unknownRuling(reference: PathReference, writes: boolean, possible: PossibleValues | null, facts: Facts): Ruling | null {
  if (reference.assumed || reference.listing) return null;
  for (const piece of reference.text.split(/[^\w./-]+/)) {
    if (piece === '') continue;
    const path = absolutePath(piece, facts.home, facts.project);
    if (writes && protectedPath(path, facts.home, facts.ownDirectories) !== null) {
      return guardRuling('ask', 'protected/unknown', `${reference.text} may be a protected path`, reference);
    }
    if (!writes && secretPath(path, facts.home) !== null) {
      return guardRuling('ask', 'secret/unknown', `${reference.text} may hold secrets`, reference);
    }
  }
  if (possible !== null) {
    const named = writes ? namedRuling(reference, facts) : null;
    if (named !== null) return named;
    if (reference.access === 'delete' && ABOVE.test(reference.text))
      return unknownPath(true, `deleting ${reference.text} in an unknown folder may delete the project`, reference);
    const message = mayReferToGuardedPath(reference.text, writes, possible, facts);
    return message === null ? null : unknownPath(writes, message, reference);
  }
  const where = RUNTIME_ARGUMENT.test(reference.text) ? 'which files it is given' : `where ${reference.text} leads`;
  return unknownPath(writes, `${where} is unknown, so it may ${writes ? 'be a protected path' : 'hold secrets'}`, reference);
}

/** `cd "$X" && rm -rf ..`: the parent of an unknown folder, with everything in it. */
const ABOVE = /^["']?\.\.(?:\/\.\.)*["']?(?:\/\.?\**)?["']?$/;

function unknownPath(writes: boolean, message: string, reference: PathReference): Ruling {
  return guardRuling('ask', writes ? 'protected/unknown' : 'secret/unknown', message, reference);
}
