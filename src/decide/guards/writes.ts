/** Whether a write, a replacement or a deletion affects a protected path (docs/guarantees.md, 6). */
import { posix } from 'node:path';
import { cwdPaths } from '../flow/cwd-paths.js';
import { listedWords } from '../flow/listings.js';
import { withoutTrail } from '../flow/possible-paths.js';
import { guardRuling } from '../place/guard-ruling.js';
import type { PathReference } from '../place/path-references.js';
import { holdsProject, isInside, isOwn } from '../place/paths.js';
import { absolutePath } from '../place/place.js';
import { protectedGlob } from '../place/protected-glob.js';
import { renewable } from '../place/reinstallable.js';
import { type Protection, protectedBelow, protectedPath } from '../place/sensitive-paths.js';
import { settingsBelow } from '../place/settings-below.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts, StartedFile } from '../ruling/facts.js';

/** The strictest ruling on the paths that a glob may match by its text and the paths that it matches now. */
export function globRuling(glob: string, reference: PathReference, facts: Facts): Ruling | null {
  const listed = facts.globs !== undefined && Object.hasOwn(facts.globs, glob) ? (facts.globs[glob] ?? null) : null;
  const rulings = (listed ?? []).map((path) => writeRuling(path, reference, facts));
  const hit = lastingGlob(glob, reference, listed !== null, facts);
  if (hit !== null) rulings.push(protectionRuling(unsure(hit, glob, listed !== null || reference.crossing, facts), reference));
  // `rm -rf *` covers the whole visible project, whatever is in it now.
  const whole = reference.access === 'delete' && reference.recursive ? withoutTrail(glob, true) : glob;
  if (whole !== glob && holdsProject(whole, facts)) rulings.push(folderRuling(whole, reference, facts));
  return rulings.find((ruling) => ruling?.effect === 'deny') ?? rulings.find((ruling) => ruling !== null) ?? null;
}

/**
 * `python3 .claude/hooks/check.py`: running one of the project's own hooks does not write to it, just as `.claude/hooks/check.py`
 * alone does not; rules decide. No agent wrote it, because its folder is protected.
 */
function isHookProgram(absolute: string, { runs }: PathReference, { pattern }: Protection, facts: Facts): boolean {
  return runs === true && HOOK_FOLDERS.test(pattern) && isOwn(absolute, facts);
}

const HOOK_FOLDERS = /^\.(?:claude|codex|gemini|qwen|cursor|github)\/hooks$/;

export function writeRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const hit = protectedPath(absolute, facts.home, facts.ownDirectories);
  if (hit !== null && isHookProgram(absolute, reference, hit, facts)) return null;
  if (hit !== null && renewable(absolute, reference, hit, facts) === null) return protectionRuling(hit, reference);
  if (!reference.assumed && facts.hookPrograms?.includes(posix.normalize(absolute)))
    return protectionRuling({ effect: 'deny', pattern: `${absolute}, which starts the hook,` }, reference);
  const started = reference.runs === true ? undefined : startedFile(absolute, reference, facts);
  if (started !== undefined) return protectionRuling({ effect: 'ask', pattern: startedAs(started, facts) }, reference);
  // The names found below it are unknown, and most of them do not matter.
  if (reference.found) return null;
  if (replaces(absolute, reference, facts)) return takesLeftovers(reference) ? null : folderRuling(absolute, reference, facts);
  return fills(reference, facts) ? fillRuling(absolute, reference, facts) : null;
}

function startedAs({ path, by, unread }: StartedFile, { project }: Facts): string {
  return unread === true
    ? `${by} is too long to see what it starts, so everything here`
    : `a file that ${by} starts (${path.slice(project.length + 1)})`;
}

/** The file that a runner or git starts by itself and that the write changes, directly or together with its folder. */
function startedFile(absolute: string, reference: PathReference, facts: Facts): StartedFile | undefined {
  // Linters and formatters are routinely given such files.
  if (facts.started === undefined || reference.assumed) return undefined;
  const path = posix.normalize(absolute);
  const takesFolder = replaces(absolute, reference, facts) && !holdsProject(absolute, facts);
  return facts.started.find(
    (one) => path === one.path || (one.whole === true && isInside(path, one.path)) || (takesFolder && isInside(one.path, path)),
  );
}

