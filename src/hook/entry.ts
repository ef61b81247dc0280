/** dist/hook-main.cjs: the hook as a separate program, started by dist/hook.cjs. */
import { join } from 'node:path';
import { startCached } from './cached.js';
import type { HookProcess } from './main.js';
import { answerAsHook } from './process.js';

/** Functions that only some calls need, each loaded on first use. */
export const own: Pick<HookProcess, 'compile' | 'seal' | 'home'> = {
  /** Used when there is no snapshot. */
  compile: (places, build, now) =>
    (startCached('compile', 'compileAndStore') as typeof import('../enforce/snapshot/store.js')).compileAndStore(
      places,
      build,
      now,
    ),
  /** Used when a session ends. */
  seal: (stateDirectory) =>
    (require(join(__dirname, 'seal.cjs')) as typeof import('../enforce/change-log.js')).sealAtSessionEnd(stateDirectory),
  /** Used when HOME is not set. */
  home: () => (require('node:os') as typeof import('node:os')).homedir(),
};

/** Answers the single payload on standard input; `words` are those after `policy hook`. */
export function main(words: readonly string[]): void {
  process.exitCode = answerAsHook(words, own);
}

// For tests of the bundles.
export { runHook } from './main.js';
