/** The record of running agents under attack: real processes that start at once, die, hang, or find it damaged. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { requestRun } from '../../src/run/admission.js';
import { appendToJournal, journalFile, readJournal, runsDirectory } from '../../src/run/journal.js';
import { answered, recordLifecycle, withdrawn } from '../../src/run/lifecycle.js';
import { type Timestamp, timestampOf } from '../../src/run/moment.js';
import { identityOf } from '../../src/run/process-identity.js';
import { RunError } from '../../src/run/run-error.js';
import { runningAgents, runsOfProject } from '../../src/run/running-agents.js';
import { PROJECT, request, runContextFor, Starter, scratch } from './run-context.js';

const ONE = { limit: 1, patience: 0 };

/** A state directory with the folder of the records, and the record of session `s`. */
function world() {
  const state = scratch();
  mkdirSync(runsDirectory(state), { mode: 0o700 });
  return { state, file: journalFile(state, PROJECT, 's') };
}

const names = (state: string) => runningAgents(state, PROJECT, 's').map(({ agent }) => agent);

test('64 processes that ask at once: exactly as many get in as may, round after round', async () => {
  const starters = Array.from({ length: 64 }, () => new Starter());
  try {
    for (const limit of [1, 1, 1, 3, 7]) {
      const { state, file } = world();
      const answers = await Promise.all(starters.map((one) => one.ask({ do: 'start', file, limit })));
      assert.is(answers.filter(({ admitted }) => admitted).length, limit, `limit ${limit}`);
      assert.is(names(state).length, limit);
      for (const answer of answers) if (!answer.admitted) assert.ok(answer.running.length > 0, 'a refusal names who runs');
    }
    const { state, file } = world();
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(starters.map((one) => one.ask({ do: 'start', file })));
      const [first, ...more] = answers.filter(({ admitted }) => admitted);
      assert.ok(first?.admitted === true && more.length === 0, `round ${round} in one record`);
      if (first?.admitted) withdrawn(first.id, 'completed', runContextFor(file));
    }
    assert.equal(names(state), []);
  } finally {
    await Promise.all(starters.map((one) => one.end()));
  }
});

test('a hook that is killed before it answered holds nothing; one that answered does', async () => {
  const { state, file } = world();
  const killed = new Starter();
  assert.ok((await killed.ask({ do: 'start-unanswered', file })).admitted);
  assert.is(requestRun(request({}), ONE, runContextFor(file)).admitted, false, 'while it lives it counts');
  await killed.end();
  const next = new Starter();
  const answer = await next.ask({ do: 'start', file, agent: 'second' });
  assert.ok(answer.admitted);
  assert.match(answer.freed[0]?.why ?? '', /before it answered/);
  await next.end();
  assert.equal(names(state), ['second'], 'its hook is gone, as hooks are; the runner is this process');
  assert.is(requestRun(request({}), ONE, runContextFor(file)).admitted, false);
});

test('a runner that is killed with an agent running does not block the next session of the same id', async () => {
  const { file } = world();
  // The shell stands for the runner: it starts the hook and waits for it.
  const runner = new Starter(['/bin/sh', '-c', `"$0" "$1"; exit $?`, process.execPath, 'build/test/run/starter.js']);
  assert.ok((await runner.ask({ do: 'start', file })).admitted);
  assert.is(requestRun(request({}), ONE, runContextFor(file)).admitted, false);
  await runner.end();
  const after = requestRun(request({}), ONE, runContextFor(file));
  assert.ok(after.admitted);
  assert.match(after.freed[0]?.why ?? '', /claude-code ended without it/);
});

test('a runner that is stopped (SIGSTOP) still runs its agent', async () => {
  const { file } = world();
  const runner = new Starter();
  assert.ok((await runner.ask({ do: 'start-unanswered', file })).admitted);
  runner.child.kill('SIGSTOP');
  assert.is(requestRun(request({}), ONE, runContextFor(file)).admitted, false);
  await runner.end();
});

test('a process number that was given out again is somebody else', () => {
  const { file } = world();
  const runContext = runContextFor(file);
  const own = identityOf(process.pid, runContext.table);
  assert.ok(own);
  const earlier = { ...runContext, holder: own && { ...own, began: '1' } };
  const first = requestRun(request({}), ONE, earlier);
  assert.ok(first.admitted);
  answered(first.admitted ? first.id : '', runContext);
  assert.ok(requestRun(request({}), ONE, runContext).admitted);
});

test('a process of another container is nobody that could be asked: it counts', () => {
  const { file } = world();
  const runContext = runContextFor(file);
  const own = identityOf(process.pid, runContext.table);
  assert.ok(own);
  const where = `${own?.where.split(' ')[0]} pid:[1]`;
  const first = requestRun(request({}), ONE, { ...runContext, holder: own && { ...own, pid: 999_999_999, where } });
  assert.ok(first.admitted);
  answered(first.admitted ? first.id : '', runContext);
  assert.is(requestRun(request({}), ONE, runContext).admitted, false);
});

