/** When a run counts no more. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUN_FAMILY } from '../../src/run/launched.js';
import { timestampOf } from '../../src/run/moment.js';
import type { ProcessTable } from '../../src/run/process-identity.js';
import type { Run } from '../../src/run/replay.js';
import { staleness } from '../../src/run/stale.js';
import { PROJECT } from './run-context.js';

const HOUR = 3_600_000;
const HOLDER = { pid: 10, began: 'at 10', where: 'here' };

function table(pids: readonly number[], readable = true): ProcessTable {
  const status = (pid: number) => (pids.includes(pid) ? { parent: 1, name: 'node', began: `at ${pid}`, ended: false } : null);
  return { where: 'here', readable, status };
}

function run(more: Partial<Run> = {}): Run {
  return {
    ...{ id: 'r', agent: 'reviewer', runner: '', session: RUN_FAMILY, project: PROJECT, by: null, call: null, asked: false },
    ...{ agentId: null, when: timestampOf(0, 0), hook: HOLDER, holder: HOLDER, state: 'running', answered: true },
    ...{ background: false, endedAt: null, lastEvent: 'started' },
    ...more,
  };
}

const after = (hours: number) => timestampOf(hours * HOUR, hours * HOUR);

for (const [what, one, hours, pids, why] of [
  ['`policy run` that works for a day goes on', run(), 24, [10], null],
  ['one that waits for a day goes on waiting', run({ state: 'waiting', answered: false }), 24, [10], null],
  ['one that was killed is over at once', run(), 0, [], 'what started it ended without it'],
  [
    'an agent of a session is lost sooner or later',
    run({ session: 's', runner: 'codex' }),
    24,
    [10],
    'older than any subagent can run',
  ],
  ['it runs for some hours', run({ session: 's', runner: 'codex' }), 11, [10], null],
  ['nobody knows who started it: age decides', run({ hook: null, holder: null }), 24, [10], 'older than any subagent can run'],
] as const)
  test(what, () => {
    assert.is(staleness(one, after(hours), table(pids)), why);
  });

test('where processes cannot be looked at age decides', () => {
  assert.is(staleness(run(), after(24), table([], false)), 'older than any subagent can run');
  assert.is(staleness(run(), after(1), table([], false)), null);
});

test.run();
