/** The lines of a record of running agents: one line for each event, and how a line is written and read back. */
import { isTimestamp, type Timestamp } from './moment.js';
import { isIdentity, type ProcessIdentity } from './process-identity.js';

/** A request to start an agent. Whether it was admitted follows from the lines before it (replay.ts). */
export interface RunStart {
  readonly kind: 'start';
  /** The id of this run; every later line about it contains it. */
  readonly id: string;
  readonly agent: string;
  readonly runner: string;
  /** The runner's session; null if it names none. */
  readonly session: string | null;
  readonly project: string;
  /** The runner's id of the asking agent; null for the main agent, and if the runner has no ids. */
  readonly by: string | null;
  /** The runner's id of the tool call; null if it has none. */
  readonly call: string | null;
  /** The runner's id of the agent itself, if already known. */
  readonly agentId: string | null;
  /** The maximum number of agents that may run at once; null: it already runs without a request. */
  readonly limit: number | null;
  /** A person is asked first. */
  readonly asked: boolean;
  readonly when: Timestamp;
  readonly hook: ProcessIdentity | null;
  /** The runner: when it has ended, so has the agent. */
  readonly holder: ProcessIdentity | null;
}

export type RunEvent =
  | RunStart
  /** The request waits for its turn (`mode: queue`). */
  | (Omit<RunStart, 'kind' | 'limit'> & { readonly kind: 'wait' })
  /** The hook has allowed it: the agent runs, or is about to. */
  | { readonly kind: 'answered'; readonly id: string }
  /** The runner gave the agent this id. */
  | { readonly kind: 'bound'; readonly id: string; readonly agentId: string }
  /** It continues after its call has returned. */
  | { readonly kind: 'background'; readonly id: string }
  | { readonly kind: 'ended'; readonly id: string; readonly how: string; readonly when: Timestamp };

const LONGEST = 400;

/**
 * A line for the record. It begins with its own length, so that a line cut off by a full disk can be distinguished from a damaged
 * one, and with a line break, so that it never continues such a line.
 */
export function lineOf(event: RunEvent): string {
  const text = JSON.stringify(event, cut);
  return `\n${text.length} ${text}\n`;
}

/** The value as a record would contain it; to compare the two, shorten both. */
export function asRecorded<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, cut)) as Value;
}

function cut(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST ? value.slice(0, LONGEST) : value;
}

/** Returns every event of a record, in order. Lines cut off when written are ignored; throws if any other line is not an event. */
export function eventsOf(text: string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [length = ''] = /^\d{1,6} /.exec(line) ?? [];
    const body = line.slice(length.length);
    // Cut off within the number, or before the length that the number states.
    if (/^\d{1,6}$/.test(line) || (length !== '' && body.length < Number(length))) continue;
    const event: unknown = length === '' || body.length !== Number(length) ? null : JSON.parse(body);
    if (!isRunEvent(event)) throw new SyntaxError('a line is not an event');
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
