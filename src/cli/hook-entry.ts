/** The hook as a program of its own: dist/hook-main.cjs, which dist/hook.cjs starts. */
import { join } from 'node:path';
import { startCached } from './hook-cached.js';
import { lentTable } from './hook-lent.js';
import { runHook } from './hook-main.js';
import { answerAsHook } from './hook-process.js';

// For .ci/code-cache.mjs, which lets it answer typical calls, and for tests of the bundles.
export { lender, runHook };

/** Gives the compiler's bundle by name what it shares with this one; another build's bundle may ask for what is not there. */
function lender(): (name: string) => unknown {
  const table = lentTable();
  return (name) => {
    if (!Object.hasOwn(table, name)) throw new Error('dist/compile.cjs belongs to another build');
    return table[name];
  };
}

/** Answers the one payload on standard input; `words` are those behind `policy hook`. */
export function main(words: readonly string[]): void {
  process.exitCode = answerAsHook(words, {
    // All are loaded only when they are needed: a compiler when there is no snapshot, the seal when a session ends, the home
    // folder where HOME is not set.
    compile: (places, build, now) =>
      (startCached('compile', 'compileAndStore', lender()) as typeof import('../enforce/store-gate.js')).compileAndStore(
        places,
        build,
        now,
      ),
    seal: (stateDirectory) =>
      (require(join(__dirname, 'seal.cjs')) as typeof import('../enforce/change-log.js')).sealAtSessionEnd(stateDirectory),
    home: () => (require('node:os') as typeof import('node:os')).homedir(),
  });
}
