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
  /** The path as written, made absolute and collapsed; null when unknowable. */
  readonly lexical: PathLocation | null;
  /** Where it really leads; null when the facts do not say: then nothing about it is proven. */
  readonly real: PathLocation | null;
  readonly inProject: boolean;
}

/** Looks a reference up in the facts. */
export function resolvePath(reference: PathReference, facts: Facts): ResolvedPath {
  const key = reference.key ?? reference.globRoot;
  if (key === null) return { reference, lexical: null, real: null, inProject: false };
  const lexical = locate(posix.normalize(key), facts);
  const fact = Object.hasOwn(facts.paths, key) ? facts.paths[key] : undefined;
  const real = fact === undefined ? null : locate(fact.real, facts);
  return { reference, lexical, real, inProject: real !== null && isInside(real.absolute, facts.project) };
}

/** True for the folder itself and everything below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function locationsOf(path: ResolvedPath): PathLocation[] {
  return [path.lexical, path.real].flatMap((location) => location ?? []);
}

/** Claims that hold whatever the rules say: writes to protected paths, reads of secrets (design "Keeping the gate" 6, 7). */
export function guardClaims(path: ResolvedPath, facts: Facts, except: RuleSet | null): Claim[] {
  const { reference } = path;
  const claims: Claim[] = [];
  const spanned = reference.span === null ? {} : { span: reference.span };
  if (path.real !== null && except !== null && except.coversPath('*', path.real).length > 0) return claims;
  for (const { absolute } of locationsOf(path)) {
    if (reference.access === 'write' || reference.access === 'delete' || reference.assumed) {
      const hit = protectedPath(absolute, facts.home, facts.ownDirectories);
      if (hit !== null) {
        const effect = reference.assumed ? 'ask' : hit.effect;
        return [
          {
            effect,
            rule: null,
            reason: {
              code: 'protected/path',
              message: `writing ${reference.text} is ${effect === 'deny' ? 'blocked' : 'asked'}: ${hit.pattern} is protected`,
              ...spanned,
            },
          },
        ];
      }
    }
    if (reference.access !== 'write' && reference.access !== 'delete' && !reference.listing) {
      const secret = reference.globRoot === null ? secretPath(absolute, facts.home) : null;
      if (secret !== null) {
        return [
          {
            effect: 'ask',
            rule: null,
            reason: { code: 'secret/path', message: `${reference.text} may hold secrets (${secret})`, ...spanned },
          },
        ];
      }
    }
  }
  const tree = treeClaim(path, facts);
  if (tree) claims.push(tree);
  return claims;
}

/** A reader of many files asks when one of them is a secret, or when nobody can say. */
function treeClaim(path: ResolvedPath, facts: Facts): Claim | null {
  const tree = treeOf(path.reference);
  if (tree === null) return null;
  const found = Object.hasOwn(facts.secretTrees, tree) ? facts.secretTrees[tree] : null;
  const spanned = path.reference.span === null ? {} : { span: path.reference.span };
  if (found === null || found === undefined) {
    return {
      effect: 'ask',
      rule: null,
      reason: {
        code: 'secret/unknown-tree',
        message: `${path.reference.text} is too large to know that it holds no secrets`,
        ...spanned,
      },
    };
  }
  const visible = path.reference.skipsHidden ? found.filter((file) => !isHidden(file, tree)) : found;
  const first = visible[0];
  if (first === undefined) return null;
  const shown = posix.relative(posix.normalize(tree), first);
  return {
    effect: 'ask',
    rule: null,
    reason: {
      code: 'secret/tree',
      message: `reads ${shown}, which may hold secrets; leave it out (for example --exclude=${posix.basename(first)})`,
      ...spanned,
    },
  };
}

function isHidden(file: string, tree: string): boolean {
  return posix
    .relative(posix.normalize(tree), file)
    .split('/')
    .some((segment) => segment.startsWith('.') && segment !== '..' && segment !== '.');
}

/** The canonical tool whose path rules speak for an access that a shell command makes. */
export function toolForAccess(reference: PathReference): string {
  return reference.access === 'read' || reference.access === 'search' ? 'Read' : 'Write';
}

/** Ask and deny claims of path rules; a glob meets them through the folder it stands for. */
export function pathRuleClaims(path: ResolvedPath, tool: string, rules: RuleSet, matched: Set<CompiledRule>): Claim[] {
  const claims: Claim[] = [];
  for (const rule of rules.meetsPath(tool, locationsOf(path))) {
    matched.add(rule);
    claims.push(ruleClaim(rule.rule));
  }
  return claims;
}

/** The rule that allows this access to the place where the path really leads; null when none does. */
export function pathAllowance(path: ResolvedPath, tool: string, rules: RuleSet, matched: Set<CompiledRule>): CompiledRule | null {
  if (path.real === null || path.reference.globRoot !== null) return null;
  const covering = rules.coversPath(tool, path.real);
  for (const rule of covering) matched.add(rule);
  return covering[0] ?? null;
}
