// Sealing: what is sealed, what a second seal adds, what is put away and packed, and that a seal killed at any moment does no harm.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sealAndArchive } from '../../src/enforce/change-log.js';
import { appendRecord } from '../../src/log/append.js';
import { LogError } from '../../src/log/files/log-error.js';
import { newestFirst } from '../../src/log/read/query.js';
import { openCheckpoint } from '../../src/log/tree/checkpoint.js';
import type { Sealed } from '../../src/log/tree/seal.js';
import { parseVerifier } from '../../src/log/tree/signed-note.js';
import { readTree } from '../../src/log/tree/state.js';
import { unsealedTail } from '../../src/log/tree/unsealed.js';
import { verifyLog } from '../../src/log/tree/verify.js';
import { NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('seal');
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** A log of so many records on so many days, one part each. */
function logOf(days: number, records: number, state = stateDirectory()): string {
  for (let day = 0; day < days; day += 1) add(state, records, NOON + day * DAY);
  return state;
}

function add(state: string, records: number, time: number): void {
  for (let index = 0; index < records; index += 1)
    appendRecord(state, sample({ time: time + index, ...withInput({ command: `echo ${index}` }) }));
}

function seal(state: string, time = 60_000): Sealed {
  const rounds: Sealed[] = [];
  sealAndArchive(state, { patience: 10_000, time }, (sealed) => rounds.push(sealed));
  const last = rounds.at(-1);
  if (last === undefined) throw new Error('no round');
  return last;
}

const verify = (state: string, checkpoint: string | null = null) => verifyLog(state, Date.now(), { verifier: null, checkpoint });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const records = (state: string) => [...newestFirst(state)].length;
/** Lines of all files that end in a line break; none of the files is packed. */
const wholeLines = (state: string) =>
  [join(state, 'log'), join(state, 'log', 'sealed')]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((file) => file.endsWith('.jsonl'))
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);

