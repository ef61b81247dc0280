/** The rules that match a call's paths: those that ask or deny, and the one that allows. */
import { posix } from 'node:path';
import { segmentsOf } from '../../rule/path/location.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import { holdingRuling, type Ruling, rulingOfRule, uncertainRuling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import { isWrite, type PathReference } from './path-references.js';
import { checkoutOf, isInside, type ResolvedPath } from './paths.js';
import { secretPath, segmentsMayMeet } from './sensitive-paths.js';

/** The canonical tool whose path rules apply to an access by a shell command. */
export function toolForAccess(reference: PathReference): string {
  return isWrite(reference) ? 'Write' : 'Read';
}

/**
 * Adds ask and deny rulings from path rules. If the path is known only at run time, or many files are read, a rule that may match
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
    if (rule.rule.effect === 'allow' || isOfOthers(rule.rule, reference) || !mayReach(path, rule.rule, facts)) continue;
    matched.add(rule);
    into.push(reference.rewrites === undefined ? uncertainRuling(rule.rule) : holdingRuling(rule.rule, reference.text));
  }
}

/** Whether a rule is about an extension that a formatter does not change. */
function isOfOthers({ pattern }: PermissionRule, { rewrites }: PathReference): boolean {
  const [, ending] = /\.([A-Za-z0-9]+)$/.exec(pattern ?? '') ?? [];
  return rewrites !== undefined && ending !== undefined && !rewrites.includes(ending);
}

/** True if something below or matched by a reference may be what a rule names; an unknown place may be anything. */
function mayReach({ reference, locations }: ResolvedPath, rule: PermissionRule, facts: Facts): boolean {
  const place = locations[0];
  if (place === undefined || facts.checkouts?.some((top) => isInside(top, place.absolute)) === true) return true;
  const pattern = rule.pattern ?? '';
  const glob = reference.glob === null ? [] : posix.normalize(reference.glob).split('/');
  const named = segmentsOf(pattern.replace(/^~(?=\/|$)/, facts.home)).filter((name) => name !== '.');
  const outright = /^(?:\/|~)/.test(pattern);
  if (named.length === 1 && !outright && mayHold(named[0] ?? '', reference, glob, facts)) return true;
  // Below a folder that git searches, its pattern may match anything.
  const behind = reference.crossing && reference.recursive ? [] : glob.slice(place.absolute.split('/').length);
  if (/^(?:\/\/|~)/.test(pattern)) return mayMeet([...segmentsOf(place.absolute), ...behind], named);
  if (outright && place.project === null) return reference.recursive && isInside(facts.project, place.absolute);
  const names = [...segmentsOf(place.project ?? place.absolute), ...behind];
  if (outright) return mayMeet(names, named);
  const seen = place.project === null ? place.absolute : posix.join(facts.project, place.project);
  // A relative pattern matches at any depth: at a named segment, or at the folder it was written for if everything in that is
  // read or removed.
  if (named.length > 1 && reference.recursive && isInside(homeOf(rule, facts), seen)) return true;
  const starts = named.length > 1 || reference.recursive ? names : names.slice(0, -1);
  return !isWildcard(named[0] ?? '') || named.length > 1 ? starts.some((_, at) => mayMeet(names.slice(at), named)) : false;
}

/** Whether segments, some with wildcards, may lead to, into or towards what a pattern names. */
function mayMeet(names: readonly string[], named: readonly string[]): boolean {
  for (const [at, name] of names.entries()) {
    const other = named[at];
    if (other === undefined || other === '**') return true;
    if (!/[?[{\\]/.test(other) && !segmentsMayMeet(name, other)) return false;
  }
  return true;
}

function isWildcard(name: string): boolean {
  return /[*?[{]/.test(name);
}

/**
 * The folder that a rule is most likely about, relative to the project: the folder of the package whose policy contains it,
 * otherwise the project.
 */
function homeOf({ layer, source: { file } }: PermissionRule, facts: Facts): string {
  if (layer !== 'project' && layer !== 'local') return facts.project;
  const folder = posix.dirname(posix.resolve(facts.project, file));
  const top = checkoutOf(folder, facts);
  return top === null ? facts.project : posix.join(facts.project, posix.relative(top, folder));
}

/** A pattern without folders matches files at any depth: whether a command that reads many files may reach one. */
function mayHold(name: string, reference: PathReference, glob: readonly string[], facts: Facts): boolean {
  const last = glob.at(-1) ?? '';
  if (!reference.recursive) return endAlike(last, name) && (reference.crossing || segmentsMayMeet(last, name));
  // Secret names are searched for separately, and the guard reports them; a deleted folder is judged by its own name.
  return (
    (reference.access === 'read' || reference.rewrites !== undefined) &&
    secretPath(`/${name.replaceAll('*', 'x')}`, facts.home) === null
  );
}

/** False if the literal endings of two patterns differ: `*.md` never matches what `*.pem` names. */
function endAlike(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => /[^*?\]]*$/.exec(text)?.[0] ?? '');
  return (one ?? '').endsWith(other ?? '') || (other ?? '').endsWith(one ?? '');
}

/** The rule that allows this access to the real target of the path; null if there is none. */
export function pathAllowance(path: ResolvedPath, tool: string, rules: RuleSet, matched: Set<CompiledRule>): CompiledRule | null {
  if (path.real === null || path.reference.globRoot !== null) return null;
  const covering = rules.coversPath(tool, path.real);
  for (const rule of covering) matched.add(rule);
  return covering[0] ?? null;
}
