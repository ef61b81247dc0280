/** dist/hook-main.cjs: the hook as a program of its own, which dist/hook.cjs starts. */
import { join } from 'node:path';
import { startCached } from './cached.js';
import type { HookProcess } from './main.js';
import { answerAsHook } from './process.js';

/** What only some calls need. Each of these is loaded when it is called. */
export const own: Pick<HookProcess, 'compile' | 'seal' | 'home'> = {
  /** When there is no snapshot. */
  compile: (places, build, now) =>
    (startCached('compile', 'compileAndStore') as typeof import('../enforce/snapshot/store.js')).compileAndStore(
      places,
      build,
      now,
    ),
  /** When a session ends. */
  seal: (stateDirectory) =>
    (require(join(__dirname, 'seal.cjs')) as typeof import('../enforce/change-log.js')).sealAtSessionEnd(stateDirectory),
  /** Where HOME is not set. */
  home: () => (require('node:os') as typeof import('node:os')).homedir(),
};

/** Answers the one payload on standard input; `words` are those behind `policy hook`. */
export function main(words: readonly string[]): void {
  process.exitCode = answerAsHook(words, own);
}

// For tests of the bundles.
export { runHook } from './main.js';
