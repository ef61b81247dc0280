/** Many hook processes at once: what each of them answered, against what the log says afterwards. */
import type { FaultWorld } from '../world.js';
import { type Answer, answerOf, ask } from './call.js';
import { logOf, type WholeLog } from './log.js';

export interface Crowd {
  readonly calls: number;
  readonly seconds: number;
  readonly answers: Readonly<Record<Answer['kind'], number>>;
  /** Records of these calls. */
  readonly records: number;
  readonly torn: number;
  /** The hook answered and logged nothing, though it did not say so. */
  readonly lost: number;
  /** The line denied, since it did not hear from the hook in time; recorded before that, and not. */
  readonly unheard: { readonly recorded: number; readonly unrecorded: number };
  readonly twice: number;
  /** The log says something else than the answer: another decision, or another id. */
  readonly otherwise: number;
  /** Denied calls that would have run. */
  readonly falseAllows: number;
  /** Answers that are none of the expected ones. */
  readonly odd: readonly string[];
}

interface Met {
  readonly isDenied: boolean;
  readonly answer: Answer;
}

/** So many workers, each starting so many processes one after another; every second call is denied. */
export async function crowd(world: FaultWorld, workers: number, runs: number): Promise<Crowd> {
  const started = process.hrtime.bigint();
  const met = new Map<string, Met>();
  const odd: string[] = [];
  const worker = async (name: number) => {
    for (let at = 0; at < runs; at += 1) {
      const id = `storm-${name}-${at}`;
      const isDenied = (name + at) % 2 === 0;
      const outcome = await ask(world, { id, isDenied });
      const answer = answerOf(outcome);
      met.set(id, { isDenied, answer });
      if (answer.kind !== (isDenied ? 'rule' : 'passed')) odd.push(`${id}: ${JSON.stringify(outcome)}`);
      if (met.size % 1000 === 0) console.error(`${new Date().toISOString()} ${met.size} calls`);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, name) => worker(name)));
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { ...compared(met, logOf(world)), calls: workers * runs, seconds, odd };
}

function compared(met: ReadonlyMap<string, Met>, log: WholeLog): Omit<Crowd, 'calls' | 'seconds' | 'odd'> {
  const answers = { passed: 0, rule: 0, unlogged: 0, unheard: 0, other: 0 };
  const unheard = { recorded: 0, unrecorded: 0 };
  const counts = { records: 0, lost: 0, twice: 0, otherwise: 0, falseAllows: 0 };
  for (const [id, { isDenied, answer }] of met) {
    answers[answer.kind] += 1;
    const [record, ...more] = log.calls.get(id) ?? [];
    counts.records += record === undefined ? 0 : 1;
    counts.twice += more.length;
    if (isDenied && answer.kind === 'passed') counts.falseAllows += 1;
    if (answer.kind === 'unheard') unheard[record === undefined ? 'unrecorded' : 'recorded'] += 1;
    else if (record === undefined) counts.lost += answer.kind === 'unlogged' ? 0 : 1;
    else if (record.decision !== (isDenied ? 'deny' : 'allow')) counts.otherwise += 1;
    else if (answer.kind === 'rule' && answer.decision !== record.id) counts.otherwise += 1;
  }
  return { answers, unheard, ...counts, torn: log.torn };
}

/** True when the log can answer for every call. */
export function isWhole({ lost, torn, twice, otherwise, falseAllows, odd, calls, records }: Crowd): boolean {
  return lost + torn + twice + otherwise + falseAllows + odd.length === 0 && records === calls;
}
