/** Which run of `policy run` a process belongs to, by the records on disk and the processes around it. */
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type LaunchedRun,
  launchedDirectory,
  launchedRun,
  launchedRuns,
  removeLaunched,
  runMark,
  writeLaunched,
} from '../../src/run/launched.js';
import type { ProcessTable } from '../../src/run/process-identity.js';
import { RunError } from '../../src/run/run-error.js';
import { scratch } from './run-context.js';

const HERE = 'boot-1 pid:[1]';

/** A machine on which each process, by its number, has this parent. */
function machine(
  parents: Readonly<Record<number, number>>,
  more: { readonly gone?: readonly number[]; readonly where?: string } = {},
) {
  const table: ProcessTable = {
    where: more.where ?? HERE,
    readable: true,
    status: (pid) => {
      const parent = parents[pid];
      if (parent === undefined || more.gone?.includes(pid)) return null;
      return { parent, name: 'node', began: `at ${pid}`, ended: false };
    },
  };
  return () => table;
}

function identity(pid: number, began = `at ${pid}`, where = HERE) {
  return { pid, began, where };
}

function stateWith(...runs: readonly LaunchedRun[]): string {
  const state = scratch();
  mkdirSync(launchedDirectory(state));
  for (const run of runs) writeLaunched(state, run);
  return state;
}

function launched(holder: number, child: number, more: Partial<LaunchedRun> = {}): LaunchedRun {
  return {
    version: 1,
    id: `run-${child}`,
    agent: 'reviewer',
    model: null,
    runner: 'claude-code',
    preset: 'safe',
    project: '/p',
    holder: identity(holder),
    child: identity(child),
    headless: true,
    spent: null,
    ...more,
  };
}

/** 10 is `policy run`, 20 the runner, 30 a shell of it, 40 the hook's parent. */
const TREE = { 2: 1, 10: 2, 20: 10, 30: 20, 40: 30, 50: 2 };

const failing = (use: () => unknown): string => {
  try {
    use();
  } catch (error) {
    assert.instance(error, RunError);
    return (error as RunError).message;
  }
  throw new Error('nothing was thrown');
};

test('what descends from a run belongs to it, nothing else', () => {
  const state = stateWith(launched(10, 20));
  for (const pid of [40, 30, 20, 10]) assert.is(launchedRun(state, '/p', pid, undefined, machine(TREE))?.id, 'run-20', `${pid}`);
  assert.is(launchedRun(state, '/p', 50, undefined, machine(TREE)), null);
  assert.is(launchedRun(state, '/p', 99, undefined, machine(TREE)), null, 'nobody can be seen');
});

test('while a run goes on, a call whose environment cannot be seen may belong to it', () => {
  const state = stateWith(launched(10, 20));
  for (const parent of [50, 99])
    assert.match(
      failing(() => launchedRun(state, '/p', parent, null, machine(TREE))),
      /^a run started by policy is going on, and this call may belong to it; try again$/,
    );
  assert.is(launchedRun(state, '/p', 40, null, machine(TREE))?.id, 'run-20');
  assert.is(launchedRun(stateWith(), '/p', 50, null, machine(TREE)), null);
  assert.is(launchedRun(state, '/p', 50, null, machine(TREE, { gone: [10, 20] })), null, 'its record was left behind');
});

test('without a record nobody looks at processes', () => {
  const table = () => {
    throw new Error('looked');
  };
  assert.is(launchedRun(scratch(), '/p', 40, undefined, table), null);
  assert.is(launchedRun(stateWith(), '/p', 40, undefined, table), null);
});

test('of two runs around it that of the nearest counts', () => {
  const state = stateWith(launched(10, 20), launched(30, 40, { agent: 'inner' }));
  assert.is(launchedRun(state, '/p', 40, undefined, machine(TREE))?.agent, 'inner');
  assert.is(launchedRun(state, '/p', 20, undefined, machine(TREE))?.agent, 'reviewer');
});

