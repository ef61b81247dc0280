/** What a call's paths mean for its decision: where they lead, what protects them, and which rules they meet. */
import { posix } from 'node:path';
import { locate, type PathLocation } from '../rule/path-location.js';
import type { CompiledRule, RuleSet } from '../rule/rule-set.js';
import type { PathReference } from './analysis.js';
import { treeOf } from './analysis.js';
import { type Claim, ruleClaim } from './claim.js';
import type { Facts } from './facts.js';
import { protectedPath, secretPath } from './sensitive-paths.js';

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
  const fact = Object.hasOwn(facts.paths, key) ? facts.paths[key] : undefined;
  if (fact === undefined) return { reference, real: null, locations: [lexical], inProject: false };
  const real = fact.real === lexical.absolute ? lexical : locate(fact.real, facts);
  return {
    reference,
    real,
    locations: real === lexical ? [lexical] : [lexical, real],
    inProject: isInside(real.absolute, facts.project),
  };
}

/** True for the folder itself and everything below it. */
export function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith('/') || path.charAt(folder.length) === '/';
}

/** Claims that hold whatever the rules say: writes to protected paths, reads of secrets (design "Keeping the gate" 6, 7). */
export function guardClaims(path: ResolvedPath, facts: Facts, except: RuleSet | null, into: Claim[]): void {
  if (path.real !== null && except !== null && except.coversPath('*', path.real).length > 0) return;
  const { reference } = path;
  const writes = reference.access === 'write' || reference.access === 'delete';
  for (const { absolute } of path.locations) {
    const claim =
      (writes || reference.assumed ? writeClaim(absolute, reference, facts) : null) ??
      (writes ? null : readClaim(absolute, reference, facts));
    if (claim === null) continue;
    into.push(claim);
    return;
  }
  const tree = writes ? null : treeClaim(reference, facts);
  if (tree !== null) into.push(tree);
}

function writeClaim(absolute: string, reference: PathReference, facts: Facts): Claim | null {
  const hit = protectedPath(absolute, facts.home, facts.ownDirectories);
  if (hit === null) return null;
  const effect = reference.assumed ? 'ask' : hit.effect;
  return guardClaim(
    effect,
    'protected/path',
    `writing ${reference.text} is ${effect === 'deny' ? 'blocked' : 'asked'}: ${hit.pattern} is protected`,
    reference,
  );
}

function readClaim(absolute: string, reference: PathReference, facts: Facts): Claim | null {
  if (reference.listing || reference.globRoot !== null) return null;
  const secret = secretPath(absolute, facts.home);
  return secret === null ? null : guardClaim('ask', 'secret/path', `${reference.text} may hold secrets (${secret})`, reference);
}

/** A reader of many files asks when one of them is a secret, or when nobody can say. */
function treeClaim(reference: PathReference, facts: Facts): Claim | null {
  const tree = treeOf(reference);
  if (tree === null) return null;
  const found = Object.hasOwn(facts.secretTrees, tree) ? facts.secretTrees[tree] : null;
  if (found === null || found === undefined) {
    return guardClaim('ask', 'secret/unknown-tree', `${reference.text} is too large to know that it holds no secrets`, reference);
  }
  const first = reference.skipsHidden ? found.find((file) => !isHidden(file, tree)) : found[0];
  if (first === undefined) return null;
  const shown = posix.relative(posix.normalize(tree), first);
  const advice = `leave it out (for example --exclude=${posix.basename(first)})`;
  return guardClaim('ask', 'secret/tree', `reads ${shown}, which may hold secrets; ${advice}`, reference);
}

function guardClaim(effect: 'deny' | 'ask', code: string, message: string, { span }: PathReference): Claim {
  return { effect, rule: null, reason: span === null ? { code, message } : { code, message, span } };
}

function isHidden(file: string, tree: string): boolean {
  const segments = posix.relative(posix.normalize(tree), file).split('/');
  return segments.some((segment) => segment.startsWith('.') && segment !== '..' && segment !== '.');
}

/** The canonical tool whose path rules speak for an access that a shell command makes. */
export function toolForAccess(reference: PathReference): string {
  return reference.access === 'read' || reference.access === 'search' ? 'Read' : 'Write';
}

/** Ask and deny claims of path rules; a glob meets them through the folder it stands for. */
export function pathRuleClaims(
  path: ResolvedPath,
  tool: string,
  rules: RuleSet,
  matched: Set<CompiledRule>,
  into: Claim[],
): void {
  for (const rule of rules.meetsPath(tool, path.locations)) {
    matched.add(rule);
    into.push(ruleClaim(rule.rule));
  }
}

/** The rule that allows this access to the place where the path really leads; null when none does. */
export function pathAllowance(path: ResolvedPath, tool: string, rules: RuleSet, matched: Set<CompiledRule>): CompiledRule | null {
  if (path.real === null || path.reference.globRoot !== null) return null;
  const covering = rules.coversPath(tool, path.real);
  for (const rule of covering) matched.add(rule);
  return covering[0] ?? null;
}
