/** The folders of the program that is running: whoever writes there changes the judge (docs/guarantees.md, 6). */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * `bin` and `dist` of the installed package that `script` (of node's command line) belongs to; none where another program uses
 * this one as a library. Of an installed copy (src/program/program-copy.ts) it is the folder of all copies.
 */
export function programDirectories(script: string | undefined): string[] {
  if (script === undefined) return [];
  try {
    const top = dirname(dirname(realpathSync.native(script)));
    const bundles = join(top, 'dist');
    if (!existsSync(join(bundles, 'hook.cjs'))) return [];
    return existsSync(join(top, 'installed.json')) ? [dirname(top)] : [bundles, join(top, 'bin')];
  } catch {
    // `node -e` has no script; what is not there cannot be written either.
    return [];
  }
}