/** 100 is a terminal, 5 a person's services; the run is 200 and its runner 300, which began at those moments. */
const SESSION = { 1: 0, 5: 1, 100: 5, 200: 100, 300: 200 };
const began = (parents: Readonly<Record<number, number>>, times: Readonly<Record<number, string>> = {}) => {
  const table: ProcessTable = {
    where: HERE,
    readable: true,
    status: (pid) => {
      const parent = parents[pid];
      const name = pid === 5 ? 'systemd' : 'node';
      return parent === undefined ? null : { parent, name, began: times[pid] ?? String(pid), ended: false };
    },
  };
  return () => table;
};

test('a client that left its parents while a run went on in this project does nothing', () => {
  const state = stateWith(launched(200, 300, { holder: identity(200, '200'), child: identity(300, '300') }));
  const left = /^this agent began during a run started by policy in this project \(run-300\)/;
  for (const [why, parents] of [
    ['the first process took it in', { 400: 1, 410: 400 }],
    ["a person's services did", { 400: 5, 410: 400 }],
  ] as const)
    assert.match(
      failing(() => launchedRun(state, '/p', 410, undefined, began({ ...SESSION, ...parents }))),
      left,
      why,
    );
  for (const [why, parents, times, project] of [
    ['a terminal is above it', { 400: 100, 410: 400 }, {}, '/p'],
    ['so is one that was opened since', { 390: 1, 400: 390, 410: 400 }, { 390: '290' }, '/p'],
    ['it began before the run', { 400: 1, 410: 400 }, { 400: '299' }, '/p'],
    ['another project', { 400: 1, 410: 400 }, {}, '/q'],
    ['nobody tells when it began', { 400: 1, 410: 400 }, { 400: 'Mon Jan  1' }, '/p'],
    ['it was entered from outside', { 400: 0, 410: 400 }, {}, '/p'],
  ] as const)
    assert.is(launchedRun(state, project, 410, undefined, began({ ...SESSION, ...parents }, times)), null, why);
  const { 200: _, ...ended } = SESSION;
  assert.is(launchedRun(state, '/p', 410, undefined, began({ ...ended, 300: 1, 400: 1, 410: 400 })), null, 'the run is over');
});

test('a number that was given out again is not the process of the record', () => {
  const state = stateWith(launched(10, 20, { holder: identity(10, 'earlier'), child: identity(20, 'earlier') }));
  assert.is(launchedRun(state, '/p', 40, undefined, machine(TREE)), null);
  const otherBoot = stateWith(
    launched(10, 20, { holder: identity(10, 'at 10', 'boot-0 pid:[1]'), child: identity(20, 'at 20', 'boot-0 pid:[1]') }),
  );
  assert.is(launchedRun(otherBoot, '/p', 40, undefined, machine(TREE)), null);
});

test('once `policy run` is gone nothing is done in its name', () => {
  const state = stateWith(launched(10, 20));
  const orphaned = machine({ ...TREE, 20: 1 }, { gone: [10] });
  assert.match(
    failing(() => launchedRun(state, '/p', 40, undefined, orphaned)),
    /^the run that policy started this agent for \(run-20\) has ended/,
  );
});

test('a record that cannot be read denies to whom it may be about, and to nobody else', () => {
  const good = JSON.stringify(launched(10, 20));
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['no JSON', (file) => writeFileSync(file, 'x')],
    ['half of it', (file) => writeFileSync(file, good.slice(0, 60))],
    ['empty', (file) => writeFileSync(file, '')],
    ['null', (file) => writeFileSync(file, 'null')],
    ['another version', (file) => writeFileSync(file, good.replace('"version":1', '"version":2'))],
    ['no preset of ours', (file) => writeFileSync(file, good.replace('"safe"', '"everything"'))],
    ['an agent that is no name', (file) => writeFileSync(file, good.replace('"reviewer"', '{}'))],
    ['no holder', (file) => writeFileSync(file, good.replace('"holder"', '"older"'))],
    ['too long', (file) => writeFileSync(file, good + ' '.repeat(70_000))],
    ['a link', (file) => symlinkSync('/dev/null', file)],
    ['a folder', (file) => mkdirSync(file)],
    [
      'writable for others',
      (file) => {
        writeFileSync(file, good);
        chmodSync(file, 0o666);
      },
    ],
    [
      'a second name',
      (file) => {
        writeFileSync(file, good);
        linkSync(file, `${file}.other`);
      },
    ],
  ];
  for (const [what, damage] of damages) {
    const state = stateWith();
    damage(join(launchedDirectory(state), '10-20.json'));
    assert.match(
      failing(() => launchedRun(state, '/p', 40, undefined, machine(TREE))),
      /the record of a run started by policy/,
      what,
    );
    assert.is(launchedRun(state, '/p', 50, undefined, machine(TREE)), null, what);
  }
});

