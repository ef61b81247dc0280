/** What protects a call's paths: writes to protected places and reads of secrets, whatever the rules say. */
import { posix } from 'node:path';
import type { RuleSet } from '../../rule/rule-set.js';
import { globMatch, withoutLists } from '../../rule/wildcard.js';
import { isInside, type ResolvedPath } from '../call/paths.js';
import { absolutePath } from '../call/place.js';
import type { Facts } from '../facts.js';
import { cwdPaths } from '../flow/cwd-paths.js';
import { listedWords } from '../flow/listings.js';
import { withoutTrail } from '../flow/possible-paths.js';
import type { PossibleValues } from '../flow/possible-values.js';
import { mayReferToGuardedPath, RUNTIME_ARGUMENT } from '../flow/unknown-paths.js';
import type { Ruling } from '../stages/combine.js';
import { isPassedOver, mayOpen } from './file-name-filters.js';
import { entersPackages, followsLinks, isWrite, type PathReference, treeOf } from './path-references.js';
import { protectedGlob } from './protected-glob.js';
import { renewable } from './reinstallable.js';
import { type Protection, protectedBelow, protectedPath, secretPath, segmentsMayMeet } from './sensitive-paths.js';

/**
 * Rulings that hold whatever the rules say: writes to protected paths, reads of secrets (docs/guarantees.md, 6, 7).
 * `said`: a total rule lets the line run unseen, so a path that nobody can know is no ruling by itself, but what the line says of it is.
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
    into.push(unknownPath(writes, `an option of the shell lets ${reference.text} stand for more`, reference));
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

/** A path that only the shell knows: it may be any; what its text shows of a protected or secret name is taken at its word. */
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
      return unknownPath(true, `deleting ${reference.text} of a folder that cannot be told may take the project`, reference);
    const message = mayReferToGuardedPath(reference.text, writes, possible, facts);
    return message === null ? null : unknownPath(writes, message, reference);
  }
  const where = RUNTIME_ARGUMENT.test(reference.text) ? 'which files it is given' : `where ${reference.text} leads`;
  return unknownPath(writes, `${where} cannot be told, so it may ${writes ? 'be a protected path' : 'hold secrets'}`, reference);
}

/** `cd "$X" && rm -rf ..`: all that a folder lies in. */
const ABOVE = /^["']?\.\.(?:\/\.\.)*["']?(?:\/\.?\**)?["']?$/;