/** `rm -rf "$(dirname "$PWD")"`, `rm -rf $(ls)`: rulings on the paths that the text forms from its folder, as if they were written out. */
export function namedRuling(reference: PathReference, facts: Facts): Ruling | null {
  const from = reference.from ?? null;
  const named = cwdPaths(reference.text, from, facts);
  // Names listed without the files below them are removed completely only by a recursive deletion.
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

/**
 * Turns a denial into a question for a pattern whose text may match a protected file but matches none now.
 * @param seen whether its current matches were looked up, or git expands it to tracked files
 */
function unsure(hit: Protection, glob: string, seen: boolean, facts: Facts): Protection {
  if (!seen || hit.effect === 'ask') return hit;
  const start = protectedPath(glob.slice(0, Math.max(1, glob.search(/[*?[]/))), facts.home, facts.ownDirectories);
  return start?.effect === 'deny' ? hit : { ...hit, effect: 'ask' };
}

/** The protection of a glob, except for files that may be removed. */
function lastingGlob(glob: string, reference: PathReference, listed: boolean, facts: Facts): Protection | null {
  const deleted = reference.access === 'delete';
  const hit = protectedGlob(glob, facts, listed, deleted);
  if (hit === null || renewable(glob, reference, hit, facts) === null) return hit;
  return protectedGlob(glob, facts, listed, deleted, hit.pattern);
}

function protectionRuling({ effect: written, pattern, secret }: Protection, reference: PathReference): Ruling {
  const effect = reference.assumed ? 'ask' : written;
  const verb = reference.access === 'delete' ? 'deleting' : reference.runs === true ? 'running' : 'writing';
  const wayOut = reference.glob === null ? '' : ', and the pattern may match it; write a narrower pattern, or the names';
  const why = secret === true ? `it may hold secrets (${pattern})` : `${pattern} is protected`;
  const message = `${verb} ${reference.text} ${effect === 'deny' ? 'is blocked' : 'asks'}: ${why}${wayOut}`;
  return guardRuling(effect, 'protected/path', message, reference);
}

/** `find . -name '*.orig' -delete`: only files that programs leave behind and create again are removed. */
function takesLeftovers({ filter }: PathReference): boolean {
  return filter?.endings?.every((ending) => LEFTOVERS.has(ending)) === true;
}

const LEFTOVERS: ReadonlySet<string> = new Set(
  '.bak .class .gcda .gcno .log .o .obj .orig .pyc .pyo .rej .swo .swp .tmp .tsbuildinfo'.split(' '),
);

/** Whether everything at and below a path is gone afterwards: deleted, or replaced by something else. */
function replaces(absolute: string, { access, names, key }: PathReference, facts: Facts): boolean {
  if (access === 'delete') return true;
  const fact = names === null || key === null ? undefined : facts.paths[key];
  if (fact === undefined) return false;
  const isFolder = fact.kind === 'directory' && (absolute === fact.real || absolute === posix.normalize(key ?? ''));
  return !isFolder;
}

/** Whether files with unknown names are put into an existing folder (`tar -C`, `unzip -d`, `cp -r x/.`). */
function fills({ access, names, key }: PathReference, facts: Facts): boolean {
  const areUnknown = names === null || names.length === 0 || names.some((name) => /[*?[]/.test(name));
  return access === 'write' && areUnknown && key !== null && facts.paths[key]?.kind === 'directory';
}

/** `tar xf x -C ~`, `cp -r x/. .`: one of the new files may replace a protected one. */
function fillRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories) ?? copiedOver(absolute, reference, facts);
  const below = held === null && reference.names !== null ? settingsBelow(absolute, facts) : null;
  if (held === null && below === null) return null;
  const message = `files put into ${reference.text} may replace ${held === null ? 'protected files' : `${held.pattern}, which is protected`}${below === null ? '' : `: ${below}`}`;
  return guardRuling('ask', 'protected/folder', message, reference);
}

/** The protection of files at the top of the project, where files with any name, or names matching a pattern, are copied to. */
function copiedOver(absolute: string, { names }: PathReference, facts: Facts): Protection | null {
  if (names === null || (absolute !== facts.project && facts.checkouts?.includes(absolute) !== true)) return null;
  for (const name of names.length === 0 ? ['.*'] : names) {
    const hit = /[*?[]/.test(name) ? protectedGlob(`${absolute}/${name}`, facts, false, true) : null;
    if (hit !== null) return hit;
  }
  return null;
}

/** `rm -r .`, `mv x .claude`: protected files below a folder are removed or replaced together with it. */
function folderRuling(absolute: string, reference: PathReference, facts: Facts): Ruling | null {
  const verb = reference.access === 'delete' ? 'deleting' : 'replacing';
  if (holdsProject(absolute, facts)) {
    const message = `${verb} ${reference.text} can delete the whole project, including .git`;
    return guardRuling('ask', 'protected/project', message, reference);
  }
  const held = protectedBelow(absolute, facts.home, facts.ownDirectories);
  const below = held === null ? settingsBelow(absolute, facts, reference.filter) : null;
  if (below !== null) return guardRuling('ask', 'protected/folder', `${verb} ${reference.text} asks: ${below}`, reference);
  if (held === null) return null;
  const what = held.effect === 'deny' ? 'is blocked' : 'asks';
  const message = `${verb} ${reference.text} ${what}: ${held.pattern}, which is protected, is inside it`;
  return guardRuling(held.effect, 'protected/folder', message, reference);
}