/** Makes every file look as if nobody wrote to it for two hours; one that a sealer puts away meanwhile is past resting. */
function rest(folder: string): void {
  const then = new Date(Date.now() - 2 * HOUR);
  for (const name of readdirSync(folder)) {
    try {
      if (/jsonl$/.test(name)) utimesSync(join(folder, name), then, then);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

test('the first seal makes a key, a tree and a signed checkpoint', () => {
  const state = logOf(2, 3);
  const sealed = seal(state);
  assert.equal([sealed.added, sealed.size, sealed.isFirst, sealed.complete], [6, 6, true, true]);
  const verifier = parseVerifier(sealed.verifier);
  assert.ok(verifier);
  assert.is(verifier && openCheckpoint(sealed.checkpoint ?? '', verifier)?.size, 6);
  const tree = join(state, 'tree');
  assert.equal(readdirSync(tree).sort(), ['checkpoint', 'checkpoints.jsonl', 'hashes', 'signer.key', 'tree.json', 'verifier']);
  assert.equal([mode(tree), ...readdirSync(tree).map((name) => mode(join(tree, name)))], ['700', ...Array(6).fill('600')]);
  assert.is(readFileSync(join(tree, 'checkpoint'), 'utf8'), sealed.checkpoint);
  assert.is(statSync(join(tree, 'hashes')).size, 10 * 32);
});

test('a seal with nothing new changes nothing; the next one adds what came', () => {
  const state = logOf(1, 3);
  const first = seal(state);
  assert.equal({ ...seal(state), isFirst: true, added: 3 }, first);
  add(state, 4, NOON + 1_000);
  const next = seal(state);
  assert.equal([next.added, next.size, next.isFirst], [4, 7, false]);
  assert.is(readTree(state)?.files[0]?.runs.length, 1, 'runs of one file grow together');
  const { problems, checkpoints, sealed } = verify(state, first.checkpoint);
  assert.equal(problems, []);
  assert.equal([checkpoints, sealed], [2, 7]);
});

test('nothing at all to seal', () => {
  const state = stateDirectory();
  const sealed = seal(state);
  assert.equal([sealed.size, sealed.checkpoint], [0, null]);
  assert.is(readTree(state), null);
  assert.equal(verify(state).problems, []);
});

test('an unended last line waits for the next seal; any ended line is sealed, whatever it holds', () => {
  const state = logOf(1, 1);
  const file = join(state, 'log', 'decisions-2026-01-31.jsonl');
  appendFileSync(file, 'x\n\n{"v":2,"id":"from the future"}\n{"v":1,"id"');
  assert.is(seal(state).size, 4);
  const tail = unsealedTail(state, readTree(state), Date.now());
  assert.equal([tail.records, tail.bytes], [0, 0]);
  appendFileSync(file, '}\n');
  assert.is(seal(state).size, 5);
  assert.equal(verify(state).problems, []);
});

test('the unsealed tail: how many records, and how old the oldest is', () => {
  const state = logOf(1, 2);
  const before = unsealedTail(state, null, NOON + HOUR);
  assert.equal([before.records, before.oldest, before.age], [2, '2026-01-31T12:00:00.000Z', HOUR]);
  seal(state);
  assert.equal(unsealedTail(state, readTree(state), NOON + HOUR), { records: 0, bytes: 0, oldest: null, undated: 0, age: null });
  add(state, 1, NOON + 1_000);
  assert.is(unsealedTail(state, readTree(state), NOON + HOUR).age, HOUR - 1_000);
});

test('a file whose day is over is put away, and an hour later packed; it can still be read and verified', () => {
  const state = logOf(2, 30);
  const [log, sealed] = [join(state, 'log'), join(state, 'log', 'sealed')];
  const plain = readFileSync(join(log, 'decisions-2026-01-31.jsonl'));
  seal(state);
  assert.equal(existsSync(sealed), false, 'somebody may still write to them');
  rest(log);
  seal(state);
  assert.equal(readdirSync(sealed), ['decisions-2026-01-31.s1.jsonl', 'decisions-2026-02-01.s2.jsonl']);
  seal(state);
  assert.equal(readdirSync(sealed), ['decisions-2026-01-31.s1.jsonl.gz', 'decisions-2026-02-01.s2.jsonl.gz']);
  assert.equal(gunzipSync(readFileSync(join(sealed, 'decisions-2026-01-31.s1.jsonl.gz'))), plain);
  assert.is(records(state), 60);
  assert.equal([verify(state).problems, verify(state).sealed], [[], 60]);
  // A clock that was set back: the day goes on in a new file.
  add(state, 5, NOON + 5_000);
  assert.is(seal(state).size, 65);
  rest(log);
  seal(state);
  seal(state);
  assert.equal(readdirSync(sealed).length, 3);
  assert.is(records(state), 65);
  assert.equal(verify(state).problems, []);
});

test('a packed file of many members is read from both ends and from the middle', () => {
  const state = stateDirectory();
  const text = 'y'.repeat(1_500);
  for (let index = 0; index < 700; index += 1)
    appendRecord(state, sample({ time: NOON + index, ...withInput({ command: `${index} ${text}` }) }));
  const before = [...newestFirst(state)];
  for (let round = 0; round < 3; round += 1) {
    seal(state);
    rest(join(state, 'log'));
  }
  assert.is(readdirSync(join(state, 'log', 'sealed'))[0], 'decisions-2026-01-31.s1.jsonl.gz');
  assert.equal([...newestFirst(state)], before);
  assert.equal(verify(state).problems, []);
});

test('what a late writer adds to a file that was put away is sealed, too', () => {
  const state = logOf(1, 3);
  seal(state);
  rest(join(state, 'log'));
  seal(state);
  const file = join(state, 'log', 'sealed', 'decisions-2026-01-31.s1.jsonl');
  appendFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0]}\n`);
  assert.is(seal(state).size, 4);
  assert.ok(existsSync(file), 'not packed while somebody writes');
  assert.equal(verify(state).problems, []);
});

test('a log that was cut off and goes on: said by the seal, named by verify, and what is there is sealed', () => {
  const state = logOf(1, 5);
  seal(state);
  const file = join(state, 'log', 'decisions-2026-01-31.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n`);
  const sealed = seal(state);
  assert.match(sealed.warnings.join(), /lacks some of its 5 sealed records/);
  assert.is(sealed.size, 8);
  assert.match(
    verify(state)
      .problems.map(({ message }) => message)
      .join('\n'),
    /5 sealed records/,
  );
});

for (const name of ['hashes', 'checkpoints.jsonl', 'tree.json'])
  test(`a pipe in the place of ${name} is refused, not waited for`, () => {
    const state = stateDirectory();
    for (const at of [0, 1]) {
      appendRecord(state, sample({ time: NOON + at }));
      if (at === 0) seal(state);
    }
    const file = join(state, 'tree', name);
    rmSync(file);
    assert.is(spawnSync('mkfifo', [file]).status, 0);
    const refused = (error: Error) => error instanceof LogError && error.message.includes(file);
    assert.throws(() => seal(state), refused);
  });

test('a tree whose description or key is gone is not begun anew', () => {
  const state = logOf(1, 3);
  seal(state);
  rest(join(state, 'log'));
  seal(state);
  const tree = join(state, 'tree');
  renameSync(join(tree, 'signer.key'), join(tree, 'away'));
  assert.throws(
    () => seal(state),
    (error: unknown) => error instanceof LogError && /is gone although it signed/.test(error.message),
  );
  renameSync(join(tree, 'away'), join(tree, 'signer.key'));
  rmSync(join(tree, 'tree.json'));
  assert.throws(
    () => seal(state),
    (error: unknown) => error instanceof LogError && /is gone although .* was sealed/.test(error.message),
  );
});

