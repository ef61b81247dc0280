/** A question that was put to git is answered from memory, for tests that ask the same of repositories that do not change. */

import type { SpawnSyncReturns } from 'node:child_process';
import { createRequire } from 'node:module';

type Start = (program: string, words: readonly string[], options: unknown) => SpawnSyncReturns<string>;

/** The module itself: the names that are imported from it cannot be replaced. */
const processes = createRequire(import.meta.url)('node:child_process') as { spawnSync: Start };

export type GitAnswers = Map<string, SpawnSyncReturns<string>>;

/**
 * Runs `use`, in which git is started once for each question; what it did not answer, or not in time, it is asked again.
 * @param answers what is known from before
 */
export function gitAskedOnce<Result>(use: () => Result, answers: GitAnswers = new Map()): Result {
  const start = processes.spawnSync;
  processes.spawnSync = (program, words, options) =>
    /\/git$/.test(program) ? answeredByGit(start, answers, program, words, options) : start(program, words, options);
  try {
    return use();
  } finally {
    processes.spawnSync = start;
  }
}

/** What git said to this question before, or says now. */
export function answeredByGit(
  start: Start,
  answers: GitAnswers,
  program: string,
  words: readonly string[],
  options: unknown,
): SpawnSyncReturns<string> {
  // What is left of the time has nothing to do with the answer.
  const key = JSON.stringify([program, words, { ...(options as object), timeout: null }]);
  const answer = answers.get(key) ?? start(program, words, options);
  if (answer.status !== null) answers.set(key, answer);
  return answer;
}
