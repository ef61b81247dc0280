// `policy log` as a person or a script uses it.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateLogRecord } from '../../src/generated/validators/log-record.js';
import { appendRecord } from '../../src/log/append.js';
import { eventRecordOf, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { COMMAND, insideAgent, policy, policyEach, scratch } from '../cli/spawned.js';
import { context, NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('policy log');
const changing = insideAgent ? test.skip : test;
const cwd = scratch({});
const state = stateDirectory();
const origin = { ...context, time: NOON + 2_000, id: newRecordId(NOON + 2_000) };
const denied = sample({ permissionMode: 'plan' });
const observed = sample({
  time: NOON + 1_000,
  mode: 'observe',
  toolUseId: 'toolu_2',
  ...withInput({ command: `echo ghp_${'a1B2'.repeat(9)} \u001b[2J\u202e` }),
});
for (const record of [
  denied,
  observed,
  resultRecordOf(
    { result: 'error', canonical: 'Bash', message: 'exit 1', microseconds: 1_500 },
    { ...origin, call: context.call },
  ),
  eventRecordOf(
    { event: 'run.overlap', severity: 'warning', message: 'b started while a runs' },
    { ...origin, id: newRecordId(NOON + 3_000), time: NOON + 3_000 },
    { agent: 'b' },
  ),
])
  appendRecord(state, record);

const ask = (...args: readonly string[]) => policy(['log', ...args, '--state-dir', state], { cwd });

test('tail prints one line a record, the newest at the end, with agent and model (R042)', () => {
  const { stdout, stderr, status } = ask('tail');
  assert.is(status, 0, stderr);
  assert.equal(stdout.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').split('\n'), [
    '2026-01-31T12:00:00.000Z  deny     Bash rm -rf build (cleaner · model: model-1)  · Deleting trees needs a person. [Bash(rm -rf *) policy.yaml:7]  ID',
    '2026-01-31T12:00:01.000Z  allow (would deny)  Bash echo [masked:github-token] \\x1b[2J\\u202e (cleaner · model: model-1)  · Deleting trees needs a person. [Bash(rm -rf *) policy.yaml:7]  ID',
    '2026-01-31T12:00:02.000Z  result   Bash rm -rf build (cleaner · model: model-1)  error after 1500 µs: exit 1  ID',
    '2026-01-31T12:00:03.000Z  event    run.overlap (b · model: model-1)  warning: b started while a runs  ID',
    '',
  ]);
});

test('tail -n 1 prints the newest', () => {
  assert.match(ask('tail', '-n', '1').stdout, /^[^\n]*run\.overlap[^\n]*\n$/);
});

test('query --json prints records that the schema accepts', () => {
  const lines = ask('query', '--json').stdout.trimEnd().split('\n');
  assert.is(lines.length, 4);
  for (const line of lines) {
    assert.ok(validateLogRecord(JSON.parse(line)), line);
    assert.not.match(line, /[\p{Cc}\p{Cf}]/u);
  }
});

const queries: readonly (readonly [args: readonly string[], count: number])[] = [
  [['--decision', 'deny'], 2],
  [['--decision', 'allow'], 0],
  [['--kind', 'result'], 1],
  [['--agent', 'cleaner', '--kind', 'decision'], 2],
  [['--tool', 'bash'], 3],
  [['--rule', 'rm -rf'], 2],
  [['--since', '2026-01-31T12:00:02'], 2],
  [['--until', '2026-01-31'], 4],
  [['--until', '2026-01-30'], 0],
  [['--since', '1h'], 0],
  [['--limit', '2'], 2],
  [['--limit', '0'], 0],
  [['--project', '/home/ann/desk'], 4],
  [['--session', 'session-2'], 0],
];
const askEach = (rows: readonly (readonly string[])[]) =>
  policyEach(rows.map((args) => ({ args: ['log', ...args, '--state-dir', state], cwd })));
const answers = askEach(queries.map(([args]) => ['query', ...args]));
for (const [index, [args, count]] of queries.entries())
  test(`query ${args.join(' ')} → ${count} records`, () => {
    const answer = answers[index];
    assert.is(answer?.status, 0, answer?.stderr);
    assert.is(answer?.stdout.split('\n').length, count + 1);
    const chosen = args[0] === '--limit' ? 'No record was printed: --limit is 0.' : `No record of LOG matches ${args.join(' ')}.`;
    assert.is(answer?.stderr.replace(join(state, 'log'), 'LOG'), count === 0 ? `${chosen}\n` : '');
  });

test('show explains a record, and how its call ended', () => {
  const { stdout, stderr, status } = ask('show', denied.id);
  assert.is(status, 0, stderr);
  for (const part of [
    /^DENY {2}Bash rm -rf build \(cleaner · model: model-1\)/,
    /^rule +Bash\(rm -rf \*\) \(deny, project, policy\.yaml:7\)$/m,
    /^reasons +rule\/deny, shell\/glob$/m,
    /^permission mode +plan$/m,
    /^directory +\/home\/ann\/desk\/src$/m,
    /^ended +error after 1500 µs: exit 1$/m,
    /^ {2}"command": "rm -rf build"|^ {4}"command": "rm -rf build"/m,
    /^ {2}hmac-sha256:[0-9a-f]{64}$/m,
  ])
    assert.match(stdout, part);
});

test('show says what is masked, and prints nothing that a terminal obeys', () => {
  const { stdout } = ask('show', observed.id);
  assert.match(stdout, /^ALLOW \(WOULD DENY\) /);
  assert.match(stdout, /^ {2}masked: \/input\/command$/m);
  assert.not.match(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.equal(JSON.parse(ask('show', observed.id, '--json').stdout), observed);
});

test('show finds a record by how its id begins, and names several', () => {
  const several = ask('show', denied.id.slice(0, 8));
  assert.is(several.status, 3);
  assert.match(several.stderr, /^Several records .*\n(?:2026-.*\n){4}$/);
  assert.is(ask('show', denied.id.slice(0, 30).toUpperCase()).status, 0);
});

const refused: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['tial'], /tail, show, query, stats, export, seal, verify, prove, prune/],
  [['show'], /policy log show ID/],
  [['show', 'zz'], /policy log show ID/],
  [['show', 'ffffffff'], /No record .* begins with ffffffff/],
  [['tail', 'x'], /only show and prove take an id/],
  [['query', '--follow'], /goes with policy log tail/],
  [['verify', '--dry-run'], /--dry-run goes with policy log seal/],
  [['tail', '--key', 'x'], /--key goes with policy log verify/],
  [['prove'], /policy log prove ID/],
  [['prove', '0123', '--from', '1'], /policy log prove ID/],
  [['prove', '--from', '0'], /number of records/],
  [['prune', '--yes'], /--before/],
  [['seal'], /no terminal/],
  [['query', '--decision', 'no'], /allow, ask, deny/],
  [['query', '--since', 'then'], /give a day/],
  [['query', '--limit', '-1'], /number of records|limit/],
];
const CHANGING: ReadonlySet<string> = new Set(['seal', 'prune']);
const refusals = askEach(refused.map(([args]) => args));
for (const [index, [args, says]] of refused.entries())
  (CHANGING.has(args[0] ?? '') ? changing : test)(`exit 3: policy log ${args.join(' ')}`, () => {
    const answer = refusals[index];
    assert.is(answer?.status, 3, answer?.stdout);
    assert.match(answer?.stderr ?? '', says);
    assert.not.match(answer?.stderr ?? '', /^\s+at |internal error/m);
  });

