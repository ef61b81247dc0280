/** Writing rules: where they go, what is refused, that edits at one time are all kept, and what is trusted afterwards. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
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
import { EditError, planEdit, writeEdit } from '../../../src/author/rule-edit.js';
import { defaultLayer, type EditedLayer, editTarget } from '../../../src/author/rule-edit-target.js';
import { isIgnored } from '../../../src/disk/git/ignored.js';
import { replaceFile, WriteError } from '../../../src/disk/replace.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { standingOf } from '../../../src/project/retrust.js';
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';
import { withFiles } from '../scratch.js';

/** A project and the folders of its user, in one scratch folder. */
function placesIn(folder: string) {
  for (const name of ['project', 'state', 'user']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  return {
    project: join(folder, 'project'),
    userDirectory: join(folder, 'user'),
    managedDirectory: join(folder, 'managed'),
    stateDirectory: join(folder, 'state'),
  };
}

function request(folder: string, layer: EditedLayer, text: string, effect: Effect = 'allow') {
  return { rules: [{ effect, text }], layer, places: placesIn(folder) };
}

const RULE = 'Bash(npm run test *)';

const NEW: readonly (readonly [layer: EditedLayer, file: string, mode: number])[] = [
  ['project', 'project/policy.yaml', 0o644],
  ['local', 'project/policy.local.yaml', 0o644],
  ['user', 'user/policy.yaml', 0o600],
];
for (const [layer, file, mode] of NEW)
  test(`a new ${layer} policy: ${file} with mode ${mode.toString(8)}`, () =>
    withFiles({}, (folder) => {
      const written = writeEdit(request(folder, layer, RULE));
      assert.ok(written.trusted);
      assert.is(readFileSync(join(folder, file), 'utf8'), `version: 1\nallow:\n  - ${RULE}\n`);
      assert.is(statSync(join(folder, file)).mode & 0o777, mode);
      assert.equal(readdirSync(join(folder, 'state/locks')), [], 'the lock is gone');
      if (layer !== 'user') assert.is(standingOf(placesIn(folder)).by, 'record');
    }));

test('a file keeps its mode, its comments and its format', () =>
  withFiles({ 'project/policy.toml': '# ours\nversion = 1\ndeny = ["Bash(rm *)"]\n' }, (folder) => {
    chmodSync(join(folder, 'project/policy.toml'), 0o640);
    writeEdit(request(folder, 'project', 'Bash(dd *)', 'deny'));
    assert.is(
      readFileSync(join(folder, 'project/policy.toml'), 'utf8'),
      '# ours\nversion = 1\ndeny = ["Bash(rm *)", "Bash(dd *)"]\n',
    );
    assert.is(statSync(join(folder, 'project/policy.toml')).mode & 0o777, 0o640);
  }));

test('a rule that is there already changes nothing', () =>
  withFiles({}, (folder) => {
    writeEdit(request(folder, 'project', RULE));
    const before = statSync(join(folder, 'project/policy.yaml')).mtimeMs;
    assert.is(writeEdit(request(folder, 'project', RULE)).added.length, 0);
    assert.is(statSync(join(folder, 'project/policy.yaml')).mtimeMs, before);
  }));

const REFUSED: readonly (readonly [why: string, files: Readonly<Record<string, string>>, layer: EditedLayer, what: RegExp])[] = [
  ['a file with a mistake', { 'project/policy.yaml': 'version: 1\nalow: []\n' }, 'project', /alow/],
  [
    'two policies',
    { 'project/policy.yaml': 'version: 1\nallow: []\n', 'project/policy.json': '{"version":1,"allow":[]}' },
    'project',
    /keep one/,
  ],
  ["another tool's policy.yaml", { 'project/policy.yaml': 'statements: []\n' }, 'project', /another tool/],
  [
    'a link out of the project',
    { 'away.yaml': 'version: 1\nallow: []\n', 'project/policy.yaml': '-> ../away.yaml' },
    'project',
    /leads out/,
  ],
  ['a link to nowhere', { 'project/policy.yaml': '-> nothing.yaml' }, 'project', /nowhere/],
  ['a folder', { 'project/policy.yaml/x': '' }, 'project', /not a regular file/],
  ['a newer version', { 'project/policy.yaml': 'version: 2\nallow: []\n' }, 'project', /newer/],
  ["a stranger's grants beside it", { 'project/policy.yaml': 'version: 1\nallow: [Bash]\n' }, 'local', /policy trust/],
  [
    "a stranger's grants in the local file",
    { 'project/policy.local.yaml': 'version: 1\nallow: [Bash]\n' },
    'project',
    /policy trust/,
  ],
];
for (const [why, files, layer, what] of REFUSED)
  test(`refused, and nothing changed: ${why}`, () =>
    withFiles(files, (folder) => {
      const before = readdirSync(join(folder, 'project')).sort();
      assert.throws(
        () => writeEdit(request(folder, layer, RULE)),
        (error: unknown) => {
          assert.ok(error instanceof WriteError || error instanceof EditError, String(error));
          assert.match((error as Error).message, what);
          return true;
        },
      );
      assert.equal(readdirSync(join(folder, 'project')).sort(), before);
      assert.is(standingOf(placesIn(folder)).record, null);
    }));

test('a link inside the project stays a link', () =>
  withFiles(
    { 'project/config/p.yaml': 'version: 1\npreset: readOnly\n', 'project/policy.yaml': '-> config/p.yaml' },
    (folder) => {
      writeEdit(request(folder, 'project', 'Bash(dd *)', 'deny'));
      assert.match(readFileSync(join(folder, 'project/config/p.yaml'), 'utf8'), /dd/);
      assert.is(
        readFileSync(join(folder, 'project/policy.yaml'), 'utf8'),
        readFileSync(join(folder, 'project/config/p.yaml'), 'utf8'),
      );
    },
  ));

test('denying in a policy that nobody trusts needs no trust, and gives none', () =>
  withFiles({ 'project/policy.yaml': 'version: 1\nallow: [Bash]\n' }, (folder) => {
    writeEdit(request(folder, 'project', 'Bash(dd *)', 'deny'));
    assert.is(standingOf(placesIn(folder)).by, null);
  }));

test('what somebody else added meanwhile is not trusted along with it', () =>
  withFiles({}, (folder) => {
    writeEdit(request(folder, 'project', RULE));
    writeFileSync(join(folder, 'project/policy.local.yaml'), 'version: 1\nallow: [Bash]\n');
    assert.throws(() => writeEdit(request(folder, 'project', 'Bash(make)')), /policy trust/);
    assert.is(standingOf(placesIn(folder)).by, null);
  }));

test('an example that the file no longer holds up is refused', () =>
  withFiles({ 'project/policy.yaml': 'version: 1\nallow:\n  - rule: Bash(ls *)\n    match: [rm x]\n' }, (folder) => {
    assert.throws(() => planEdit(request(folder, 'project', RULE)), /has to match/);
  }));

test('by default a rule is local in a project, and the user\u2019s elsewhere', () =>
  withFiles(
    {
      'plain/x': '',
      'ours/policy.yaml': 'version: 1\n',
      'git/.git/HEAD': 'ref: refs/heads/main\n',
      'git/.git/refs/x': '',
      'git/.git/objects/x': '',
    },
    (folder) => {
      const layer = (name: string) => defaultLayer({ project: join(folder, name) });
      assert.equal([layer('plain'), layer('ours'), layer('git')], [null, 'local', 'local']);
    },
  ));

test('an empty file is filled', () =>
  withFiles({ 'project/policy.yaml': '' }, (folder) => {
    writeEdit(request(folder, 'project', RULE));
    assert.is(readFileSync(join(folder, 'project/policy.yaml'), 'utf8'), `version: 1\nallow:\n  - ${RULE}\n`);
  }));

test('what changed under our hands is not overwritten', () =>
  withFiles({ 'policy.yaml': 'new' }, (folder) => {
    const path = join(folder, 'policy.yaml');
    assert.throws(() => replaceFile(path, 'old', 'ours', 0o644), /somebody else/);
    assert.throws(() => replaceFile(path, null, 'ours', 0o644), /somebody else/);
    assert.is(readFileSync(path, 'utf8'), 'new');
    symlinkSync('policy.yaml', join(folder, 'link.yaml'));
    assert.throws(() => replaceFile(join(folder, 'link.yaml'), 'new', 'ours', 0o644), /not a regular file/);
    assert.equal(readdirSync(folder).sort(), ['link.yaml', 'policy.yaml'], 'no leftovers');
  }));

/** Places that last longer than one function; `remove` ends them. */
function keptPlaces() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-test-')));
  return { places: placesIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

test('edits of several processes at one time are all kept', async () => {
  const count = 5;
  const places = keptPlaces();
  const code = `
    import { writeEdit } from ${JSON.stringify(new URL('../../../src/author/rule-edit.js', import.meta.url).href)};
    writeEdit({ rules: [{ effect: 'allow', text: process.argv[1] }], layer: process.argv[2], places: ${JSON.stringify(places.places)} });`;
  const ended = await Promise.all(
    Array.from(
      { length: count },
      (_, index) =>
        new Promise<number | null>((resolve) => {
          spawn(
            process.execPath,
            ['--input-type=module', '-e', code, `Bash(make t${index})`, index % 2 === 0 ? 'project' : 'local'],
            { stdio: 'ignore' },
          ).on('exit', resolve);
        }),
    ),
  );
  const written = (['policy', 'policy.local'] as const).flatMap((stem) => {
    const text = readFileSync(join(places.places.project, `${stem}.yaml`), 'utf8');
    return parsePolicy(text, { file: 'policy.yaml', format: 'yaml', layer: 'project' }).document?.rules ?? [];
  });
  const standing = standingOf(places.places).by;
  places.remove();
  assert.equal(
    ended,
    Array.from({ length: count }, () => 0),
  );
  assert.is(new Set(written.map(({ text }) => text)).size, count);
  assert.is(standing, 'record');
});

const IGNORED: readonly (readonly [line: string, ignored: boolean])[] = [
  ['policy.local.yaml', true],
  ['/policy.local.*', true],
  ['*.local.yaml', true],
  ['# policy.local.yaml', false],
  ['!policy.local.yaml', false],
  ['other', false],
];
for (const [line, ignored] of IGNORED)
  test(`.gitignore ${JSON.stringify(line)}: ${ignored ? 'ignored' : 'not ignored'}`, () =>
    withFiles(
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/x': '', '.git/objects/x': '', '.gitignore': `${line}\r\n` },
      (folder) => {
        assert.is(isIgnored(folder, 'policy.local.yaml'), ignored);
      },
    ));

test('a target is shown by its name in the project, and by its whole path elsewhere', () =>
  withFiles({}, (folder) => {
    const places = placesIn(folder);
    assert.is(editTarget('local', places).file, 'policy.local.yaml');
    assert.is(editTarget('user', places).file, join(folder, 'user/policy.yaml'));
  }));

test.run();
