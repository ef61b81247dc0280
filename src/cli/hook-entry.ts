/** The hook as a program of its own: dist/hook-main.cjs, which dist/hook.cjs starts. */
import { join } from 'node:path';
import { lender, startLater } from './hook-later.js';
import { runHook } from './hook-main.js';
import { answerAsHook } from './hook-process.js';

// For .ci/code-cache.mjs, which lets it answer typical calls, and for tests of the bundles.
export { lender, runHook };

/** Answers the one payload on standard input; `words` are those behind `policy hook`. */
export function main(words: readonly string[]): void {
  process.exitCode = answerAsHook(words, {
    // All are loaded only when they are needed: a compiler when there is no snapshot, the seal when a session ends, the home
    // folder where HOME is not set.
    compile: (places, build, now) =>
      (startLater('compile', 'compileAndStore') as typeof import('../enforce/store-gate.js')).compileAndStore(places, build, now),
    seal: (stateDirectory) =>
      (require(join(__dirname, 'seal.cjs')) as typeof import('../enforce/change-log.js')).sealAtSessionEnd(stateDirectory),
    home: () => (require('node:os') as typeof import('node:os')).homedir(),
  });
}
