/** The folders of the running program: whoever writes there changes how calls are judged (docs/guarantees.md, 6). */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns `bin` and `dist` of the installed package that contains `script` (from the command line of Node.js); none if another
 * program uses this one as a library. For an installed copy (src/program/program-copy.ts), the folder of all copies.
 */
export function programDirectories(script: string | undefined): string[] {
  if (script === undefined) return [];
  try {
    const top = dirname(dirname(realpathSync.native(script)));
    const bundles = join(top, 'dist');
    if (!existsSync(join(bundles, 'hook.cjs'))) return [];
    return existsSync(join(top, 'installed.json')) ? [dirname(top)] : [bundles, join(top, 'bin')];
  } catch {
    // `node -e` has no script; a missing file cannot be written either.
    return [];
  }
}
