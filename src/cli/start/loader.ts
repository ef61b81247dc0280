/** dist/cli/policy.cjs: starts the command line, dist/cli/policy-main.cjs or policy-lint.cjs, from its code cache. */
import { startCached } from '../../hook/cached.js';
import { damagedCommand } from '../../policy/read/damaged-program.js';
import { cacheIn } from './sealed-cache.js';

/** The exit code for errors that a person has to fix (src/cli/terminal/exit.ts). */
const ERROR = 3;

try {
  const command = process.argv[2];
  const bundle = command === 'lint' ? 'policy-lint' : 'policy-main';
  // Most functions that `run` needs are used by no other command.
  const cache = command === 'run' ? 'policy-run' : bundle;
  const { main } = startCached(bundle, 'main', cacheIn, cache) as typeof import('../main.js');
  void main(process.argv.slice(2));
} catch (error) {
  const why = damagedCommand(error) ?? `policy could not start (${error instanceof Error ? error.message : error})`;
  process.stderr.write(`${why}\n`);
  process.exitCode = ERROR;
}
