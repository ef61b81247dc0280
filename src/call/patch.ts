/** Paths in the headers of a patch: Codex's own format and unified diffs. */

export interface PatchPaths {
  readonly paths: readonly string[];
  /** Those that are gone afterwards. */
  readonly deleted: readonly string[];
  /** Those that get another name, by which whoever may not read them by their own could. */
  readonly moved: readonly string[];
  /** False when a header is there that cannot be read, or none is. */
  readonly complete: boolean;
}

const HEADERS = ['*** Update File:', '*** Add File:', '*** Delete File:', '*** Move to:', '*** Rename to:'];
/** Headers of unified diffs and of git's extended ones; what follows is a path. */
const DIFF_HEADERS = ['+++ ', '--- ', 'rename from ', 'rename to ', 'copy from ', 'copy to '];

/** White space for Codex or for JavaScript: U+0085 is some only for Rust's `trim`, U+FEFF only for that of JavaScript. */
const EITHER = /[\s\x85]/;
const RUST = /[^\S\uFEFF]|\x85/;

/**
 * Every path that applying `patch` may touch, in order, each once. Both formats are looked for in every patch, since what a
 * tool takes a text for is up to the tool; white space before a header does not hide it (Codex trims it too).
 */
export function patchPaths(patch: string): PatchPaths {
  const paths = new Set<string>();
  const deleted = new Set<string>();
  const moved = new Set<string>();
  let complete = true;
  let before: readonly string[] = [];
  for (const line of patch.split('\n')) {
    const own = headerPaths(line) ?? diffPath(line);
    if (own === null) continue;
    const gone = GONE.test(line) ? own : DIFF_GONE.test(line) ? before : [];
    for (const path of gone) deleted.add(path);
    for (const path of MOVES.test(line) ? before : RENAMES.test(line) ? own : []) moved.add(path);
    before = own;
    if (own[0] === '') complete = false;
    else for (const path of own) if (path !== '/dev/null') paths.add(path);
  }
  return { paths: [...paths], deleted: [...deleted], moved: [...moved], complete: complete && paths.size > 0 };
}

const GONE = /\*\*\* Delete File:/;
/** The file of the line before is the one that goes. */
const DIFF_GONE = /^\+\+\+ \/dev\/null\s*$/;
/** The header before says which file is moved. */
const MOVES = /\*\*\* (?:Move|Rename) to:/;
const RENAMES = /^(?:rename|copy) from /;

/**
 * The path after `*** Update File:` and its kin; null for another line. Where Codex does not trim as we do (it leaves blanks before
 * the path, in older versions also behind `*** Move to:`, and U+FEFF everywhere) both readings count.
 */
function headerPaths(line: string): readonly string[] | null {
  if (!line.includes('*** ')) return null;
  const whole = withoutEnds(line, EITHER);
  const header = HEADERS.find((one) => whole.startsWith(one));
  if (header === undefined) return null;
  const rest = line
    .slice(line.indexOf(header) + header.length)
    .replace(/^ /, '')
    .replace(/\r$/, '');
  const readings = [withoutEnds(rest, EITHER), rest.slice(0, endOf(rest, RUST))];
  if (header === '*** Move to:') readings.push(rest);
  return [...new Set(readings)];
}

function withoutEnds(text: string, blank: RegExp): string {
  let start = 0;
  const end = endOf(text, blank);
  while (start < end && blank.test(text.charAt(start))) start += 1;
  return text.slice(start, end);
}

function endOf(text: string, blank: RegExp): number {
  let end = text.length;
  while (end > 0 && blank.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The path of a diff header without `a/` or `b/`; '' when it is quoted, since its escapes are not undone here. */
function diffPath(line: string): readonly [string] | null {
  const header = DIFF_HEADERS.find((one) => line.startsWith(one));
  if (header === undefined) return null;
  const written = (line.slice(header.length).split('\t')[0] ?? '').trim();
  if (written.startsWith('"')) return [''];
  return [header.endsWith('- ') || header.endsWith('+ ') ? written.replace(/^[ab]\//, '') : written];
}
