/** `policy observe` on real files: what counts, what a managed policy forbids, and that nobody's change is overwritten. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { modeStanding, planMode, writeMode } from '../../../src/author/mode-edit.js';
import { EditError } from '../../../src/author/rule-edit.js';
import { WriteError } from '../../../src/disk/replace.js';
import type { Policy } from '../../../src/policy/policy.js';
import { withFiles } from '../scratch.js';

function placesIn(folder: string) {
  mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 });
  return {
    userDirectory: join(folder, 'user'),
    managedDirectory: join(folder, 'managed'),
    stateDirectory: join(folder, 'state'),
  };
}

type Row = readonly [
  why: string,
  files: Readonly<Record<string, string>>,
  mode: Policy['mode'],
  counts: Policy['mode'],
  text: string | null,
];

const LOCK = 'version: 1\nsecurity:\n  disable_bypass_permissions: true\n';
const ON = 'version: 1\nmode: observe\n';

/** What counts once the plan is carried out, and the text of the user's file; null: it stays as it is. */
const ROWS: readonly Row[] = [
  ['no file at all', {}, 'observe', 'observe', ON],
  ['an empty file', { 'user/policy.yaml': '\n' }, 'observe', 'observe', ON],
  ['on already', { 'user/policy.yaml': ON }, 'observe', 'observe', null],
  ['off already, without a file', {}, 'enforce', 'enforce', null],
  ['off already, without a word', { 'user/policy.yaml': 'version: 1\n' }, 'enforce', 'enforce', null],
  ['switched off', { 'user/policy.yaml': ON }, 'enforce', 'enforce', 'version: 1\nmode: enforce\n'],
  [
    'a base says observe',
    { 'user/policy.yaml': 'version: 1\nextends: b.yaml\n', 'user/b.yaml': ON },
    'enforce',
    'enforce',
    'version: 1\nmode: enforce\nextends: b.yaml\n',
  ],
  [
    'a base says enforce',
    { 'user/policy.yaml': 'version: 1\nextends: b.yaml\n', 'user/b.yaml': 'version: 1\nmode: enforce\n' },
    'observe',
    'observe',
    'version: 1\nmode: observe\nextends: b.yaml\n',
  ],
  ['the managed policy observes', { 'managed/policy.yaml': ON }, 'enforce', 'enforce', 'version: 1\nmode: enforce\n'],
  ['the managed policy says enforce', { 'managed/policy.yaml': 'version: 1\nmode: enforce\n' }, 'observe', 'enforce', ON],
  ['the managed policy is locked', { 'managed/policy.yaml': LOCK }, 'observe', 'enforce', ON],
  ['it is there and locked', { 'managed/policy.yaml': LOCK, 'user/policy.yaml': ON }, 'observe', 'enforce', null],
];
for (const [why, files, mode, counts, text] of ROWS)
  test(`${mode}: ${why}`, () =>
    withFiles(files, (folder) => {
      const plan = planMode(mode, placesIn(folder));
      assert.is(plan.text, text ?? files['user/policy.yaml'] ?? '');
      assert.is(plan.after.mode, counts);
      if (counts !== mode)
        assert.match(plan.after.ignored.join(), /^mode: "observe" is ignored: .*managed\/policy\.yaml:[23]\)\.$/);
      if (text === null) return;
      writeMode(plan, placesIn(folder));
      assert.is(readFileSync(join(folder, 'user/policy.yaml'), 'utf8'), text);
      assert.is(modeStanding(placesIn(folder)).mode, counts);
    }));

test('a new file is for its owner alone', () =>
  withFiles({}, (folder) => {
    writeMode(planMode('observe', placesIn(folder)), placesIn(folder));
    assert.is(statSync(join(folder, 'user/policy.yaml')).mode & 0o777, 0o600);
  }));

test('a change of somebody else meanwhile is kept', () =>
  withFiles({ 'user/policy.yaml': 'version: 1\n' }, (folder) => {
    const plan = planMode('observe', placesIn(folder));
    writeFileSync(join(folder, 'user/policy.yaml'), 'version: 1\ndeny: [Bash]\n');
    assert.throws(
      () => writeMode(plan, placesIn(folder)),
      (error: unknown) => error instanceof WriteError,
    );
    assert.is(readFileSync(join(folder, 'user/policy.yaml'), 'utf8'), 'version: 1\ndeny: [Bash]\n');
  }));

for (const file of ['user/policy.yaml', 'managed/policy.yaml'])
  test(`a mistake in ${file} is told`, () =>
    withFiles({ [file]: 'version: 1\nmode: watch\n' }, (folder) => {
      for (const work of [() => planMode('observe', placesIn(folder)), () => modeStanding(placesIn(folder))])
        assert.throws(work, (error: unknown) => error instanceof EditError && /mode/.test(error.message));
    }));

test.run();
