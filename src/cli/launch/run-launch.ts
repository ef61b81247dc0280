/** Carries out a prepared run: reports and logs its events, handles signals, and returns the exit code. */
import {
  type Launch,
  type LaunchAgain,
  type LaunchEnd,
  type LaunchWatcher,
  launch,
  RefusedAgain,
} from '../../enforce/launch/launch.js';
import type { DecisionRecord } from '../../log/record/record.js';
import { eventText, startLine } from '../../report/launch.js';
import { escapeJson } from '../../report/printing/escape.js';
import { runEventLine } from '../../runner/stream/stream-event.js';
import { ENDED_BY_CLOSED_PIPE, finishUnread, print, textOptions, warn, warned } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';
import { UNGOVERNED } from './advice.js';
import { adviceFor } from './denied.js';
import { writeOut } from './out.js';
import type { RunSurroundings, Subject } from './prepare.js';
import { eventLog, RUN_EXIT, runLine, tellEnd } from './tell.js';

/** Returns the exit code; see RUN_EXIT. */
export async function runLaunch(
  args: Arguments,
  wanted: Launch,
  again: LaunchAgain,
  subject: Subject,
  { stateDirectory, places, isGoverned }: Pick<RunSurroundings, 'places' | 'stateDirectory'> & { readonly isGoverned: boolean },
): Promise<number> {
  const json = switchFlag(args, 'json');
  const log = eventLog({ stateDirectory, project: places.project }, wanted);
  const interrupt = new AbortController();
  let isUnread = false;
  finishUnread(() => {
    isUnread = true;
    interrupt.abort('nobody reads its output any more');
  });
  const onSignal = (signal: NodeJS.Signals) => {
    // A person who works with the runner interrupts the runner: the terminal sends the signal to both.
    if (hasBegun && wanted.isInteractive && signal === 'SIGINT') return;
    if (!hasBegun) return interrupt.abort(signal);
    warn(`${subject.name} is being ended (${signal}); its turn is freed`);
    interrupt.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const heedSignals = onceOnly(() => {
    for (const signal of signals) process.on(signal, onSignal);
  });
  // Messages and log entries about the start are delayed until the runner has begun, but come before all others.
  let begun = () => {};
  let hasBegun = false;
  const watcher: LaunchWatcher = {
    begins: (uri, freed) => {
      hasBegun = true;
      heedSignals();
      begun = onceOnly(() => {
        for (const { run, why } of freed) {
          const message = `The run of ${run.agent} was removed from the record of running agents: ${why}.`;
          warn(`note: ${message}`);
          log('lock.stale', 'warning', message);
        }
        const override = subject.agent?.definition.override;
        if (override !== undefined) log('agent.override', 'info', `${override}.`);
        log('run.started', 'info', `${subject.name} started in ${wanted.runner} (${uri}).`);
        void print(
          json
            ? runLine({ kind: 'run', name: wanted.name, runner: wanted.runner, model: wanted.model, uri })
            : `${startLine(wanted.name, wanted.model)}\n`,
        );
      });
      setImmediate(begun);
    },
    event: (event) => {
      begun();
      return print(json ? `${escapeJson(runEventLine(event))}\n` : eventText(event, textOptions().color));
    },
    note: (sentence) => {
      begun();
      warn(`note: ${sentence}`);
      log('run.note', 'warning', sentence);
    },
    errorLine: (line) => {
      begun();
      return warned(line);
    },
  };
  let end: LaunchEnd;
  if (wanted.queue !== null) heedSignals();
  try {
    end = await launch(wanted, again, watcher, interrupt.signal);
  } catch (error) {
    if (isUnread && !hasBegun) return ENDED_BY_CLOSED_PIPE;
    if (!(error instanceof RefusedAgain)) throw error;
    const [why = ''] = error.message.split('\n');
    if (hasBegun) log('run.ended', 'warning', `${subject.name} ended: ${why.replace(/\.$/, '')}.`);
    return await error.refusal.tell();
  } finally {
    begun();
  }
  for (const signal of signals) process.off(signal, onSignal);
  if (end.outcome === 'budget') log('budget.exceeded', 'warning', `${end.error?.message ?? subject.name}.`);
  log(
    'run.ended',
    end.outcome === 'completed' ? 'info' : 'warning',
    `${subject.name} ended: ${(end.error?.message ?? end.outcome).replace(/\.$/, '')}.`,
  );
  const isAsked = (record: DecisionRecord) => record.reasons.includes('ask/nobody');
  const asked = json ? [] : end.denied.filter(isAsked);
  const advice = asked.length === 0 ? [] : adviceFor(args, asked);
  await tellEnd(end, new Map(asked.map((record, at) => [record, advice[at] ?? null])), json);
  if (!isGoverned && (end.record?.decisions?.deny ?? 0) > 0) warn(UNGOVERNED);
  if (end.outcome === 'timeout' && wanted.deadlineMs === null) warn('note: --timeout TIME gives each attempt more time');
  const isWritten = end.record?.summary == null || writeOut(args, end.record.summary, places.project);
  if (isUnread) return ENDED_BY_CLOSED_PIPE;
  return isWritten || end.outcome !== 'completed' ? RUN_EXIT[end.outcome] : RUN_EXIT.failed;
}

/** Returns a function that does the work on its first call only. */
function onceOnly(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
