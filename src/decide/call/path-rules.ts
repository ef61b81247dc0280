/** Which rules a call's paths meet: those that ask or deny, and the one that allows. */
import { posix } from 'node:path';
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import type { Facts } from '../facts.js';
import { isWrite, type PathReference } from '../guards/path-references.js';
import { secretPath, segmentsMayMeet } from '../guards/sensitive-paths.js';
import { type Ruling, rulingOfRule, uncertainRuling } from '../stages/combine.js';
import { isInside, type ResolvedPath } from './paths.js';

/** The canonical tool whose path rules speak for an access that a shell command makes. */
export function toolForAccess(reference: PathReference): string {
  return isWrite(reference) ? 'Write' : 'Read';
}

/**
 * Ask and deny rulings of path rules. Where only the shell knows the path, and where many files are read, a rule that may meet
 * one of them asks.
 */
export function pathRuleRulings(
  path: ResolvedPath,
  tool: string,
  rules: RuleSet,
  facts: Facts,
  matched: Set<CompiledRule>,
  into: Ruling[],
): void {
  for (const rule of rules.meetsPath(tool, path.locations)) {
    matched.add(rule);
    into.push(rulingOfRule(rule.rule));
  }
  const { reference } = path;
  if (reference.listing || (path.locations.length > 0 && reference.globRoot === null && !reference.recursive)) return;
  for (const rule of rules.patterned(tool)) {
    if (rule.rule.effect === 'allow' || !mayReach(path, rule.rule.pattern ?? '', facts)) continue;
    matched.add(rule);
    into.push(uncertainRuling(rule.rule));
  }
}

/** True when something below (or matched by) a reference may be what a pattern names; unknowable places reach everything. */
function mayReach({ reference, locations }: ResolvedPath, pattern: string, facts: Facts): boolean {
  const place = locations[0];
  if (place === undefined || facts.checkouts?.some((top) => isInside(top, place.absolute)) === true) return true;
  const named = pattern.replace(/^\.?\/(?!\/)/, '').split('/');
  const glob = reference.glob === null ? [] : posix.normalize(reference.glob).split('/');
  if (named.length === 1) return mayHold(named[0] ?? '', reference, glob, facts);
  if (place.project === null || /^(?:\/\/|~)/.test(pattern)) return isInside(pattern.replace(/^\/\//, '/'), place.absolute);
  const folder = place.project === '' ? [] : place.project.split('/');
  // Below a folder that git searches, its pattern may stand for anything.
  const behind = reference.crossing && reference.recursive ? [] : glob.slice(place.absolute.split('/').length);
  return [...folder, ...behind].every((segment, at) => {
    const other = named[at];
    return other === undefined || other.includes('*') || other.includes('?') || segmentsMayMeet(segment, other);
  });
}

/** A pattern without folders names files at any depth: does a reader of many files come across one? */
function mayHold(name: string, reference: PathReference, glob: readonly string[], facts: Facts): boolean {
  const last = glob.at(-1) ?? '';
  if (!reference.recursive) return endAlike(last, name) && (reference.crossing || segmentsMayMeet(last, name));
  // Secret names were searched for, and the guard speaks of what was found; a deleted folder is judged by its own name.
  return reference.access === 'read' && secretPath(`/${name.replaceAll('*', 'x')}`, facts.home) === null;
}

/** False when the certain ends of two patterns differ: `*.md` never is what `*.pem` names. */
function endAlike(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => /[^*?\]]*$/.exec(text)?.[0] ?? '');
  return (one ?? '').endsWith(other ?? '') || (other ?? '').endsWith(one ?? '');
}

/** The rule that allows this access to the place where the path really leads; null when none does. */
export function pathAllowance(path: ResolvedPath, tool: string, rules: RuleSet, matched: Set<CompiledRule>): CompiledRule | null {
  if (path.real === null || path.reference.globRoot !== null) return null;
  const covering = rules.coversPath(tool, path.real);
  for (const rule of covering) matched.add(rule);
  return covering[0] ?? null;
}
