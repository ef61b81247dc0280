/** Paths in the headers of a patch: Codex's own format and unified diffs. */

export interface PatchPaths {
  readonly paths: readonly string[];
  /** False when a header is there that cannot be read, or none is. */
  readonly complete: boolean;
}

const HEADERS = ['*** Update File:', '*** Add File:', '*** Delete File:', '*** Move to:', '*** Rename to:'];
/** Headers of unified diffs and of git's extended ones; what follows is a path. */
const DIFF_HEADERS = ['+++ ', '--- ', 'rename from ', 'rename to ', 'copy from ', 'copy to '];

/** U+0085 is white space for Codex, not for JavaScript. */
const NEXT_LINE = /\x85/g;

/**
 * Every path that applying `patch` may touch, in order, each once. Both formats are looked for in every patch, since what a
 * tool takes a text for is up to the tool; white space before a header does not hide it (Codex trims it too).
 */
export function patchPaths(patch: string): PatchPaths {
  const paths = new Set<string>();
  let complete = true;
  for (const line of patch.split('\n')) {
    const own = headerPath(line.replace(NEXT_LINE, ' ').trim());
    if (own !== null) {
      if (own === '') complete = false;
      else paths.add(own);
      continue;
    }
    const path = diffPath(line);
    if (path === null) continue;
    if (path === '') complete = false;
    else if (path !== '/dev/null') paths.add(path);
  }
  return { paths: [...paths], complete: complete && paths.size > 0 };
}

/** The path after `*** Update File:` and its kin; null for another line. */
function headerPath(line: string): string | null {
  if (!line.startsWith('*** ')) return null;
  const header = HEADERS.find((one) => line.startsWith(one));
  return header === undefined ? null : line.slice(header.length).trim();
}

/** The path of a diff header without `a/` or `b/`; '' when it is quoted, since its escapes are not undone here. */
function diffPath(line: string): string | null {
  const header = DIFF_HEADERS.find((one) => line.startsWith(one));
  if (header === undefined) return null;
  const written = (line.slice(header.length).split('\t')[0] ?? '').trim();
  if (written.startsWith('"')) return '';
  return header.endsWith('- ') || header.endsWith('+ ') ? written.replace(/^[ab]\//, '') : written;
}
