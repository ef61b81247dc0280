/** The subagents of a project as text and as JSON, in the words of the original (R006, R007, R046, R048, R049). */
import { escapeText } from './escape.js';

/** What is shown of a run. */
export interface ShownRun {
  readonly id: string;
  readonly agent: string;
  readonly runner: string;
  readonly session: string | null;
  /** The runner's id of the agent; null while it is not known. */
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

/** R046: how many run, then a line for each run, with a final line break. */
export function runList(runs: readonly ShownRun[]): string {
  if (runs.length === 0) return 'No subagent runs yet.\n';
  const lines = runs.map(({ agent, state, lastEvent }) => `  ${agent} (${WORDS[state]}): ${lastEvent}`);
  return [`Running: ${countRunning(runs)}`, ...lines].map((line) => `${escapeText(line)}\n`).join('');
}

function countRunning(runs: readonly ShownRun[]): number {
  return runs.filter(({ state }) => state === 'running').length;
}

/** The runs by their ids. */
export function runsAsJson(project: string, runs: readonly ShownRun[]): object {
  const entries = runs.map(({ id, agent, runner, session, agentId, state, background, lastEvent, when, endedAt }) => [
    id,
    {
      agentName: agent,
      subConversationId: agentId,
      lastEvent,
      completed: state === 'ended',
      state: WORDS[state],
      background,
      startedAt: new Date(when.at).toISOString(),
      endedAt: endedAt && new Date(endedAt.at).toISOString(),
      runner,
      session,
    },
  ]);
  return { version: 1, project, running: countRunning(runs), runs: Object.fromEntries(entries) };
}
