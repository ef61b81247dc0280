/** Programs that run agents in turn: who is refused, what is tried again, and that no turn outlives its holder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createOrchestrator,
  OrchestrationError,
  type OrchestratorOptions,
  UnexplainedEnd,
} from '../../../src/enforce/agents/orchestrator.js';

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function optionsIn(more: Partial<OrchestratorOptions> = {}): OrchestratorOptions {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-orchestrator-')));
  folders.push(folder);
  return { project: folder, stateDirectory: join(folder, 'state'), ...more };
}

/** The code and the message of the error that a promise ends with. */
async function failure(promise: Promise<unknown>): Promise<readonly [code: string, message: string]> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof OrchestrationError) return [error.code, error.message];
    throw error;
  }
  return ['none', ''];
}

const reviewer = { name: 'reviewer' };
const sleep = (milliseconds: number) =>
  new Promise<void>((done) => {
    setTimeout(done, milliseconds);
  });

test('the result, and how many attempts it took', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  const warnings: string[] = [];
  const done = await execute(
    reviewer,
    'the request',
    { warn: (line, why) => warnings.push(`${line} (${why})`) },
    async (request, _, attempt) => {
      assert.equal(running(), ['reviewer']);
      if (attempt < 3) throw new Error('not yet');
      return `${request} ${attempt}`;
    },
  );
  assert.equal(done, { result: 'the request 3', attempts: 3 });
  assert.equal(warnings, [
    'Subagent execution attempt 1 failed, retrying... (not yet)',
    'Subagent execution attempt 2 failed, retrying... (not yet)',
  ]);
  assert.equal(running(), []);
});

test('what a run rests on is looked at again before a further attempt, and only then; an error there ends the run as it is', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  const told: string[] = [];
  const recheck = async () => {
    told.push('again');
    if (told.length > 3) throw new RangeError('changed');
  };
  await execute(reviewer, null, { recheck }, async () => told.push('work'));
  assert.equal(told, ['work'], 'nothing is looked at twice for nothing');
  const failing = async () => {
    told.push('work');
    throw new Error('no');
  };
  try {
    await execute(reviewer, null, { recheck, maxRetries: 9 }, failing);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, RangeError);
  }
  assert.equal(told, ['work', 'work', 'again', 'work', 'again']);
  assert.equal(running(), []);
});

test('a turn that could not begin is free again', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  const admitted = () => {
    throw new Error('no room for its record');
  };
  try {
    await execute(reviewer, null, { admitted }, async () => assert.unreachable());
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'no room for its record');
  }
  assert.equal(running(), []);
  assert.is((await execute(reviewer, null, {}, async () => 'done')).result, 'done');
});

test('what fails to the end is told with its cause, and the turn is over', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  let attempts = 0;
  const failing = () => {
    attempts += 1;
    return Promise.reject(new Error('no network'));
  };
  assert.equal(await failure(execute(reviewer, null, { maxRetries: 1 }, failing)), [
    'EXECUTION_FAILED',
    'reviewer failed: no network',
  ]);
  assert.is(attempts, 2);
  assert.equal(running(), []);
});

for (const [what, thrown, message] of [
  ['nothing', undefined, 'reviewer failed unexpectedly: it gave no reason (undefined)'],
  ['an error without a message', new Error(''), 'reviewer failed unexpectedly: it gave no reason (Error)'],
  ['an unexplained end', new UnexplainedEnd('killed'), 'reviewer failed unexpectedly: killed'],
] as const)
  test(`an attempt that rejects with ${what} is a failure of its own kind`, async () => {
    const { execute } = createOrchestrator(optionsIn());
    const failing = () => Promise.reject(thrown);
    assert.equal(await failure(execute(reviewer, null, { maxRetries: 0 }, failing)), ['UNEXPECTED_FAILURE', message]);
  });

test('the state: what runs, what waits in which place since when; both are empty afterwards', async () => {
  const options = optionsIn();
  const { execute, state } = createOrchestrator(options);
  const elsewhere = createOrchestrator(options);
  assert.equal(state(), { current: null, queue: [] });
  const queue = { patienceMs: 60_000 };
  const before = Date.now();
  const waiting = await execute(reviewer, null, {}, async () => {
    const patient = ['writer', 'tester'].map((name) => execute({ name }, null, { queue }, async () => state().current));
    await sleep(30);
    const { current, queue: queued } = elsewhere.state();
    assert.is(current?.agent, 'reviewer');
    assert.equal(
      queued.map(({ agent, position }) => [agent, position]),
      [
        ['writer', 1],
        ['tester', 2],
      ],
    );
    for (const time of [current?.startedAt, ...queued.map(({ enqueuedAt }) => enqueuedAt)])
      assert.ok(Date.parse(time ?? '') >= before && Date.parse(time ?? '') <= Date.now(), time);
    await sleep(50);
    return { patient, asked: queued[0]?.enqueuedAt ?? '' };
  });
  const [writer, tester] = await Promise.all(waiting.result.patient);
  assert.equal([writer?.result?.agent, tester?.result?.agent], ['writer', 'tester']);
  assert.ok((writer?.result?.startedAt ?? '') > waiting.result.asked, 'it starts later than it asked');
  assert.equal(state(), { current: null, queue: [] });
});

