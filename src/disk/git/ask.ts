/**
 * Questions to git itself, about commits and the names of files in them. Only commands that read objects and the index are asked, and
 * these run nothing of the repository: no hook, filter, driver, pager or monitor, and nothing is fetched that is missing.
 */
import { isInside } from '../inside.js';
import { statOf } from '../stat-of.js';

export interface AskedGit {
  /** What git prints; null when it fails, prints too much or takes too long. */
  readonly ask: (words: readonly string[]) => string | null;
}

/** Where systems install git. What stands in the project, or only in the environment's PATH, is not run. */
export const GIT_PROGRAMS = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git', '/run/current-system/sw/bin/git'];
/** Milliseconds for all questions of a call: the hook is ended after 1,500. */
const MOST_TIME = 800;

/** When the questions of a call have to be answered; one for all repositories that are asked. */
export class AskingTime {
  private end: number | null = null;

  /**
   * @param now milliseconds, of a clock that only goes forward
   * @param most milliseconds for all questions
   */
  constructor(
    private readonly now: () => number,
    private readonly most: number = MOST_TIME,
  ) {}

  /** Milliseconds, whole ones, from the first question on. */
  left(): number {
    this.end ??= this.now() + this.most;
    return Math.floor(this.end - this.now());
  }
}

const MOST_OUTPUT = 8 * 1024 * 1024;

/** Nothing of the repository runs, whatever its configuration says. */
export const GIT_SETTINGS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.untrackedCache=false'];

/** Git, as it sees the repository of a directory; null when no git is installed. */
export function gitIn(directory: string, home: string, project: string, time: AskingTime): AskedGit | null {
  const program = GIT_PROGRAMS.find((path) => !isInside(path, project) && statOf(path)?.isFile() === true);
  if (program === undefined) return null;
  const ask = (words: readonly string[]) => {
    const timeout = time.left();
    if (timeout <= 0 || words.some((word) => word.includes('\0'))) return null;
    // Loaded when git is asked: most calls ask it nothing, and node needs several milliseconds for this module.
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
    return status === 0 ? stdout : null;
  };
  return { ask };
}

/** HOME is where git finds out which repositories the user holds for safe. */
export function gitEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    ...{ HOME: home, PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...{ GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' },
  };
}
