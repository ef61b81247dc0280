/** What a call's paths mean for its decision: where they lead, what protects them, and which rules they meet. */
import { posix } from 'node:path';
import { locate, type PathLocation } from '../rule/path-location.js';
import type { CompiledRule, RuleSet } from '../rule/rule-set.js';
import { globMatch, withoutLists } from '../rule/wildcard.js';
import { type Claim, ruleClaim, uncertainClaim } from './claim.js';
import type { Facts } from './facts.js';
import type { PathReference } from './path-references.js';
import { treeOf } from './path-references.js';
import { protectedBelow, protectedGlob, protectedPath, secretPath, segmentsMayMeet } from './sensitive-paths.js';

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
    for (const name of reference.names) locations.push(locate(`${real.absolute}/${name}`, facts));
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

/**
 * Claims that hold whatever the rules say: writes to protected paths, reads of secrets (design "Keeping the gate" 6, 7).
 * `unseen`: a total rule lets the line run unseen, so a path that nobody can know is no claim by itself.
 */
export function guardClaims(path: ResolvedPath, facts: Facts, except: RuleSet | null, unseen: boolean, into: Claim[]): void {
  if (path.real !== null && except !== null && except.coversPath('*', path.real).length > 0) return;
  const { reference } = path;
  const writes = reference.access === 'write' || reference.access === 'delete';
  if (path.locations.length === 0) {
    const claim = unknownClaim(reference, writes, unseen, facts);
    if (claim !== null) into.push(claim);
    return;
  }
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

/** The words that stand for what xargs and `find -exec` hand on. */
const GIVEN = /^(?:\u2026|\{\})$/;

/** A path that only the shell knows: it may be any; what its text shows of a protected or secret name is taken at its word. */
function unknownClaim(reference: PathReference, writes: boolean, unseen: boolean, facts: Facts): Claim | null {
  if (reference.assumed || reference.listing) return null;
  for (const piece of reference.text.split(/[^\w./-]+/)) {
    if (piece === '') continue;
    const path = piece.startsWith('/') ? piece : `${facts.project}/${piece}`;
    if (writes && protectedPath(path, facts.home, facts.ownDirectories) !== null) {
      return guardClaim('ask', 'protected/unknown', `${reference.text} may be a protected path`, reference);
    }
    if (!writes && secretPath(path, facts.home) !== null) {
      return guardClaim('ask', 'secret/unknown', `${reference.text} may hold secrets`, reference);
    }
  }
  if (unseen) return null;
  const where = GIVEN.test(reference.text) ? 'which files it is given' : `where ${reference.text} leads`;
  return writes
    ? guardClaim('ask', 'protected/unknown', `${where} cannot be told, so it may be a protected path`, reference)
    : guardClaim('ask', 'secret/unknown', `${where} cannot be told, so it may hold secrets`, reference);
}

function writeClaim(absolute: string, reference: PathReference, facts: Facts): Claim | null {
  const hit =
    reference.glob === null
      ? protectedPath(absolute, facts.home, facts.ownDirectories)
      : protectedGlob(reference.glob, facts.home);
  if (hit === null) {
    if (replaces(absolute, reference, facts)) return folderClaim(absolute, reference, facts);
    return fills(reference, facts) ? fillClaim(absolute, reference, facts) : null;
  }
  const effect = reference.assumed ? 'ask' : hit.effect;
  const what = effect === 'deny' ? 'is blocked' : 'asks';
  return guardClaim(
    effect,
    'protected/path',
    `${reference.access === 'delete' ? 'deleting' : 'writing'} ${reference.text} ${what}: ${hit.pattern} is protected`,
    reference,
  );
}

/** Whether what lies at a path is gone afterwards with all that is below it: deleted, or something else put in its place. */
function replaces(absolute: string, { access, names, key }: PathReference, facts: Facts): boolean {
  if (access === 'delete') return true;
  const fact = names === null || key === null ? undefined : facts.paths[key];
  if (fact === undefined) return false;
  const isFolder = fact.kind === 'directory' && (absolute === fact.real || absolute === posix.normalize(key ?? ''));
  return !isFolder;
}

/** Whether files of unknown names are put into a folder that is there (`tar -C`, `unzip -d`, `cp -r x/.`). */
function fills({ access, names, key }: PathReference, facts: Facts): boolean {
  const areUnknown = names === null || names.length === 0;
  return access === 'write' && areUnknown && key !== null && facts.paths[key]?.kind === 'directory';
}

/** `tar xf x -C ~`: one of them may be a protected one. */
function fillClaim(absolute: string, reference: PathReference, facts: Facts): Claim | null {
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories);
  if (held === null) return null;
  const message = `what is put into ${reference.text} may replace ${held.pattern}, which is protected`;
  return guardClaim('ask', 'protected/folder', message, reference);
}