const HOUR = 3_600_000;
const jumps: readonly (readonly [what: string, later: (at: Timestamp) => Timestamp, admitted: boolean])[] = [
  ['the clock set forward by ten years', (at) => ({ ...at, at: at.at + 87_600 * HOUR, up: at.up + 1 }), false],
  ['the clock set back by ten years', (at) => ({ ...at, at: at.at - 87_600 * HOUR, up: at.up + 1 }), false],
  ['thirteen hours of work', (at) => ({ ...at, at: at.at + 13 * HOUR, up: at.up + 13 * HOUR }), true],
  ['thirteen hours of work, the clock set back', (at) => ({ ...at, at: at.at - HOUR, up: at.up + 13 * HOUR }), true],
  ['another start of the machine a day later', (at) => ({ at: at.at + 24 * HOUR, up: 5, boot: 'other' }), true],
];
for (const [what, later, admitted] of jumps)
  test(`${what}: one more is ${admitted ? 'let in' : 'refused'}`, () => {
    const { file } = world();
    const runContext = runContextFor(file, { holder: null });
    const first = requestRun(request({}), ONE, runContext);
    assert.ok(first.admitted);
    answered(first.admitted ? first.id : '', runContext);
    assert.is(requestRun(request({}), ONE, { ...runContext, now: () => later(runContext.now()) }).admitted, admitted);
  });

const damages: readonly (readonly [what: string, damage: (file: string) => void, says: RegExp])[] = [
  ['garbage at its end', (file) => appendFileSync(file, 'garbage\n'), /is damaged; remove it/],
  [
    'a line that was changed',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"start"', '"stark"')),
    /is damaged/,
  ],
  [
    'a field of another type',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"asked":false', '"asked":00000')),
    /is damaged/,
  ],
  ['binary zeros', (file) => writeFileSync(file, Buffer.alloc(512)), /is damaged/],
  ['no permission to read it', (file) => chmodSync(file, 0o622), /can be changed by others/],
  ['a second name', (file) => linkSync(file, `${file}.other`), /has 2 names/],
];
for (const [what, damage, says] of damages)
  test(`a record with ${what} refuses every start, and says what to do`, () => {
    const { state, file } = world();
    const first = requestRun(request({}), ONE, runContextFor(file));
    assert.ok(first.admitted);
    damage(file);
    for (const use of [
      () => requestRun(request({}), { limit: 9, patience: 0 }, runContextFor(file)),
      () => runningAgents(state, PROJECT, 's'),
      () => recordLifecycle({ kind: 'session-ended' }, request({}), runContextFor(file)),
    ])
      try {
        use();
        assert.unreachable('it was read');
      } catch (error) {
        assert.instance(error, RunError);
        assert.match((error as Error).message, says);
        assert.match((error as Error).message, /remove it when no subagent is running$/);
      }
  });

test('a link in place of the record is not followed, and nothing is written behind it', () => {
  const { file, state } = world();
  const target = join(state, 'elsewhere');
  writeFileSync(target, '');
  symlinkSync(target, file);
  assert.throws(() => requestRun(request({}), ONE, runContextFor(file)), /is a symbolic link/);
  assert.is(statSync(target).size, 0);
});

test('a line that a full disk cut off never counted, and what follows it does', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  appendFileSync(file, '\n412 {"kind":"start","id":"torn","agent":"rev', { mode: 0o600 });
  const first = requestRun(request({ agent: 'whole' }), ONE, runContext);
  assert.ok(first.admitted);
  appendFileSync(file, '\n41');
  answered(first.admitted ? first.id : '', runContext);
  assert.equal(names(state), ['whole']);
  assert.is(requestRun(request({}), ONE, runContext).admitted, false);
});

test('a file that may grow no further refuses the start', async () => {
  const { file, state } = world();
  // `ulimit -f` counts blocks of 512 or 1024 bytes; the record is full already.
  appendFileSync(file, '\n'.repeat(4096), { mode: 0o600 });
  const full = new Starter([
    '/bin/sh',
    '-c',
    'ulimit -f 1; exec "$0" "$1" 2>/dev/null',
    process.execPath,
    'build/test/run/starter.js',
  ]);
  const gone = new Promise((resolve) => {
    full.child.once('close', resolve);
  });
  full.child.stdin?.write(`${JSON.stringify({ do: 'start', file })}\n`);
  assert.is.not(await gone, 0, 'it failed instead of answering');
  assert.equal(names(state), []);
});