test('the log lies below $XDG_STATE_HOME, else below the home folder', () => {
  const found = policy(['log', 'tail', '-n', '1'], { cwd, env: { XDG_STATE_HOME: join(state, '..') } });
  assert.match(found.stdout, /run\.overlap/);
  const home = scratch({});
  assert.is(
    policy(['log', 'tail'], { cwd, env: { HOME: home } }).stderr,
    `No records found in ${home}/.local/state/policy/log.\n`,
  );
});

test('a line that is no record is noted on stderr', () => {
  const other = stateDirectory();
  const file = appendRecord(other, sample());
  appendFileSync(file, 'x\ny\n');
  const { status, stdout, stderr } = policy(['log', 'tail', '--state-dir', other], { cwd });
  assert.is(status, 0);
  assert.is(stdout.split('\n').length, 2);
  assert.match(
    stderr,
    /^note: .*decisions-2026-01-31\.jsonl: at byte \d+ the line is not a record \(and 1 more line of this file\)\n$/,
  );
});

changing('seal, verify, prove, and what a change does to them', () => {
  const other = stateDirectory();
  const [first, second] = [sample(), sample({ time: NOON + 1, ...withInput({ command: 'echo \u202e' }) })];
  for (const record of [first, second]) appendRecord(other, record);
  const log = (...args: readonly string[]) => policy(['log', ...args, '--state-dir', other], { cwd });
  assert.match(
    log('verify').stdout,
    /^Nothing is sealed yet.*\nNot sealed yet: 2 records, the oldest of 2026-01-31T12:00:00\.000Z/,
  );
  const sealed = log('seal', '--yes');
  assert.is(sealed.status, 0, sealed.stderr);
  assert.match(
    sealed.stdout,
    /^Sealed 2 records, 2 in all\.\n[\s\S]*agent-policy\.dev\/log\/[0-9a-f]{16}\+[0-9a-f]{8}\+\S{44}\n$/,
  );
  assert.match(log('verify').stdout, /^Verified: 2 sealed records, 1 checkpoint,/);
  assert.is(JSON.parse(log('verify', '--json').stdout).ok, true);
  const folder = scratch({
    'record.tlog-proof': log('prove', second.id).stdout,
    consistency: log('prove', '--from', '1').stdout,
  });
  const proved = log('verify', '--proof', join(folder, 'record.tlog-proof'));
  assert.is(proved.status, 0, proved.stderr);
  assert.match(proved.stdout, /^Record 1 of the 2 sealed records is:\n\{.*echo \\u202e.*\}\n$/);
  const elsewhere = policy(['log', 'verify', '--proof', join(folder, 'record.tlog-proof'), '--state-dir', state], { cwd });
  assert.is(elsewhere.status, 3, 'no key there');
  appendRecord(other, sample({ time: NOON + 2 }));
  assert.match(log('seal', '--dry-run').stdout, /^Would seal 1 record, the oldest of .* Nothing was changed\.\n$/);
  assert.is(JSON.parse(log('seal', '--dry-run', '--json').stdout).unsealed.records, 1);
  assert.is(log('seal', '--yes').status, 0);
  assert.match(log('seal', '--dry-run').stdout, /^Nothing to seal/);
  const file = join(other, 'log', 'decisions-2026-01-31.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('202e', '202d'));
  const changed = log('verify');
  assert.is(changed.status, 1);
  assert.match(
    changed.stdout,
    /decisions-2026-01-31\.jsonl:2: record 1 was changed\.\n\nChecked: .*\nSigned by .*\nNOT VERIFIED: 1 problem, listed above\n$/,
  );
  assert.match(log('prove', second.id).stderr, /differs from the sealed one/);
});

test('seal and prune refuse inside a coding agent, whatever is agreed', () => {
  for (const line of [
    ['seal', '--yes'],
    ['prune', '--before', '1d', '--yes'],
  ]) {
    const { status, stderr } = policy(['log', ...line, '--state-dir', state], { cwd, env: { CLAUDECODE: '1' } });
    assert.is(status, 3);
    assert.match(stderr, /changes what agents may do.*Nothing was changed/);
  }
});

test('tail --follow goes on as records come', async () => {
  const other = stateDirectory();
  appendRecord(other, sample(withInput({ command: 'first' })));
  const child = spawn(process.execPath, [COMMAND, 'log', 'tail', '--follow', '--state-dir', other], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seen = await new Promise<string>((done) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      const begins = text === '';
      text += chunk;
      if (begins) appendRecord(other, sample({ time: Date.now(), ...withInput({ command: 'second' }) }));
      if (text.includes('second')) child.kill();
    });
    child.on('close', () => done(text));
  });
  assert.match(seen, /^[^\n]*first[^\n]*\n[^\n]*second[^\n]*\n$/);
});

test.run();
