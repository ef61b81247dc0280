// `policy log` as a person meets it: a filter that nothing passes is told in one sentence, times are in milliseconds.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendRecord } from '../../src/log/append.js';
import { sample } from '../log/sample.js';
import { COMMAND, policy, scratch } from './spawned.js';

const test = suite('policy log');
const cwd = scratch({});
const filled = join(scratch({}), 'state');
appendRecord(filled, sample({ time: Date.parse('2026-01-31T12:00:00Z') }));
const empty = join(scratch({}), 'state');
const log = (state: string, ...args: readonly string[]) => policy(['log', ...args, '--state-dir', state], { cwd });

const SILENT: readonly (readonly [args: readonly string[], says: string])[] = [
  [['query', '--tool', 'Nothing'], 'No record of LOG matches --tool Nothing.'],
  [['tail', '--tool', 'Nothing', '--since', '1h'], 'No record of LOG matches --tool Nothing --since 1h.'],
  [['stats', '--tool', 'Nothing'], 'No record of LOG matches --tool Nothing.'],
  [['export', '--format', 'opa', '--tool', 'Nothing'], 'No record of LOG matches --tool Nothing.'],
  [['query', '--limit', '0'], 'No record was printed: --limit is 0.'],
];
for (const [args, says] of SILENT)
  test(`policy log ${args.join(' ')}: ${says}`, () => {
    const { status, stderr } = log(filled, ...args);
    assert.is(status, 0);
    assert.is(stderr, `${says.replace('LOG', join(filled, 'log'))}\n`);
  });

test('show names the id that no record has', () => {
  const { status, stderr } = log(filled, 'show', 'ffffffff');
  assert.is(status, 3);
  assert.is(stderr, `No record of ${join(filled, 'log')} has an id that begins with ffffffff\n`);
});

test('tail --follow says that nothing matches before it waits', async () => {
  const child = spawn(process.execPath, [COMMAND, 'log', 'tail', '--follow', '--tool', 'Nothing', '--state-dir', filled], {
    cwd,
  });
  const said = await new Promise<string>((resolve) => child.stderr.once('data', (chunk) => resolve(String(chunk))));
  child.kill();
  assert.is(said, `No record of ${join(filled, 'log')} matches --tool Nothing.\n`);
});

test('stats tells times in milliseconds, and a dash where nothing was decided', () => {
  assert.match(log(filled, 'stats').stdout, /^latency {4}p50 \d+\.\d ms, p99 \d+\.\d ms$/m);
  assert.match(log(empty, 'stats').stdout, /^latency {4}-$/m);
});

test('seal --dry-run says how many records it would seal, and changes nothing', () => {
  const [day = ''] = readdirSync(join(filled, 'log'));
  const before = [readdirSync(filled), readFileSync(join(filled, 'log', day), 'utf8')];
  const { status, stdout } = log(filled, 'seal', '--dry-run');
  assert.is(status, 0);
  assert.match(stdout, /^Would seal 1 record, the oldest of .*\. Nothing was changed\.\n$/);
  assert.equal([readdirSync(filled), readFileSync(join(filled, 'log', day), 'utf8')], before);
  assert.is(log(empty, 'seal', '--dry-run').stdout, 'Nothing to seal: no record was added since the last time.\n');
});

test.run();
