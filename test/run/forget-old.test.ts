/** Which files of a state directory are removed when nobody wrote to them for a month. */
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { forgetOld } from '../../src/run/forget-old.js';
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
