/** The lines of a record of running agents: what happened, one line each, and how a line is written and read back. */
import { isTimestamp, type Timestamp } from './moment.js';
import { isIdentity, type ProcessIdentity } from './process-identity.js';

/** Somebody asked to start an agent. Whether it was let in follows from the lines before (replay.ts). */
export interface RunStart {
  readonly kind: 'start';
  /** Of this run; every later line about it names it. */
  readonly id: string;
  readonly agent: string;
  readonly runner: string;
  /** The runner's session; null where it names none. */
  readonly session: string | null;
  readonly project: string;
  /** The runner's id of the agent that asks; null for the main agent, and where the runner has no ids. */
  readonly by: string | null;
  /** The runner's id of the tool call; null where it has none. */
  readonly call: string | null;
  /** The runner's id of the agent itself, when it is known already. */
  readonly agentId: string | null;
  /** So many may run at once; null: it runs already, nobody asked. */
  readonly limit: number | null;
  /** A person is asked first. */
  readonly asked: boolean;
  readonly when: Timestamp;
  readonly hook: ProcessIdentity | null;
  /** The runner: when it is gone, so is the agent. */
  readonly holder: ProcessIdentity | null;
}

export type RunEvent =
  | RunStart
  /** Waits for its turn (`mode: queue`). */
  | (Omit<RunStart, 'kind' | 'limit'> & { readonly kind: 'wait' })
  /** The hook has said yes: the agent runs, or is about to. */
  | { readonly kind: 'answered'; readonly id: string }
  /** The runner gave the agent this id. */
  | { readonly kind: 'bound'; readonly id: string; readonly agentId: string }
  /** It goes on after its call has returned. */
  | { readonly kind: 'background'; readonly id: string }
  | { readonly kind: 'ended'; readonly id: string; readonly how: string; readonly when: Timestamp };

const LONGEST = 400;

/**
 * A line for the record. It begins with its own length, so that a line which a full disk cut off can be told from one that
 * something else damaged; and with a line break, so that it never continues such a line.
 */
export function lineOf(event: RunEvent): string {
  const text = JSON.stringify(event, cut);
  return `\n${text.length} ${text}\n`;
}

/** What a record would say of it: whoever compares the two has to cut both. */
export function asRecorded<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, cut)) as Value;
}

function cut(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST ? value.slice(0, LONGEST) : value;
}

/**
 * Every event of a record, in order. A line that was cut off when it was written never counted; throws when a line is anything
 * else than an event.
 */
export function eventsOf(text: string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [length = ''] = /^\d{1,6} /.exec(line) ?? [];
    const body = line.slice(length.length);
    // Cut off within the number, or before the end that the number promises.
    if (/^\d{1,6}$/.test(line) || (length !== '' && body.length < Number(length))) continue;
    const event: unknown = length === '' || body.length !== Number(length) ? null : JSON.parse(body);
    if (!isRunEvent(event)) throw new SyntaxError('a line is no event');
    events.push(event);
  }
  return events;
}

function isRunEvent(value: unknown): value is RunEvent {
  if (!isFields(value) || typeof value.id !== 'string') return false;
  switch (value.kind) {
    case 'start':
      return isStart(value) && (value.limit === null || typeof value.limit === 'number');
    case 'wait':
      return isStart(value);
    case 'answered':
    case 'background':
      return true;
    case 'bound':
      return typeof value.agentId === 'string';
    case 'ended':
      return typeof value.how === 'string' && isTimestamp(value.when);
    default:
      return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isStart(value: Fields): boolean {
  return (
    [value.agent, value.runner, value.project].every((one) => typeof one === 'string') &&
    [value.session, value.by, value.call, value.agentId].every((one) => one === null || typeof one === 'string') &&
    typeof value.asked === 'boolean' &&
    isTimestamp(value.when) &&
    [value.hook, value.holder].every((one) => one === null || isIdentity(one))
  );
}
