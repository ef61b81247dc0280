/**
 * Computes the running agents from the lines of a record. There is no lock: the file system puts the lines of all hooks into one
 * order, and every hook that reads them gets the same result about which agents were admitted.
 */
import type { Timestamp } from './moment.js';
import type { RunEvent, RunStart } from './run-event.js';

export interface Run extends Omit<RunStart, 'kind' | 'limit'> {
  /** `refused`: the limit had been reached when its line was written. */
  readonly state: 'waiting' | 'running' | 'refused' | 'ended';
  /** The hook allowed it. */
  readonly answered: boolean;
  /** It continues after its call has returned. */
  readonly background: boolean;
  readonly endedAt: Timestamp | null;
  /** The last known event, in a few words. */
  readonly lastEvent: string;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Returns every run of a record, in the order of their first lines. */
export function replay(events: readonly RunEvent[]): readonly Run[] {
  const runs = new Map<string, Mutable<Run>>();
  let running = 0;
  for (const event of events) {
    const run = runs.get(event.id);
    switch (event.kind) {
      case 'wait':
        if (run !== undefined && run.state !== 'refused') break;
        runs.set(event.id, { ...withoutKind(event), ...FRESH, state: 'waiting', lastEvent: 'waits for its turn' });
        break;
      case 'start': {
        if (run !== undefined && run.state !== 'waiting' && run.state !== 'refused') break;
        const mayRun = event.limit === null || running < event.limit;
        // A waiting request keeps waiting if another one came first.
        if (!mayRun && run?.state === 'waiting') break;
        if (mayRun) running += 1;
        const { limit, ...start } = withoutKind(event);
        runs.set(event.id, {
          ...start,
          ...FRESH,
          state: mayRun ? 'running' : 'refused',
          lastEvent: mayRun ? (event.asked ? 'waits for an answer' : 'started') : 'refused',
          answered: limit === null,
        });
        break;
      }
      case 'answered':
        if (run !== undefined) run.answered = true;
        break;
      case 'bound':
        // The first id is kept: any other agent that wanted this run sees that it was taken.
        if (run === undefined || run.agentId !== null) break;
        run.agentId = event.agentId;
        if (run.state === 'running') run.lastEvent = 'running';
        break;
      case 'background':
        if (run === undefined) break;
        run.background = true;
        if (run.state === 'running') run.lastEvent = 'running in the background';
        break;
      case 'ended':
        if (run === undefined || run.state === 'ended') break;
        if (run.state === 'running') running -= 1;
        run.state = 'ended';
        run.endedAt = event.when;
        run.lastEvent = event.how;
        break;
    }
  }
  return [...runs.values()];
}

const FRESH = { answered: false, background: false, endedAt: null };

function withoutKind<Event extends { readonly kind: string }>({ kind: _, ...rest }: Event): Omit<Event, 'kind'> {
  return rest;
}