/** `rm -r .`, `mv x .claude`: with a folder goes (or comes) what is protected below it. */
function folderClaim(absolute: string, reference: PathReference, facts: Facts): Claim | null {
  if (reference.glob !== null) return null;
  const verb = reference.access === 'delete' ? 'deleting' : 'replacing';
  if (isInside(facts.project, absolute)) {
    const message = `${verb} ${reference.text} can take the whole project and its .git with it`;
    return guardClaim('ask', 'protected/project', message, reference);
  }
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories);
  if (held === null) return null;
  const what = held.effect === 'deny' ? 'is blocked' : 'asks';
  const message = `${verb} ${reference.text} ${what}: ${held.pattern}, which is protected, lies below it`;
  return guardClaim(held.effect, 'protected/folder', message, reference);
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
  const first = found.find((file) => mayRead(reference, file));
  if (first === undefined) return null;
  const shown = posix.relative(posix.normalize(tree), first);
  return guardClaim('ask', 'secret/tree', `reads ${shown}, which may hold secrets; leave it out`, reference);
}

/** True when a reader of many files may come across this one: below its folder, and where its glob leads. */
function mayRead(reference: PathReference, file: string): boolean {
  if (reference.glob === null) return true;
  if (reference.crossing) return crossingMeets(reference.glob, file);
  return meetsFile(posix.normalize(reference.glob).split('/'), posix.normalize(file).split('/'), reference.recursive);
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
  const pattern = withoutLists(posix.normalize(glob), true);
  return globMatch(pattern, file) || globMatch(`${pattern}/*`, file);
}

function guardClaim(effect: 'deny' | 'ask', code: string, message: string, { span }: PathReference): Claim {
  return { effect, rule: null, reason: span === null ? { code, message } : { code, message, span } };
}

/** The canonical tool whose path rules speak for an access that a shell command makes. */
export function toolForAccess(reference: PathReference): string {
  return reference.access === 'write' || reference.access === 'delete' ? 'Write' : 'Read';
}

/**
 * Ask and deny claims of path rules. Where only the shell knows the path, and where many files are read, a rule that may meet
 * one of them asks.
 */
export function pathRuleClaims(
  path: ResolvedPath,
  tool: string,
  rules: RuleSet,
  facts: Facts,
  matched: Set<CompiledRule>,
  into: Claim[],
): void {
  for (const rule of rules.meetsPath(tool, path.locations)) {
    matched.add(rule);
    into.push(ruleClaim(rule.rule));
  }
  const { reference } = path;
  if (reference.listing || (path.locations.length > 0 && reference.globRoot === null && !reference.recursive)) return;
  for (const rule of rules.patterned(tool)) {
    if (rule.rule.effect === 'allow' || !mayReach(path, rule.rule.pattern ?? '', facts)) continue;
    matched.add(rule);
    into.push(uncertainClaim(rule.rule));
  }
}

/** True when something below (or matched by) a reference may be what a pattern names; unknowable places reach everything. */
function mayReach({ reference, locations }: ResolvedPath, pattern: string, facts: Facts): boolean {
  const place = locations[0];
  if (place === undefined) return true;
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