test('ending twice ends nothing else; another session ends nothing of this one', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  const first = requestRun(request({ agent: 'a', call: 't1' }), ONE, runContext);
  assert.ok(first.admitted);
  const end = { kind: 'call-ended', call: 't1', agent: 'a', agentId: null, background: false } as const;
  recordLifecycle(end, request({}), runContext);
  const second = requestRun(request({ agent: 'a', call: 't2' }), ONE, runContext);
  assert.ok(second.admitted);
  recordLifecycle(end, request({}), runContext);
  assert.equal(names(state), ['a'], 'the second one still runs');
  const other = runContextFor(journalFile(state, PROJECT, 'other'));
  recordLifecycle({ kind: 'session-ended' }, request({ session: 'other' }), other);
  recordLifecycle({ kind: 'agent-ended', agentId: 'stranger', agent: null }, request({}), runContext);
  assert.equal(names(state), ['a']);
  assert.ok(requestRun(request({ session: 'other' }), ONE, other).admitted, 'sessions count for themselves');
});

test('names and ids that are longer than the record keeps end what they began, and nothing else', () => {
  const long = 'x'.repeat(5_000);
  const background = false;
  for (const [what, end, ends] of [
    ['its call', { kind: 'call-ended', call: `call-${long}`, agent: 'a', agentId: null, background }, true],
    ['its name', { kind: 'call-ended', call: null, agent: `agent-${long}`, agentId: null, background }, true],
    ['its end', { kind: 'agent-ended', agentId: null, agent: `agent-${long}` }, true],
    ['its session', { kind: 'session-ended' }, true],
    ['another call', { kind: 'call-ended', call: `other-${long}`, agent: 'a', agentId: null, background }, false],
    ['another end', { kind: 'agent-ended', agentId: null, agent: `other-${long}` }, false],
  ] as const) {
    const { state, file } = world();
    const runContext = runContextFor(file);
    const asked = request({ agent: `agent-${long}`, call: `call-${long}`, session: `session-${long}` });
    assert.ok(requestRun(asked, ONE, runContext).admitted);
    recordLifecycle(end, asked, runContext);
    assert.is(requestRun(request({ agent: 'next' }), ONE, runContext).admitted, ends, `${what}: ${state}`);
  }
});

test('in the queue: who waits comes in when the other ends, in order; nobody overtakes', async () => {
  const { state, file } = world();
  const starters = Array.from({ length: 4 }, () => new Starter());
  try {
    const first = requestRun(request({ agent: 'first' }), ONE, runContextFor(file));
    assert.ok(first.admitted);
    const order: number[] = [];
    const waiting: Promise<void>[] = [];
    for (const [at, one] of starters.entries()) {
      waiting.push(
        one.ask({ do: 'start', file, patience: 60_000 }).then((answer) => {
          order.push(at);
          if (answer.admitted) withdrawn(answer.id, 'completed', runContextFor(file));
          assert.ok(answer.admitted && answer.waited !== null);
        }),
      );
      while (
        runsOfProject(state, PROJECT, runContextFor(file).now(), runContextFor(file).table).filter(
          (run) => run.state === 'waiting',
        ).length <= at
      )
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.is(requestRun(request({ agent: 'pushy' }), ONE, runContextFor(file)).admitted, false);
    withdrawn(first.admitted ? first.id : '', 'completed', runContextFor(file));
    await Promise.all(waiting);
    assert.equal(order, [0, 1, 2, 3]);
  } finally {
    await Promise.all(starters.map((one) => one.end()));
  }
});

test('in the queue: patience ends with a refusal that leaves nothing behind', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  assert.ok(requestRun(request({ agent: 'first' }), ONE, runContext).admitted);
  const answer = requestRun(request({ agent: 'late' }), { limit: 1, patience: 50 }, runContext);
  assert.is(answer.admitted, false);
  if (!answer.admitted) assert.equal([answer.waited, answer.running[0]?.agent], [true, 'first']);
  assert.equal(
    runsOfProject(state, PROJECT, runContext.now(), runContext.table).map(({ state }) => state),
    ['running', 'ended'],
  );
});

test('in the queue: an agent does not wait for itself', () => {
  const { file } = world();
  const runContext = runContextFor(file, { pause: () => assert.unreachable('it waited') });
  assert.ok(requestRun(request({ agent: 'outer' }), ONE, runContext).admitted);
  recordLifecycle({ kind: 'agent-began', agentId: 'a1', agent: 'outer', by: null }, request({}), runContext);
  const inner = requestRun(request({ agent: 'inner', by: 'a1' }), { limit: 1, patience: 60_000 }, runContext);
  assert.is(inner.admitted, false);
});

