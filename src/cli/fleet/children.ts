/** Distributes repositories to several processes of this program, one at a time each, and collects their answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { RepositoryResult } from '../../audit/fleet/report.js';
import { ownPrograms } from '../place/own-programs.js';
import { linesOf } from '../terminal/lines.js';
import type { Tick } from '../terminal/progress.js';
import type { Journal } from './journal.js';

export interface FleetWork {
  /** Number of processes running at once. */
  readonly jobs: number;
  readonly journal: Journal;
  readonly tick: Tick;
}

/** Maximum milliseconds for one repository. */
const PATIENCE = 120_000;
const MOST_LINE = 16 * 1024 * 1024;
const ARGUMENTS = ['audit', '--repos', '-', '--format', 'jsonl', '--jobs', '1'];

/**
 * Returns the results in the order of the list. If a process dies or does not answer, that is recorded as the repository's
 * result, and the process is replaced.
 */
export async function examineAll(
  repositories: readonly string[],
  { jobs, journal, tick }: FleetWork,
): Promise<readonly RepositoryResult[]> {
  const results = new Map<string, RepositoryResult>(
    repositories.flatMap((name) => {
      const known = journal.known.get(name);
      return known === undefined ? [] : [[name, known]];
    }),
  );
  const waiting = repositories.filter((name) => !results.has(name));
  const work = async () => {
    let examiner: Examiner | null = null;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      examiner ??= new Examiner();
      const result = await examiner.examine(name);
      if (examiner.ended) examiner = null;
      results.set(name, result);
      journal.add(result);
      tick(`${results.size} of ${repositories.length} repositories`);
    }
    examiner?.end();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, work));
  return repositories.map((name) => results.get(name) ?? { repository: name, problem: 'it was not examined' });
}

/** One process, which examines one repository after another. */
class Examiner {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly answers: AsyncGenerator<{ readonly text: string } | { readonly problem: string }>;
  ended = false;

  constructor() {
    const program = ownPrograms()?.command ?? process.argv[1] ?? '';
    this.child = spawn(process.execPath, [program, ...ARGUMENTS], { stdio: ['pipe', 'pipe', 'pipe'] });
    // Its other output does not concern the list as a whole.
    this.child.stderr.resume();
    this.child.stdin.on('error', () => {});
    this.child.on('error', () => this.child.stdout.destroy());
    this.answers = linesOf(this.child.stdout, MOST_LINE);
  }

  async examine(repository: string): Promise<RepositoryResult> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.child.kill('SIGKILL');
    }, PATIENCE);
    try {
      this.child.stdin.write(`${JSON.stringify(repository)}\n`);
      const { value, done } = await this.answers.next();
      if (done !== true && 'text' in value) return JSON.parse(value.text) as RepositoryResult;
    } catch {
      // Treated like a missing answer.
    } finally {
      clearTimeout(timer);
    }
    this.ended = true;
    this.child.kill('SIGKILL');
    const why = late ? `it took longer than ${PATIENCE / 1000} s` : 'the process that examined it ended without an answer';
    return { repository, problem: why };
  }

  end(): void {
    this.child.stdin.end();
  }
}
