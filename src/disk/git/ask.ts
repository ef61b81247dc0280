/**
 * Runs git to ask about commits and the names of files in them. Only commands that read objects and the index are used, and these
 * run nothing of the repository: no hook, filter, driver, pager or monitor, and nothing missing is fetched.
 */
import { isInside } from '../inside.js';
import { statOf } from '../stat-of.js';

export interface AskedGit {
  /** Returns git's output; null when it fails, prints too much or takes too long. */
  readonly ask: (words: readonly string[]) => string | null;
}

/** Where systems install git. A git in the project, or found only through the environment's PATH, is not run. */
export const GIT_PROGRAMS = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git', '/run/current-system/sw/bin/git'];
/** Maximum milliseconds for all questions of a call: the hook is killed after 1,500. */
const MOST_TIME = 800;

/** The time limit for the questions of a call, shared by all repositories. */
export class AskingTime {
  private end: number | null = null;

  /**
   * @param now milliseconds of a monotonic clock
   * @param most maximum milliseconds for all questions
   * @param answers short answers by the question: those of other calls at the same moment, and of this one
   */
  constructor(
    private readonly now: () => number,
    private readonly most: number = MOST_TIME,
    readonly answers: Map<string, string | null> = new Map(),
  ) {}

  /** Returns the remaining whole milliseconds, counted from the first question on. */
  left(): number {
    this.end ??= this.now() + this.most;
    return Math.floor(this.end - this.now());
  }
}

const MOST_OUTPUT = 8 * 1024 * 1024;
const MOST_REMEMBERED = 4096;

/** Ensures that nothing of the repository runs, whatever its configuration. */
export const GIT_SETTINGS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.untrackedCache=false'];

/** Returns git for the repository of a directory; null if git is not installed. */
export function gitIn(directory: string, home: string, project: string, time: AskingTime): AskedGit | null {
  const program = GIT_PROGRAMS.find((path) => !isInside(path, project) && statOf(path)?.isFile() === true);
  if (program === undefined) return null;
  const ask = (words: readonly string[]) => {
    const timeout = time.left();
    // A known answer, too, says that the time limit was not exceeded before: printed-secrets.ts relies on it.
    if (timeout <= 0 || words.some((word) => word.includes('\0'))) return null;
    const question = JSON.stringify([home, directory, words]);
    const known = time.answers.get(question);
    if (known !== undefined) return known;
    // Loaded only when git is needed: most calls do not need it, and loading takes Node.js several milliseconds.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { status, stdout } = spawnSync(
      program,
      ['-C', directory, '--no-pager', ...GIT_SETTINGS.flatMap((setting) => ['-c', setting]), ...words],
      {
        env: gitEnvironment(home),
        timeout,
        killSignal: 'SIGKILL',
        maxBuffer: MOST_OUTPUT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const answer = status === 0 ? stdout : null;
    // Without a status it did not answer in time, or too much.
    if (status !== null && (answer?.length ?? 0) <= MOST_REMEMBERED) time.answers.set(question, answer);
    return answer;
  };
  return { ask };
}

/** HOME is where git finds out which repositories the user considers safe. */
export function gitEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    ...{ HOME: home, PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...{ GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' },
  };
}
