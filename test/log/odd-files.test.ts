// Files that were put away: a record in them that no seal knows is shown by `policy log tail`, so `verify` has to name the file.
import { closeSync, copyFileSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendRecord } from '../../src/log/append.js';
import { openSegment, packInto } from '../../src/log/files/segment.js';
import { newestFirst } from '../../src/log/read/query.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { rotate } from '../../src/log/tree/rotate.js';
import { sealLog } from '../../src/log/tree/seal.js';
import { verifyLog } from '../../src/log/tree/verify.js';
import { NOON, sample, stateDirectory } from './sample.js';

const test = suite('files that were put away');
const DAY = 86_400_000;
const always = { goOn: () => true, held: () => true };

/** Two days of five records: the first packed, the second put away. */
function sealed() {
  const state = stateDirectory();
  for (const day of [0, 1]) {
    for (let index = 0; index < 5; index += 1) appendRecord(state, sample({ time: NOON + day * DAY + index }));
    sealLog(state, { now: NOON + day * DAY, ...always });
    rotate(state, { now: Date.now() + 2 * DAY, ...always });
  }
  const folder = join(state, 'log/sealed');
  assert.equal(readdirSync(folder), ['decisions-2026-01-31.s1.jsonl.gz', 'decisions-2026-02-01.s2.jsonl']);
  return {
    state,
    packed: join(folder, 'decisions-2026-01-31.s1.jsonl.gz'),
    plain: join(folder, 'decisions-2026-02-01.s2.jsonl'),
    folder,
  };
}

const said = (state: string) => verifyLog(state, NOON + 3 * DAY, { verifier: null, checkpoint: null }).problems;

/** A line that looks like any of ours. */
function forged(text: string): string {
  return `${(text.split('\n')[0] ?? '').replace(/"id":"[^"]*"/, `"id":"${newRecordId(NOON + 99)}"`)}\n`;
}

function pack(path: string, text: string): void {
  writeFileSync(`${path}.text`, text);
  writeFileSync(path, '');
  const [segment, descriptor] = [openSegment(`${path}.text`), openSync(path, 'r+')];
  packInto(path, descriptor, segment, () => true);
  segment.close();
  closeSync(descriptor);
}

test('as a seal left them there is nothing to say, packed again as well', () => {
  const { state, packed } = sealed();
  assert.equal(said(state), []);
  pack(packed, gunzipSync(readFileSync(packed)).toString());
  assert.equal(said(state), []);
});

test('what is left of packing that was ended midway is nothing to name', () => {
  const { state, packed, plain } = sealed();
  writeFileSync(packed.replace(/\.gz$/, ''), gunzipSync(readFileSync(packed)));
  writeFileSync(`${plain}.packing`, 'half');
  assert.equal(said(state), []);
});

test('records that were added to a packed file', () => {
  const { state, packed } = sealed();
  const text = gunzipSync(readFileSync(packed)).toString();
  pack(packed, text + forged(text));
  assert.is([...newestFirst(state)].length, 11, 'it is shown');
  assert.equal(
    said(state).map(({ what, file, message }) => ({ what, file, message })),
    [{ what: 'file', file: packed, message: `${packed} has more records than were sealed before it was compressed.` }],
  );
});

test('a file that no seal put away, by an own number or by that of another', () => {
  for (const name of ['decisions-2026-01-30.s7.jsonl', 'decisions-2026-01-30.s1.jsonl']) {
    const { state, plain, folder } = sealed();
    writeFileSync(join(folder, name), forged(readFileSync(plain, 'utf8')));
    assert.is([...newestFirst(state)].length, 11, 'it is shown');
    const problems = said(state).filter(({ what }) => what === 'file');
    assert.ok(problems.length > 0, name);
  }
});

test('a packed file beside it that is not packed as ours are', () => {
  const { state, plain, folder } = sealed();
  writeFileSync(join(folder, 'decisions-2026-01-30.s7.jsonl.gz'), gzipSync(forged(readFileSync(plain, 'utf8'))));
  assert.match(said(state)[0]?.message ?? '', /decisions-2026-01-30\.s7\.jsonl\.gz is not a file that a seal archived\.$/);
});

test('a file that got the name of another day', () => {
  const { state, plain, folder } = sealed();
  renameSync(plain, join(folder, 'decisions-2020-01-01.s2.jsonl'));
  assert.match(said(state)[0]?.message ?? '', /was decisions-2026-02-01\.jsonl when it was sealed/);
});

test('a copy of a sealed file', () => {
  const { state, plain, folder } = sealed();
  copyFileSync(plain, join(folder, 'decisions-2026-02-01.s3.jsonl'));
  assert.match(said(state)[0]?.message ?? '', /\.s3\.jsonl is not a file that a seal archived/);
});

test.run();