test('leftovers of a killed seal: hashes without a tree, half a checkpoint, half a packed file', () => {
  const state = logOf(1, 5);
  seal(state);
  const tree = join(state, 'tree');
  appendFileSync(join(tree, 'hashes'), Buffer.alloc(77, 9));
  appendFileSync(join(tree, 'checkpoints.jsonl'), '{"time":"2026');
  writeFileSync(join(tree, '.tree.json.tmp'), '{"v":1', { mode: 0o600 });
  add(state, 3, NOON + 1_000);
  assert.is(seal(state).size, 8);
  assert.equal(verify(state).problems, []);
});

/** A process that seals again and again while records come in. */
const sealer = (state: string) => `
  import { sealAndArchive } from ${JSON.stringify(pathToFileURL(resolve('build/src/enforce/change-log.js')).href)};
  import { appendRecord } from ${JSON.stringify(pathToFileURL(resolve('build/src/log/append.js')).href)};
  import { sample } from ${JSON.stringify(pathToFileURL(resolve('build/test/log/sample.js')).href)};
  for (let round = 0; ; round += 1) {
    for (let count = 0; count < 20; count += 1) appendRecord(${JSON.stringify(state)}, sample({ time: Date.now() - ${DAY} }));
    sealAndArchive(${JSON.stringify(state)}, { patience: 60000, time: 60000 }, () => {});
    if (round === 2) console.log('going');
  }
`;

test('four processes that seal at once and are killed at any moment: the next seal goes on, and nothing is wrong', async () => {
  const state = stateDirectory();
  for (let round = 0; round < 3; round += 1) {
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', sealer(state)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    await Promise.all(
      children.map(
        (child, index) =>
          new Promise<void>((done) => {
            child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), 7 * index + 3 * round));
            child.once('close', () => done());
          }),
      ),
    );
    const { size } = seal(state);
    // Not the records: one whose writer was killed within its write lies in one line with the next.
    assert.is(size, wholeLines(state));
    assert.equal(verify(state).problems, []);
  }
});

/** A process that writes so many records, each of a session of its own, to two days and to parts of 20 KB. */
const writer = (state: string, name: number) => `
  import { appendRecord } from ${JSON.stringify(pathToFileURL(resolve('build/src/log/append.js')).href)};
  import { sample, withInput } from ${JSON.stringify(pathToFileURL(resolve('build/test/log/sample.js')).href)};
  for (let index = 0; index < 60; index += 1) {
    const record = sample({ time: ${NOON} + (index % 2) * ${DAY} + index, ...withInput({ command: 'x'.repeat(index * 10) }) });
    appendRecord(${JSON.stringify(state)}, { ...record, session: '${name}-' + index }, 20_000);
  }
`;

/** Seals and puts away for as long as it is let. */
const steadySealer = (state: string) => `
  import { sealAndArchive } from ${JSON.stringify(pathToFileURL(resolve('build/src/enforce/change-log.js')).href)};
  for (;;) sealAndArchive(${JSON.stringify(state)}, { patience: 60_000, time: 60_000 }, () => {});
`;

test('writers and sealers at once, while files are put away: every record is there once, and sealed', async () => {
  const state = stateDirectory();
  const start = (code: string) =>
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] });
  const over = (child: ReturnType<typeof start>) => new Promise<number | null>((done) => child.once('close', done));
  const sealers = [start(steadySealer(state)), start(steadySealer(state))];
  const gone = sealers.map(over);
  const ageing = setInterval(() => existsSync(join(state, 'log')) && rest(join(state, 'log')), 5);
  const ends = await Promise.all([1, 2, 3].map((name) => over(start(writer(state, name)))));
  clearInterval(ageing);
  for (const child of sealers) child.kill('SIGKILL');
  await Promise.all(gone);
  assert.equal(ends, [0, 0, 0]);
  assert.is(seal(state).size, 180);
  assert.equal(verify(state).problems, []);
  const sessions = [...newestFirst(state)].map((read) => ('record' in read ? read.record.session : 'no record'));
  assert.is(sessions.length, 180);
  assert.is(new Set(sessions).size, 180, sessions.sort().join(' '));
});

test('a record whose writer was killed within its write is a leaf together with the next one', () => {
  const state = logOf(1, 2);
  const file = join(state, 'log', 'decisions-2026-01-31.jsonl');
  truncateSync(file, statSync(file).size - 100);
  assert.is(seal(state).size, 1);
  add(state, 2, NOON + 1_000);
  assert.is(seal(state).size, 3);
  assert.is(records(state), 4, 'the lost one is noted');
  assert.is(wholeLines(state), 3);
  assert.equal(verify(state).problems, []);
});

test('a file cut off below what is sealed is never packed or forgotten', () => {
  const state = logOf(1, 5);
  seal(state);
  truncateSync(join(state, 'log', 'decisions-2026-01-31.jsonl'), 0);
  assert.is(verify(state).problemCount, 5);
});

test.run();
