/** dist/hook.cjs: starts dist/hook-main.cjs from its code cache. Kept small because node compiles this file again for each call. */
import { writeSync } from 'node:fs';
import { isDamagedProgram } from '../policy/read/damaged-program.js';
import { ANSWER, PROOF } from '../runner/hook/proof.js';
import { STDOUT_FAILURES } from '../runner/hook/stdout-failures.js';
import { startCached } from './cached.js';

/** The function that process.exit() finally calls. */
interface EndingProcess {
  readonly reallyExit: (code: number) => never;
}

try {
  (startCached('hook-main', 'main') as typeof import('./entry.js')).main(process.argv.slice(2));
  // All output has been written. Ending here skips the heap's teardown, which matters in a short process, and the look for exit listeners.
  (process as typeof process & EndingProcess).reallyExit(Number(process.exitCode ?? 0));
} catch (error) {
  const why = isDamagedProgram(error)
    ? error.message
    : `the hook could not start (${error instanceof Error ? error.message : error}); install it again (\`policy doctor\` shows the line)`;
  const message = `policy denied this call: ${why}`;
  process.stderr.write(`${message}\n`);
  process.exitCode = process.argv.includes('--proof') ? PROOF.denied : 2;
  if (process.argv.includes('--answer')) writeSync(ANSWER, STDOUT_FAILURES.get(process.argv[2] ?? '')?.(message) ?? '');
}
