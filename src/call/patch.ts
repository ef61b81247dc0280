/** Paths in the headers of a patch: Codex's own format and unified diffs. */

export interface PatchPaths {
  readonly paths: readonly string[];
  /** Files that the patch deletes. */
  readonly deleted: readonly string[];
  /** Files that are renamed or copied: under the new name, they could be read by those who may not read them now. */
  readonly moved: readonly string[];
  /** False if a header cannot be read, or if there is none. */
  readonly complete: boolean;
}

const HEADERS = ['*** Update File:', '*** Add File:', '*** Delete File:', '*** Move to:', '*** Rename to:'];
/** Headers of unified diffs and git's extended headers; a path follows. */
const DIFF_HEADERS = ['+++ ', '--- ', 'rename from ', 'rename to ', 'copy from ', 'copy to '];

/** White space for Codex or for JavaScript: only Rust's `trim` includes U+0085, only JavaScript's includes U+FEFF. */
const EITHER = /[\s\x85]/;
const RUST = /[^\S\uFEFF]|\x85/;

/**
 * Returns every path that applying `patch` may touch, in order, each once. Every patch is searched for both formats, because the
 * tool decides which one it is; white space before a header does not hide it (Codex trims it too).
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
/** The deleted file is that of the previous line. */
const DIFF_GONE = /^\+\+\+ \/dev\/null\s*$/;
/** The previous header names the file that is moved. */
const MOVES = /\*\*\* (?:Move|Rename) to:/;
const RENAMES = /^(?:rename|copy) from /;

/**
 * The path after `*** Update File:` and similar headers; null for any other line. Where Codex trims differently (it keeps blanks
 * before the path, in older versions also after `*** Move to:`, and U+FEFF everywhere), both readings are returned.
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

/** The path of a diff header without `a/` or `b/`; '' if it is quoted, because escapes are not decoded here. */
function diffPath(line: string): readonly [string] | null {
  const header = DIFF_HEADERS.find((one) => line.startsWith(one));
  if (header === undefined) return null;
  const written = (line.slice(header.length).split('\t')[0] ?? '').trim();
  if (written.startsWith('"')) return [''];
  return [header.endsWith('- ') || header.endsWith('+ ') ? written.replace(/^[ab]\//, '') : written];
}
