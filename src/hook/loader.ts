/** dist/hook.cjs: starts dist/hook-main.cjs from its code cache. Node compiles this file anew for each call, so it holds little. */
import { writeSync } from 'node:fs';
import { isDamagedProgram } from '../policy/read/damaged-program.js';
import { ANSWER, PROOF } from '../runner/hook/proof.js';
import { STDOUT_FAILURES } from '../runner/hook/stdout-failures.js';
import { startCached } from './cached.js';

/** What process.exit() calls last. */
interface EndingProcess {
  readonly reallyExit: (code: number) => never;
}

try {
  (startCached('hook-main', 'main') as typeof import('./entry.js')).main(process.argv.slice(2));
  // Everything is written by now; to end here spares taking the heap apart, which a short process notices, and asking who listens
  // for the end.
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
