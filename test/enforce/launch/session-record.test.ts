/** What a run leaves behind, and how much of it is kept. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  eventAppender,
  eventsText,
  pruneSessions,
  type SessionRecord,
  sessionFolder,
  sessionRecords,
  writeSession,
} from '../../../src/enforce/launch/session-record.js';
import { identityOf, type ProcessIdentity, processTable } from '../../../src/run/process-identity.js';
import { RunError } from '../../../src/run/run-error.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-sessions-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));

let nth = 0;
function state(): string {
  nth += 1;
  return join(base, `state-${nth}`);
}

const NOW = new Date('2026-11-26T10:00:00.000Z');

function record(more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...{
      version: 1,
      id: 'r',
      uri: 'agents://a/sessions/x',
      agent: 'a',
      preset: null,
      runner: 'codex',
      model: null,
      project: '/p',
      goal: 'g',
    },
    ...{ parentSessionId: null, session: null, state: 'ended', holder: null, outcome: 'completed', problem: null, attempts: 1 },
    ...{ startedAt: NOW.toISOString(), endedAt: NOW.toISOString(), usage: null, decisions: null, summary: null, artifacts: [] },
    ...more,
  };
}

/** A run that began so many seconds after NOW. */
function kept(where: string, seconds: number, more: Partial<SessionRecord> = {}) {
  const startedAt = new Date(NOW.getTime() + seconds * 1000);
  const folder = sessionFolder(where, more.agent ?? 'a', startedAt);
  writeSession(folder, record({ id: `r${seconds}`, startedAt: startedAt.toISOString(), ...more }));
  return folder;
}

test('runs of the same millisecond have folders of their own, which are for nobody else to see', () => {
  const where = state();
  const folders = Array.from({ length: 12 }, () => sessionFolder(where, 'Code Reviewer', NOW));
  assert.is(new Set(folders.map(({ path }) => path)).size, 12);
  assert.equal(folders[0]?.uri, 'agents://code-reviewer/sessions/2026-11-26T10-00-00.000Z');
  assert.equal(folders[11]?.uri, 'agents://code-reviewer/sessions/2026-11-26T10-00-00.000Z-12');
  for (const { path, uri } of folders) {
    assert.is(path, join(where, 'agents', uri.slice('agents://'.length)));
    assert.is(statSync(path).mode & 0o077, 0);
  }
});

test('no name leads out of the folder', () => {
  const where = state();
  for (const name of ['../../etc', '..', '.', '', '/', '\0', 'a/b', '\u202e', 'x'.repeat(5_000)]) {
    const { path } = sessionFolder(where, name, NOW);
    assert.match(path.slice(where.length), /^\/agents\/[^/]+\/sessions\/[^/]+$/, JSON.stringify(name));
    assert.not(path.includes('..'), JSON.stringify(name));
  }
});

test('a link in the place of the folder is refused', () => {
  const where = state();
  mkdirSync(where, { mode: 0o700 });
  symlinkSync('/tmp', join(where, 'agents'));
  assert.throws(() => sessionFolder(where, 'a', NOW), /is a symbolic link/);
});

test('records are read back oldest first, those of a project or all; what is damaged is passed over', () => {
  const where = state();
  kept(where, 3);
  kept(where, 1, { agent: 'b' });
  kept(where, 2, { project: '/other', summary: 'done' });
  for (const [seconds, text] of [
    [4, '{'],
    [5, 'null'],
    [6, '{"version":2}'],
    [7, JSON.stringify(record({ holder: {} as ProcessIdentity }))],
  ] as const)
    writeFileSync(join(kept(where, seconds).path, 'run.json'), text);
  mkdirSync(join(where, 'agents', 'a', 'sessions', 'not-a-time'));
  writeFileSync(join(where, 'agents', 'stray'), '');
  assert.equal(
    sessionRecords(where, '/p').map(({ id }) => id),
    ['r1', 'r3'],
  );
  const all = sessionRecords(where, null);
  assert.equal(
    all.map(({ id }) => id),
    ['r1', 'r2', 'r3'],
  );
  assert.is(readFileSync(join(all[1]?.path ?? '', 'summary.md'), 'utf8'), 'done\n');
  assert.equal(sessionRecords(join(where, 'none'), null), []);
});

test('a run whose `policy run` is gone has ended, though its record says otherwise', () => {
  const where = state();
  const own = identityOf(process.pid, processTable(process.platform));
  const going = { state: 'running', outcome: null, endedAt: null } as const;
  kept(where, 1, { ...going, holder: own });
  kept(where, 2, { ...going, holder: own && { ...own, began: 'another' } });
  kept(where, 3, { ...going, holder: own && { ...own, where: 'another machine' } });
  kept(where, 4, { ...going, holder: null });
  const read = sessionRecords(where, null);
  assert.equal(
    read.map(({ state: is }) => is),
    ['running', 'ended', 'ended', 'running'],
  );
  assert.equal([read[1]?.outcome, read[1]?.problem], ['failed', '`policy run` was killed before the run ended']);
  assert.ok(Date.parse(read[1]?.endedAt ?? '') >= Date.parse(read[1]?.startedAt ?? ''));
});

test('only the oldest that have ended are removed, and only those of the project', () => {
  const where = state();
  const own = identityOf(process.pid, processTable(process.platform));
  kept(where, 1, { state: 'running', holder: own });
  kept(where, 2, { project: '/other' });
  for (const seconds of [3, 4, 5, 6]) kept(where, seconds, { agent: seconds % 2 === 0 ? 'a' : 'b' });
  kept(where, 7, { state: 'running', holder: own && { ...own, began: 'another' } });
  assert.is(pruneSessions(where, '/p', 2), 3);
  assert.equal(
    sessionRecords(where, null).map(({ id }) => id),
    ['r1', 'r2', 'r6', 'r7'],
  );
  assert.is(pruneSessions(where, '/p', 2), 0);
});

test('events are appended until they are too many, or cannot be; that is said once', () => {
  const where = state();
  const folder = sessionFolder(where, 'a', NOW);
  const said: string[] = [];
  const append = eventAppender(folder, (message) => said.push(message));
  append('1\n');
  append('');
  append('2\n');
  assert.is(eventsText(folder.path), '1\n2\n');
  append('x'.repeat(64 * 1024 * 1024));
  append('3\n');
  assert.is(eventsText(folder.path), '1\n2\n');
  assert.is(said.length, 1);
  assert.is(statSync(join(folder.path, 'events.jsonl')).mode & 0o077, 0);
  const gone = eventAppender({ path: join(where, 'none'), uri: '' }, (message) => said.push(message));
  gone('x');
  gone('x');
  assert.match(said[1] ?? '', /ENOENT/);
  assert.is(said.length, 2);
});

test('a record that cannot be written is an error', () => {
  assert.throws(
    () => writeSession({ path: join(base, 'none'), uri: '' }, record()),
    (error: unknown) => error instanceof RunError && /cannot be written \(ENOENT\)/.test(error.message),
  );
  const where = state();
  const folder = kept(where, 1);
  assert.equal(readdirSync(folder.path), ['run.json'], 'no draft is left');
});

test.run();
