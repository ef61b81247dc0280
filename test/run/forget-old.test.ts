/** Which files of a state directory are removed when nobody wrote to them for a month. */
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { forgetOld } from '../../src/run/forget-old.js';
import { appendToJournal, journalFile, runsDirectory } from '../../src/run/journal.js';
import type { RunEvent } from '../../src/run/run-event.js';
import { isRecordOver } from '../../src/run/running-agents.js';
import { scratch } from '../cli/spawned.js';

const DAY = 24 * 3600 * 1000;
const NOW = Date.UTC(2026, 0, 31);

/** A folder of files that were written so many days ago. */
function folderOf(files: Readonly<Record<string, number>>): string {
  const folder = join(scratch({}), 'kept');
  mkdirSync(folder);
  for (const [name, days] of Object.entries(files)) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  }
  return folder;
}

const FILES: readonly (readonly [name: string, days: number, stays: boolean, why: string])[] = [
  ['0123456789abcdef-0123456789abcdef.jsonl', 31, false, 'a record of agents'],
  ['0123456789abcdef.json', 31, false, 'a session, or a snapshot of a former version'],
  ['claude-code-0123456789abcdef-8.12.11.gate', 31, false, 'a snapshot'],
  ['claude-code-0123456789abcdef-8.12.11.gate.4711', 31, false, 'a snapshot that was never finished'],
  ['claude-code-0123456789abcdef-8.12.11.gate', 29, true, 'written less than a month ago'],
  ['button.test.ts.snap', 400, true, 'no name of ours'],
  ['0123456789abcdef0.json', 400, true, 'no name of ours, though it begins like one'],
];
for (const [name, days, stays, why] of FILES)
  test(`${name}, ${days} days old: ${stays ? 'stays' : 'goes'}, ${why}`, () => {
    const folder = folderOf({ [name]: days });
    forgetOld(folder, NOW);
    assert.equal(readdirSync(folder), stays ? [name] : []);
  });

const PROJECT = '/p';
/** A record of so many runs, the last of which may still run; written to so many days ago. */
function recordOf({ family = null, runs = 800, open = false, days = 3, damaged = false }: RecordShape): string {
  const state = scratch({});
  const folder = runsDirectory(state);
  mkdirSync(folder, { mode: 0o700 });
  const file = journalFile(state, PROJECT, family);
  const when = { at: NOW - 90 * DAY, up: 1, boot: 'b' };
  const start = {
    kind: 'start',
    agent: 'a',
    runner: 'opencode',
    session: 's',
    project: PROJECT,
    by: null,
    call: 'c'.repeat(300),
    agentId: null,
    limit: 1,
    asked: false,
    when,
    hook: null,
    holder: null,
  } as const;
  const events = Array.from({ length: runs }, (_, at): RunEvent[] => [
    { ...start, id: `${at}` },
    ...(open && at === runs - 1 ? [] : [{ kind: 'ended', id: `${at}`, how: 'completed', when } as const]),
  ]);
  appendToJournal(file, events.flat());
  if (damaged) appendFileSync(file, 'x\n');
  utimesSync(file, (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  return folder;
}
interface RecordShape {
  readonly family?: string | null;
  readonly runs?: number;
  readonly open?: boolean;
  readonly days?: number;
  readonly damaged?: boolean;
}

const RECORDS: readonly (readonly [shape: RecordShape, stays: boolean, why: string])[] = [
  [{}, false, 'large, shared by all sessions, at rest, and all have ended'],
  [{ runs: 10 }, true, 'a small one costs nothing'],
  [{ family: 's' }, true, 'that of one session ends with it'],
  [{ days: 1 }, true, 'somebody may still be at work'],
  [{ open: true }, true, 'somebody runs, whatever the clock says'],
  [{ open: true, days: 31 }, false, 'nobody runs for a month'],
  [{ damaged: true }, true, 'who starts an agent is told about it'],
];
for (const [shape, stays, why] of RECORDS)
  test(`a record ${JSON.stringify(shape)} ${stays ? 'stays' : 'goes'}: ${why}`, () => {
    const folder = recordOf(shape);
    forgetOld(folder, NOW, isRecordOver);
    assert.is(readdirSync(folder).length, stays ? 1 : 0);
  });

test('a record that somebody writes to while it is looked at stays', () => {
  const folder = recordOf({});
  forgetOld(folder, NOW, (file) => {
    appendFileSync(file, '\n');
    return true;
  });
  assert.is(readdirSync(folder).length, 1);
});

test('a link is neither followed nor removed, nor is a folder', () => {
  const target = folderOf({ '0123456789abcdef.json': 400 });
  const folder = folderOf({});
  symlinkSync(join(target, '0123456789abcdef.json'), join(folder, '1123456789abcdef.json'));
  mkdirSync(join(folder, '2123456789abcdef.json'));
  utimesSync(join(folder, '2123456789abcdef.json'), 1, 1);
  forgetOld(folder, NOW);
  assert.is(readdirSync(folder).length, 2);
  assert.is(readdirSync(target).length, 1);
});

test('a link in place of the folder leads nowhere, and no folder is no error', () => {
  const target = folderOf({ '0123456789abcdef.json': 400 });
  symlinkSync(target, `${target}-link`);
  forgetOld(`${target}-link`, NOW);
  forgetOld(`${target}-none`, NOW);
  assert.is(readdirSync(target).length, 1);
});

test.run();
