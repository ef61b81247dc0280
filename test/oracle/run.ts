/** One run of the oracle: fixed lines first, then generated ones, each under bash and before the engine. */
import type { Shell } from '../../src/call/tool-call.js';
import { type Unseen, unseenOf } from './compare.js';
import { ask } from './engine.js';
import { fixedLines } from './lines/corpus.js';
import { type Generated, generate } from './lines/generate.js';
import { count, noRates, type Rates } from './rates.js';
import { type RealShell, Sandbox } from './sandbox.js';
import { shrink } from './shrink.js';
import type { Trace } from './trace.js';

export interface RunOptions {
  /** The folder that `buildRoot` made. */
  readonly root: string;
  /** The shell that runs the lines; bash when absent. */
  readonly shell?: RealShell;
  /** What the engine is told of the shell; bash when absent. */
  readonly told?: Shell;
  /** Generated lines. */
  readonly runs: number;
  readonly seed: number;
  /** The first index; a finding is made again by running from its index. */
  readonly from: number;
  /** Sandboxes that work at the same time. */
  readonly processes: number;
  /** Which of the lists of fixed lines are run, by name; all when absent. */
  readonly lists?: (name: string) => boolean;
  /** Called with every line that was run, allowed or not. */
  readonly onTrace?: (line: string, trace: Trace) => void;
  /** Called as soon as there is a finding. */
  readonly onFinding?: (finding: Finding) => void;
  /** Called every ten thousand generated lines with the numbers so far. */
  readonly onProgress?: (soFar: RunResult) => void;
  /** Asked before every line: true ends the run there. */
  readonly isStopped?: () => boolean;
}

/** A line that the engine allowed and in which bash did something that was not judged, or on which the engine failed. */
export interface Finding {
  /** `fixed: CLASS`, or `seed S index I`. */
  readonly origin: string;
  readonly line: string;
  readonly shrunk: string;
  readonly unseen: readonly (Unseen | { readonly kind: 'exception'; readonly text: string })[];
}

export interface RunResult {
  /** Generated lines that were run. */
  readonly done: number;
  /** Where lines come from that ended their sandbox each time. */
  readonly lost: readonly string[];
  readonly fixed: { readonly lines: number; readonly allowed: readonly string[] };
  readonly rates: Rates;
  readonly findings: readonly Finding[];
}

/** After so many findings the run stops looking. */
const MOST_FINDINGS = 20;
/** A sandbox that ends on its own takes the lines in work with it: they are tried again, so often. */
const MOST_TRIES = 3;
/** Lines that could not be run; after so many the machine is not fit for this. */
const MOST_LOST = 100;
const PROGRESS = 10_000;
/** Lines in work per sandbox. */
const IN_WORK = 16;

interface Task extends Generated {
  readonly origin: string;
  readonly fixed: boolean;
}

/** Runs everything; rejects only when the sandbox fails. */
export async function runOracle(options: RunOptions): Promise<RunResult> {
  const sandboxes = Array.from({ length: Math.max(1, options.processes) }, () => new Sandbox(options.root, options.shell));
  const fixed = fixedLines();
  const own = fixed.filter(({ from }) => options.lists?.(from) ?? true);
  const allowed: string[] = [];
  const findings: Finding[] = [];
  const lost: string[] = [];
  const result = { done: 0, lost, fixed: { lines: own.length, allowed }, rates: noRates(), findings };
  const tasks = tasksOf(options, own, fixed);
  const tried = async (task: Task, sandbox: Sandbox): Promise<Omit<Finding, 'shrunk'> | null> => {
    for (let tries = 1; ; tries++) {
      try {
        return await check(task, sandbox, options, result);
      } catch (error) {
        if (tries < MOST_TRIES) continue;
        result.lost.push(task.origin);
        if (result.lost.length > MOST_LOST) throw error;
        return null;
      }
    }
  };
  const work = async (sandbox: Sandbox): Promise<void> => {
    for (const task of tasks) {
      const finding = await tried(task, sandbox);
      if (!task.fixed && ++result.done % PROGRESS === 0) options.onProgress?.(result);
      if (finding === null) continue;
      const shrunk = await shrink(finding.line, async (line) => (await unseenIn(line, sandbox, options.told)).length > 0);
      const again = await unseenIn(shrunk, sandbox, options.told);
      const whole = { ...finding, shrunk, unseen: again.length > 0 ? again : finding.unseen };
      result.findings.push(whole);
      options.onFinding?.(whole);
      if (result.findings.length >= MOST_FINDINGS) return;
    }
  };
  try {
    await Promise.all(sandboxes.flatMap((sandbox) => Array.from({ length: IN_WORK }, () => work(sandbox))));
  } finally {
    for (const sandbox of sandboxes) sandbox.close();
  }
  return result;
}

/** All lines of a run, in order; the workers share the iterator. */
function* tasksOf(
  options: RunOptions,
  own: ReturnType<typeof fixedLines>,
  fixed: ReturnType<typeof fixedLines>,
): Generator<Task, void> {
  const isStopped = options.isStopped ?? (() => false);
  for (const { from, line } of own)
    if (!isStopped()) yield { line, productions: new Set(), origin: `fixed: ${from}`, fixed: true };
  for (let i = 0; i < options.runs && !isStopped(); i++) {
    const index = options.from + i;
    yield { ...generate(options.seed, index, fixed), origin: `seed ${options.seed} index ${index}`, fixed: false };
  }
}

/** Runs one line and counts it; gives the finding, not yet made shorter. */
async function check(task: Task, sandbox: Sandbox, options: RunOptions, result: { rates: Rates; fixed: { allowed: string[] } }) {
  const { line, origin } = task;
  const trace = await sandbox.run(line);
  options.onTrace?.(line, trace);
  const asked = askSafely(line, options.told);
  if (typeof asked === 'string') return { origin, line, unseen: [{ kind: 'exception' as const, text: asked }] };
  if (!task.fixed) count(result.rates, { ...asked, productions: task.productions }, trace);
  if (!asked.allowed) return null;
  if (task.fixed) result.fixed.allowed.push(`${origin}: ${JSON.stringify(line)}`);
  const unseen = unseenOf(trace, asked.judged());
  return unseen.length > 0 ? { origin, line, unseen } : null;
}

/** The engine's answer, or what it threw: `decide` never may. */
function askSafely(line: string, told: Shell | undefined): ReturnType<typeof ask> | string {
  try {
    return ask(line, told);
  } catch (error) {
    return String(error);
  }
}

/** What bash does unseen in a line that the engine allows; nothing when it does not allow it. */
async function unseenIn(line: string, sandbox: Sandbox, told: Shell | undefined): Promise<Finding['unseen']> {
  const asked = askSafely(line, told);
  if (typeof asked === 'string') return [{ kind: 'exception', text: asked }];
  return asked.allowed ? unseenOf(await sandbox.run(line), asked.judged()) : [];
}