test('in the queue: one that was killed while it waited is passed over', async () => {
  const { file } = world();
  const first = requestRun(request({ agent: 'first' }), ONE, runContextFor(file));
  assert.ok(first.admitted);
  const waiting = new Starter();
  waiting.ask({ do: 'start', file, patience: 60_000 }).catch(() => undefined);
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes('"wait"'))
    await new Promise((resolve) => setTimeout(resolve, 5));
  await waiting.end();
  withdrawn(first.admitted ? first.id : '', 'completed', runContextFor(file));
  assert.ok(requestRun(request({ agent: 'next' }), ONE, runContextFor(file)).admitted);
});

test('500 starts killed at any moment: the record stays readable and nothing stays behind', async () => {
  const { state, file } = world();
  const one = new Starter();
  // In one process, since a kill in the middle of a write is what counts: a prefix of the line is all that it could leave.
  const lines = readLines(await recordOfOneRun(one));
  await one.end();
  for (let at = 0; at < 500; at += 1) {
    const { file: torn } = world();
    const whole = lines.join('');
    writeFileSync(torn, whole.slice(0, Math.floor((at * whole.length) / 500)), { mode: 0o600 });
    const answer = requestRun(request({}), ONE, runContextFor(torn));
    assert.ok(answer.admitted, `cut off after ${at}/500: its hook is gone`);
  }
  assert.equal(names(state), []);
  assert.is(existsSync(file), false);
});

/** What a start writes before it has answered. */
async function recordOfOneRun(one: Starter): Promise<string> {
  const { file } = world();
  assert.ok((await one.ask({ do: 'start-unanswered', file })).admitted);
  return readFileSync(file, 'utf8');
}

function readLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

test('what an agent does is told apart: bound, in the background, ended by its own stop only', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  const first = requestRun(request({ agent: 'bg', call: 't1' }), ONE, runContext);
  assert.ok(first.admitted);
  recordLifecycle({ kind: 'agent-began', agentId: 'a1', agent: 'bg', by: null }, request({}), runContext);
  recordLifecycle({ kind: 'call-ended', call: 't1', agent: 'bg', agentId: 'a1', background: true }, request({}), runContext);
  recordLifecycle({ kind: 'turn-ended', still: null }, request({}), runContext);
  recordLifecycle({ kind: 'turn-ended', still: ['a1'] }, request({}), runContext);
  assert.equal(
    runningAgents(state, PROJECT, 's').map(({ agent, agentId, lastEvent }) => [agent, agentId, lastEvent]),
    [['bg', 'a1', 'running in the background']],
  );
  recordLifecycle({ kind: 'agent-ended', agentId: 'a1', agent: null }, request({}), runContext);
  assert.equal(names(state), []);
});

test('an end that is told before its start leaves nobody running; an agent that is woken later runs', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  const began = (who: string, at = runContext) =>
    recordLifecycle({ kind: 'agent-began', agentId: who, agent: 'quick', by: null }, request({}), at);
  for (const agent of ['quick', 'slow'])
    assert.ok(requestRun(request({ agent }), { limit: 2, patience: 0 }, runContext).admitted);
  recordLifecycle({ kind: 'agent-ended', agentId: 'a1', agent: 'quick' }, request({}), runContext);
  assert.equal(began('a1'), []);
  assert.equal(
    runningAgents(state, PROJECT, 's').map(({ agent, agentId }) => [agent, agentId]),
    [['slow', null]],
    'nor is the other one taken for it',
  );
  recordLifecycle({ kind: 'agent-ended', agentId: 'a2', agent: 'slow' }, request({}), runContext);
  const later = {
    ...runContext,
    now: () => timestampOf(Date.now() + 60_000, performance.timeOrigin + performance.now() + 60_000),
  };
  assert.is(began('a1', later).length, 1);
  assert.equal(names(state), ['quick']);
});

test('an agent that nobody asked for is in the record, and keeps the next one out', () => {
  const { state, file } = world();
  const runContext = runContextFor(file);
  const unasked = recordLifecycle({ kind: 'agent-began', agentId: 'a9', agent: 'woken', by: null }, request({}), runContext);
  assert.equal(
    unasked.map(({ agent }) => agent),
    ['woken'],
  );
  assert.equal(names(state), ['woken']);
  assert.is(requestRun(request({}), ONE, runContext).admitted, false);
});

test('every event that is written is read back as it was', () => {
  const { file } = world();
  const runContext = runContextFor(file);
  const first = requestRun(request({ agent: 'ä "\\\n日本 \u2028', by: null }), ONE, runContext);
  assert.ok(first.admitted);
  appendToJournal(file, [{ kind: 'bound', id: first.admitted ? first.id : '', agentId: 'x'.repeat(10_000) }]);
  const [start, bound] = readJournal(file);
  assert.is(start?.kind === 'start' && start.agent, 'ä "\\\n日本 \u2028');
  assert.is(bound?.kind === 'bound' && bound.agentId.length, 400, 'long texts are cut');
});

test.run();
