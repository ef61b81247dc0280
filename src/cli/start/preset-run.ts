/** dist/cli/policy-preset-run.cjs: `policy run`, as far as it is plain (src/cli/launch/plain-run.ts); the rest is left to policy-main.cjs. */
import { startCached } from '../../hook/cached.js';
import { EXIT } from '../exit.js';
import { plainRun } from '../launch/plain-run.js';
import { tellError } from '../main.js';
import { endQuietlyOnClosedPipe } from '../terminal.js';
import { cacheIn } from './sealed-cache.js';

/** Runs the command line of this process, whose exit code tells how it ended. */
export async function main(words: readonly string[]): Promise<void> {
  process.exitCode = EXIT.error;
  try {
    const code = await plainRun(
      words.slice(1),
      (args) => wholeProgram().presetRunAgain(args),
      (args, denied) => wholeProgram().presetRunAdvice(args, denied),
    );
    if (code === null) await wholeProgram().main(words);
    else process.exitCode = code;
  } catch (error) {
    endQuietlyOnClosedPipe();
    process.exitCode = tellError(error);
  }
}

function wholeProgram(): typeof import('../main.js') {
  return startCached('policy-main', 'main', cacheIn, 'policy-run') as typeof import('../main.js');
}
