/** dist/cli/policy-preset-run.cjs: `policy run`, as far as it is plain (src/cli/launch/plain-run.ts); the rest is left to policy-main.cjs. */
import { startCached } from '../../hook/cached.js';
import { EXIT } from '../exit.js';
import { plainRun } from '../launch/plain-run.js';
import { tellError } from '../main.js';
import { cacheIn } from './sealed-cache.js';

/** Runs the command line of this process, whose exit code tells how it ended. */
export async function main(words: readonly string[]): Promise<void> {
  process.exitCode = EXIT.error;
  const code = await ended(words.slice(1));
  if (code !== null) process.exitCode = code;
  else await (startCached('policy-main', 'main', cacheIn, 'policy-run') as typeof import('../main.js')).main(words);
}

async function ended(words: readonly string[]): Promise<number | null> {
  try {
    return await plainRun(words);
  } catch (error) {
    return tellError(error);
  }
}