/** `rm -rf "$(dirname "$PWD")"`, `rm -rf $(ls)`: what the text names by way of the folder that it stands in, as if it were written out. */
function namedRuling(reference: PathReference, facts: Facts): Ruling | null {
  const from = reference.from ?? null;
  const named = cwdPaths(reference.text, from, facts);
  // Of names that are listed without what lies below them only a recursive deletion takes all.
  const isWhole = from !== null && (reference.recursive || /\bfind\s/.test(reference.text));
  const listed = named.length === 0 && isWhole ? listedWords(reference.text, { home: facts.home, directory: from }) : [];
  for (const path of [...named, ...listed.map((word) => absolutePath(word, facts.home, from ?? ''))]) {
    const whole = withoutTrail(path, true);
    const hit = /[*?[]/.test(whole) ? protectedGlob(whole, facts, true, reference.access === 'delete') : null;
    const ruling = hit === null ? writeRuling(whole, reference, facts) : protectionRuling(hit, reference);
    if (ruling !== null) return ruling;
  }
  return null;
}

function unknownPath(writes: boolean, message: string, reference: PathReference): Ruling {
  return guardRuling('ask', writes ? 'protected/unknown' : 'secret/unknown', message, reference);
}

/** What a glob may stand for, by its text, and each path that it stands for now: the strictest ruling counts. */
function globRuling(glob: string, reference: PathReference, facts: Facts): Ruling | null {
  const listed = facts.globs !== undefined && Object.hasOwn(facts.globs, glob) ? (facts.globs[glob] ?? null) : null;
  const rulings = (listed ?? []).map((path) => writeRuling(path, reference, facts));
  const hit = lastingGlob(glob, reference, listed !== null, facts);
  if (hit !== null) rulings.push(protectionRuling(unsure(hit, glob, listed !== null || reference.crossing, facts), reference));
  // `rm -rf *`: all that is seen of the project, whatever is in it now.
  const whole = reference.access === 'delete' && reference.recursive ? withoutTrail(glob, true) : glob;
  if (whole !== glob && isInside(facts.project, whole)) rulings.push(folderRuling(whole, reference, facts));
  return rulings.find((ruling) => ruling?.effect === 'deny') ?? rulings.find((ruling) => ruling !== null) ?? null;
}

/**
 * A pattern whose text may stand for a protected file, and does not as far as was seen: a question.
 * @param seen what it stands for now was looked up, or git expands it, to files of its own
 */
function unsure(hit: Protection, glob: string, seen: boolean, facts: Facts): Protection {
  if (!seen || hit.effect === 'ask') return hit;
  const start = protectedPath(glob.slice(0, Math.max(1, glob.search(/[*?[]/))), facts.home, facts.ownDirectories);
  return start?.effect === 'deny' ? hit : { ...hit, effect: 'ask' };
}

/** The protection of a glob, but for what may be taken away. */
function lastingGlob(glob: string, reference: PathReference, listed: boolean, facts: Facts): Protection | null {
  const deleted = reference.access === 'delete';
  const hit = protectedGlob(glob, facts, listed, deleted);
  if (hit === null || renewable(glob, reference, hit, facts) === null) return hit;
  return protectedGlob(glob, facts, listed, deleted, hit.pattern);
}

function writeRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const hit = protectedPath(absolute, facts.home, facts.ownDirectories);
  if (hit !== null && renewable(absolute, reference, hit, facts) === null) return protectionRuling(hit, reference);
  if (!reference.assumed && facts.hookPrograms?.includes(posix.normalize(absolute)))
    return protectionRuling({ effect: 'deny', pattern: `${absolute}, by which the hook is started,` }, reference);
  // Which names were found below it is not known, and most of them are nobody's concern.
  if (reference.found) return null;
  if (replaces(absolute, reference, facts)) return takesLeftovers(reference) ? null : folderRuling(absolute, reference, facts);
  return fills(reference, facts) ? fillRuling(absolute, reference, facts) : null;
}

function protectionRuling({ effect: written, pattern }: Protection, reference: PathReference): Ruling {
  const effect = reference.assumed ? 'ask' : written;
  const verb = reference.access === 'delete' ? 'deleting' : 'writing';
  const wayOut =
    reference.glob === null ? '' : ', and the pattern may stand for it; write a narrower one, or the names themselves';
  const message = `${verb} ${reference.text} ${effect === 'deny' ? 'is blocked' : 'asks'}: ${pattern} is protected${wayOut}`;
  return guardRuling(effect, 'protected/path', message, reference);
}

/** `find . -name '*.orig' -delete`: of what lies below a folder only that goes which programs leave behind and make anew. */
function takesLeftovers({ filter }: PathReference): boolean {
  return filter?.endings?.every((ending) => LEFTOVERS.has(ending)) === true;
}

const LEFTOVERS: ReadonlySet<string> = new Set(
  '.bak .class .gcda .gcno .log .o .obj .orig .pyc .pyo .rej .swo .swp .tmp .tsbuildinfo'.split(' '),
);

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
  const areUnknown = names === null || names.length === 0 || names.some((name) => /[*?[]/.test(name));
  return access === 'write' && areUnknown && key !== null && facts.paths[key]?.kind === 'directory';
}

/** `tar xf x -C ~`, `cp -r x/. .`: one of them may be a protected one. */
function fillRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories) ?? copiedOver(absolute, reference, facts);
  if (held === null) return null;
  const message = `what is put into ${reference.text} may replace ${held.pattern}, which is protected`;
  return guardRuling('ask', 'protected/folder', message, reference);
}

/** What is protected at the top of the project, where files of any name, or of a pattern of names, are copied to. */
function copiedOver(absolute: string, { names }: PathReference, facts: Facts): Protection | null {
  if (names === null || absolute !== facts.project) return null;
  for (const name of names.length === 0 ? ['.*'] : names) {
    const hit = /[*?[]/.test(name) ? protectedGlob(`${absolute}/${name}`, facts, false, true) : null;
    if (hit !== null) return hit;
  }
  return null;
}

/** `rm -r .`, `mv x .claude`: with a folder goes (or comes) what is protected below it. */
function folderRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const verb = reference.access === 'delete' ? 'deleting' : 'replacing';
  if (isInside(facts.project, absolute)) {
    const message = `${verb} ${reference.text} can take the whole project and its .git with it`;
    return guardRuling('ask', 'protected/project', message, reference);
  }
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories);
  if (held === null) return null;
  const what = held.effect === 'deny' ? 'is blocked' : 'asks';
  const message = `${verb} ${reference.text} ${what}: ${held.pattern}, which is protected, lies below it`;
  return guardRuling(held.effect, 'protected/folder', message, reference);
}

function readRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  if (reference.listing || reference.globRoot !== null) return null;
  if (reference.key !== null && facts.paths[reference.key]?.credential === true)
    return guardRuling('ask', 'secret/git-config', `${reference.text} holds a credential in a setting of git`, reference);
  // An `.npmrc` of settings that are all known: none of them is a token.
  if (reference.key !== null && facts.paths[reference.key]?.harmless === true) return null;
  const secret = secretPath(absolute, facts.home);
  return secret === null ? null : guardRuling('ask', 'secret/path', `${reference.text} may hold secrets (${secret})`, reference);
}

/** A reader of many files asks when one of them is a secret, or when nobody can say. */
function treeRuling(reference: PathReference, facts: Facts): Ruling | null {
  const tree = treeOf(reference);
  if (tree === null) return null;
  const found = Object.hasOwn(facts.secretTrees, tree) ? facts.secretTrees[tree] : null;
  if (found === null || found === undefined) {
    return guardRuling(
      'ask',
      'secret/unknown-tree',
      `${reference.text} is too large to know that it holds no secrets`,
      reference,
    );
  }
  const packed = followsLinks(reference) ? facts.packedLinks?.[tree] : undefined;
  if (packed === null || (reference.filter?.tracked === true && facts.names?.indexes[tree]?.astray === true))
    return guardRuling('ask', 'secret/unknown-tree', `${reference.text} may lead out of the project`, reference);
  const reads = (file: string) =>
    !(reference.byGit === true && `/${posix.relative(posix.normalize(tree), file)}`.includes('/.git/')) &&
    mayRead(reference, file) &&
    opens(reference, tree, file, facts);
  const first = found.find(reads) ?? packed?.find(reads) ?? ledOut(reference, facts);
  if (first === undefined) return null;
  const shown = posix.relative(posix.normalize(tree), first);
  return guardRuling('ask', 'secret/tree', `reads ${shown}, which may hold secrets; leave it out`, reference);
}

/** Where a link in installed packages leads that a pattern stands for: out of the project, or to a secret. */
function ledOut(reference: PathReference, facts: Facts): string | undefined {
  const { glob, globRoot } = reference;
  if (glob === null || globRoot === null || !entersPackages(reference)) return undefined;
  const below = `${globRoot}/`;
  return facts.globs?.[glob]?.find(
    (path) => !path.startsWith(below) && (!isInside(path, facts.project) || secretPath(path, facts.home) !== null),
  );
}

/** Whether the names that a search is told to read take in this file. */
function opens({ filter }: PathReference, tree: string, file: string, facts: Facts): boolean {
  if (!filter) return true;
  const path = posix.relative(posix.normalize(tree), file);
  if (!mayOpen(filter, path)) return false;
  // A link has another name than what it leads to.
  if (filter.tracked === true) {
    // git's index has no path through `.git`.
    if (filter.entered !== true && `/${path}`.includes('/.git/')) return false;
    if (facts.names?.indexes[tree]?.secret !== false || secretPath(file, facts.home) === null) return true;
    if (filter.entered !== true) return false;
  }
  const isOpen = filter.untracked !== true || facts.names?.indexes[tree]?.secret === false;
  if (filter.ignoring === true && isOpen && facts.ignored?.[tree]?.includes(file) === true) return false;
  return !(filter.unhidden === true && isPassedOver(path, facts.takenIn?.[tree] ?? null));
}

/** True when a reader of many files may come across this one: below its folder, and where its glob leads. */
function mayRead(reference: PathReference, file: string): boolean {
  if (reference.glob === null) return true;
  if (reference.crossing) return crossingMeets(reference.glob, file);
  return meetsFile(
    posix.normalize(reference.glob).replace(/\/$/, '').split('/'),
    posix.normalize(file).split('/'),
    reference.recursive,
  );
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
  // `:(glob)**/x` also stands for x itself: any number of folders may be none.
  const pattern = withoutLists(posix.normalize(glob), true).replace(/\/(?:\*\*\/)+/g, '/*');
  return globMatch(pattern, file) || globMatch(`${pattern}/*`, file);
}

function guardRuling(effect: 'deny' | 'ask', code: string, message: string, { span }: PathReference): Ruling {
  return { effect, rule: null, reason: span === null ? { code, message } : { code, message, span } };
}