test('a folder that cannot be read denies', () => {
  const state = scratch();
  writeFileSync(launchedDirectory(state), 'no folder');
  assert.match(
    failing(() => launchedRun(state, '/p', 50, undefined, machine(TREE))),
    /cannot be read \(ENOTDIR\)/,
  );
});

test('whoever nests deeper than anybody does is not let out at the top', () => {
  const deep: Record<number, number> = { ...TREE };
  for (let pid = 1_000; pid < 2_000; pid += 1) deep[pid] = pid === 1_000 ? 20 : pid - 1;
  const state = stateWith(launched(10, 20));
  assert.is(launchedRun(state, '/p', 1_200, undefined, machine(deep))?.id, 'run-20');
  assert.match(
    failing(() => launchedRun(state, '/p', 1_900, undefined, machine(deep))),
    /which is too deep/,
  );
});

test('one that carries the mark of a run and descends from none is denied everything', () => {
  const state = stateWith(launched(10, 20));
  const mark = runMark(state, 'run-20');
  assert.match(
    failing(() => launchedRun(state, '/p', 50, mark, machine(TREE))),
    /has the mark of a run .* unset POLICY_RUN first$/,
  );
  assert.match(
    failing(() => launchedRun(state, '/p', 50, `x:${mark}`, machine(TREE))),
    /has the mark/,
    'ancestors had set it differently',
  );
  assert.match(
    failing(
      () =>
        launchedRun(scratch(), '/p', 50, runMark(state, 'x'), machine(TREE)) ?? launchedRun(state, '/p', 50, mark, machine(TREE)),
    ),
    /mark/,
  );
  // The run's record is gone: it has ended.
  const empty = stateWith();
  assert.match(
    failing(() => launchedRun(empty, '/p', 50, runMark(empty, 'run-20'), machine(TREE))),
    /has the mark/,
  );
  assert.is(launchedRun(state, '/p', 40, mark, machine(TREE))?.id, 'run-20');
  assert.is(
    launchedRun(state, '/p', 50, runMark('/another/state', 'run-20'), machine(TREE)),
    null,
    'hooks of that directory answer for it',
  );
});

test('what is written is read back, renewed in place, and taken away', () => {
  const run = launched(10, 20);
  const state = stateWith(run);
  writeLaunched(state, { ...run, spent: 'its time' });
  assert.equal(launchedRun(state, '/p', 40, undefined, machine(TREE)), { ...run, spent: 'its time' });
  removeLaunched(state, run);
  removeLaunched(state, run);
  assert.equal(readdirSync(launchedDirectory(state)), []);
  assert.match(
    failing(() => writeLaunched(scratch(), run)),
    /cannot be written \(ENOENT\)/,
  );
});

test('records of runs that are over are removed when both, `policy run` and its runner, are gone', () => {
  const state = stateWith(launched(10, 20), launched(11, 21), launched(12, 22));
  const runs = launchedRuns(state, machine({ ...TREE, 22: 1 })());
  assert.equal(
    runs.map(({ id }) => id),
    ['run-20'],
  );
  const files = readdirSync(launchedDirectory(state)).sort();
  assert.equal(files, ['10-20.json', '12-22.json'], 'what runs on is still denied by its record');
  assert.not(existsSync(join(launchedDirectory(state), '11-21.json')));
});

test.run();