test('an attempt that takes too long is told to stop and not tried again', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  let attempts = 0;
  let stopped = false;
  const slow = (_: null, signal: AbortSignal) => {
    attempts += 1;
    signal.addEventListener('abort', () => {
      stopped = true;
    });
    // No timer: the process of the tests would wait for it.
    return new Promise<void>(() => {});
  };
  const [code] = await failure(execute(reviewer, null, { timeoutMs: 20 }, slow));
  assert.equal([code, attempts, stopped, running()], ['TIMEOUT', 1, true, []]);
});

test('a second agent is refused at once, by name, and starts when the first has ended', async () => {
  const options = optionsIn();
  const first = createOrchestrator(options);
  const second = createOrchestrator(options);
  let end = () => {};
  const running = first.execute(
    reviewer,
    null,
    {},
    () =>
      new Promise<void>((done) => {
        end = done;
      }),
  );
  let ran = false;
  const refused = second.execute({ name: 'writer' }, null, {}, async () => {
    ran = true;
  });
  assert.equal(await failure(refused), [
    'CONCURRENT_EXECUTION',
    'Concurrent execution detected: reviewer is running, cannot start writer. Wait for the current agent to complete, or run `policy status` to check progress.',
  ]);
  assert.is(ran, false);
  end();
  await running;
  assert.is((await second.execute({ name: 'writer' }, null, {}, async () => 1)).result, 1);
});

test('one that waits for its turn keeps nothing else waiting, and can be told to wait no longer', async () => {
  const { execute, running } = createOrchestrator(optionsIn());
  const interrupt = new AbortController();
  const places: number[] = [];
  const queue = { patienceMs: 60_000, waiting: (ahead: number) => places.push(ahead), interrupt: interrupt.signal };
  const done: string[] = [];
  const first = execute(reviewer, null, {}, async () => {
    const given = failure(execute({ name: 'writer' }, null, { queue }, async () => done.push('writer')));
    const patient = execute({ name: 'tester' }, null, { queue: { patienceMs: 60_000 } }, async () => done.push('tester'));
    await sleep(30);
    interrupt.abort('it is late');
    assert.equal(await given, ['INTERRUPTED', 'writer no longer waits for its turn (it is late); nothing was started']);
    return { patient };
  });
  await (await first).result.patient;
  assert.equal([done, places, running()], [['tester'], [0], []]);
});

test('other sessions, and more agents where more may run, do not wait', async () => {
  const options = optionsIn({ maxConcurrent: 2 });
  const { execute } = createOrchestrator(options);
  const inner = () => execute({ name: 'writer' }, null, {}, async () => 2);
  assert.is((await execute(reviewer, null, {}, async () => (await inner()).result)).result, 2);
  const one = createOrchestrator({ ...options, maxConcurrent: 1, session: 'a' });
  const other = createOrchestrator({ ...options, maxConcurrent: 1, session: 'b' });
  const nested = () => other.execute(reviewer, null, {}, async () => 3);
  assert.is((await one.execute(reviewer, null, {}, async () => (await nested()).result)).result, 3);
});

test('a process that is killed gives its turn back', async () => {
  const options = optionsIn();
  const module = pathToFileURL(resolve('build/src/enforce/agents/orchestrator.js')).href;
  const program = `import { createOrchestrator } from ${JSON.stringify(module)};
await createOrchestrator(${JSON.stringify(options)}).execute({ name: 'reviewer' }, null, {}, () => {
  console.log('running');
  return new Promise((done) => setTimeout(done, 60_000));
});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const { execute } = createOrchestrator(options);
  const start = () => execute({ name: 'writer' }, null, {}, async () => 1);
  assert.is((await failure(start()))[0], 'CONCURRENT_EXECUTION');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // Somebody has to have asked for its exit code; in a container that may take a moment.
  for (let looks = 0; looks < 100 && spawnSync('kill', ['-0', String(child.pid)]).status === 0; looks += 1) await sleep(10);
  assert.is((await start()).result, 1);
});

for (const [what, more] of [
  ['timeoutMs', { timeoutMs: -1 }],
  ['timeoutMs', { timeoutMs: 1.5 }],
  ['maxRetries', { maxRetries: Number.NaN }],
] as const)
  test(`${what} ${Object.values(more)} is refused before anything runs`, async () => {
    const { execute } = createOrchestrator(optionsIn());
    let message = '';
    try {
      await execute(reviewer, null, more, async () => assert.unreachable('it ran'));
    } catch (error) {
      message = String(error);
    }
    assert.is(message, `RangeError: ${what} is a whole number from 0`);
  });

test.run();
