/** The subagents of a project as text and as JSON, in the words of the original document. */
import type { LogRecord } from '../log/record/record.js';
import { recordLine } from './log/records.js';
import { escapeText } from './printing/escape.js';

export interface ShownRun {
  readonly id: string;
  readonly agent: string;
  readonly runner: string;
  readonly session: string | null;
  /** The runner's id of the agent; null while it is unknown. */
  readonly agentId: string | null;
  readonly state: 'waiting' | 'running' | 'refused' | 'ended';
  readonly background: boolean;
  readonly lastEvent: string;
  /** Milliseconds since 1970. */
  readonly when: { readonly at: number };
  readonly endedAt: { readonly at: number } | null;
}

const WORDS: Readonly<Record<ShownRun['state'], string>> = {
  waiting: 'waiting',
  running: 'running',
  refused: 'refused',
  ended: 'completed',
};

/** Outcomes of a run that is not regarded as completed. */
const UNDONE: ReadonlySet<string> = new Set(['failed', 'refused', 'timeout', 'interrupted', 'budget']);

function stateWord({ state, lastEvent }: Pick<ShownRun, 'state' | 'lastEvent'>): string {
  return state === 'ended' && UNDONE.has(lastEvent) ? 'ended' : WORDS[state];
}

/** Returns the number of running subagents, then a line for each run, with a final line break. */
export function runList(runs: readonly ShownRun[]): string {
  if (runs.length === 0) return 'No subagent runs yet.\n';
  return [runningLine(runs), ...runs.map(runLine)].map((line) => `${line}\n`).join('');
}

/** `Running: 1` */
export function runningLine(runs: readonly ShownRun[]): string {
  return `Running: ${countRunning(runs)}`;
}

/** `  reviewer (running): started` */
export function runLine(run: ShownRun): string {
  return escapeText(`  ${run.agent} (${stateWord(run)}): ${run.lastEvent}`);
}

function countRunning(runs: readonly ShownRun[]): number {
  return runs.filter(({ state }) => state === 'running').length;
}

/** Returns one run: its properties, and how many of its calls got which decision. With a final line break. */
export function runSummary(run: ShownRun, records: readonly LogRecord[]): string {
  const { id, agent, runner, session, agentId, lastEvent, when, endedAt } = run;
  const lines = [
    `${agent} (${stateWord(run)}): ${lastEvent}`,
    `  run      ${id}`,
    `  runner   ${runner}${session === null ? '' : `, session ${session}`}`,
    ...(agentId === null ? [] : [`  agent    ${agentId}`]),
    `  started  ${timeOf(when)}`,
    ...(endedAt === null ? [] : [`  ended    ${timeOf(endedAt)}, after ${Math.round((endedAt.at - when.at) / 1000)} s`]),
    `  calls    ${countsOf(records)}`,
  ];
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

/** Returns the events of a run in order, one per line. With a final line break. */
export function runLog({ when, endedAt, lastEvent }: ShownRun, records: readonly LogRecord[]): string {
  const end = endedAt === null ? [] : [`${timeOf(endedAt)}  ${escapeText(lastEvent)}`];
  return [`${timeOf(when)}  started`, ...records.map((record) => recordLine(record)), ...end].map((line) => `${line}\n`).join('');
}

/** `12: 10 allow, 2 deny`, in the order of first occurrence; in observe mode the hypothetical decisions are counted. */
function countsOf(records: readonly LogRecord[]): string {
  const counts = new Map<string, number>();
  let all = 0;
  for (const record of records) {
    if (record.kind !== 'decision') continue;
    all += 1;
    const decision = record.would ?? record.decision;
    counts.set(decision, (counts.get(decision) ?? 0) + 1);
  }
  if (all === 0) return 'none in the log under its name';
  return `${all}: ${[...counts].map(([decision, count]) => `${count} ${decision}`).join(', ')}`;
}

function timeOf({ at }: ShownRun['when']): string {
  return new Date(at).toISOString();
}

/** Returns the runs by their ids. @param log the records of the one run, if they are wanted */
export function runsAsJson(project: string, runs: readonly ShownRun[], log?: readonly LogRecord[]): object {
  const entries = runs.map(({ id, agent, runner, session, agentId, state, background, lastEvent, when, endedAt }) => [
    id,
    {
      agentName: agent,
      subConversationId: agentId,
      lastEvent,
      completed: state === 'ended',
      state: WORDS[state],
      background,
      startedAt: timeOf(when),
      endedAt: endedAt && timeOf(endedAt),
      runner,
      session,
      ...(log !== undefined && { log }),
    },
  ]);
  return { version: 1, project, running: countRunning(runs), runs: Object.fromEntries(entries) };
}
