/** Trust: what makes a project's policy count, what keeps it from counting, and what can lend trust to nobody. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { forgetTrust, recordTrust } from '../../../src/project/trust.js';
import { GIT, openIn, placesIn, trustIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const POLICY = 'version: 1\nallow: [Bash(npm test)]\ndeny: [WebFetch]\n';
const FILES = { ...GIT, 'repo/policy.yaml': POLICY };

function trust(folder: string, project?: string): void {
  recordTrust(placesIn(folder).stateDirectory, trustIn(folder, project), new Date('2026-11-21T08:00:00Z'));
}

/** Trusts the policy first, then does the steps. */
function trusted(...steps: readonly ((folder: string) => unknown)[]): (folder: string) => void {
  return (folder) => {
    trust(folder);
    for (const step of steps) step(folder);
  };
}

/** The decision on a command in the project, or the codes of what is wrong; and the codes of the notes about trust. */
function answer(folder: string, command: string, cwd = join(folder, 'repo')): string {
  const opened = openIn(folder, { cwd });
  if (!opened.ok) return opened.problems.map(({ code }) => code).join(' ');
  const { decision } = enforceDry(opened.workspace, { tool: 'Bash', input: { command }, cwd, headless: false, shell: 'bash' });
  return [decision, ...opened.workspace.notes.map(({ code }) => code).filter((code) => code.startsWith('trust/'))].join(' ');
}

const NEVER = 'ask trust/untrusted';
const CHANGED = 'ask trust/changed';

const rows: readonly (readonly [string, Readonly<Record<string, string>>, (folder: string) => void, string])[] = [
  ['nobody trusted it', FILES, () => undefined, NEVER],
  ['a person trusted it', FILES, (f) => trust(f), 'allow'],
  ['a person forgot it again', FILES, trusted((f) => forgetTrust(placesIn(f).stateDirectory, trustIn(f))), NEVER],
  ['there is nothing to trust', { ...GIT, 'repo/policy.yaml': 'version: 1\ndeny: [WebFetch]\n' }, () => undefined, 'ask'],
  ['a comment came', FILES, trusted((f) => write(f, 'repo/policy.yaml', `# x\n${POLICY}`)), 'allow'],
  [
    'a deny rule came',
    FILES,
    trusted((f) => write(f, 'repo/policy.yaml', POLICY.replace('[WebFetch]', '[WebFetch, Write]'))),
    'allow',
  ],
  ['an allow rule came', FILES, trusted((f) => write(f, 'repo/policy.yaml', POLICY.replace('test)', 'test), Read'))), CHANGED],
  ['a deny rule went', FILES, trusted((f) => write(f, 'repo/policy.yaml', POLICY.replace('deny: [WebFetch]', ''))), CHANGED],
  [
    'a local policy that grants came',
    FILES,
    trusted((f) => write(f, 'repo/policy.local.yaml', 'version: 1\nallow: [Read]\n')),
    CHANGED,
  ],
  [
    'a local policy that tightens came',
    FILES,
    trusted((f) => write(f, 'repo/policy.local.yaml', 'version: 1\ndeny: [Read]\n')),
    'allow',
  ],
  [
    'the base that it extends grants more',
    { ...FILES, 'repo/base.yaml': 'version: 1\nallow: [Read]\n', 'repo/policy.yaml': `${POLICY}extends: base.yaml\n` },
    trusted((f) => write(f, 'repo/base.yaml', 'version: 1\nallow: [Read, WebSearch]\n')),
    CHANGED,
  ],
  [
    'the policy became JSON of the same meaning',
    FILES,
    trusted(
      (f) => rmSync(join(f, 'repo/policy.yaml')),
      (f) => write(f, 'repo/policy.json', '{"version":1,"allow":["Bash(npm test)"],"deny":["WebFetch"]}'),
    ),
    'allow',
  ],
  ['the policy is gone', FILES, trusted((f) => rmSync(join(f, 'repo/policy.yaml'))), 'allow trust/recorded'],
  [
    "another tool's file is in its place",
    { ...GIT, 'repo/policy.json': '{"version":1,"allow":["Bash(npm test)"]}' },
    trusted((f) => write(f, 'repo/policy.json', '{"Version":"2012-10-17","Statement":[]}')),
    'trust/foreign',
  ],
  [
    // As on a branch from before the policy.
    "another tool's file came where the policy went",
    FILES,
    trusted(
      (f) => rmSync(join(f, 'repo/policy.yaml')),
      (f) => write(f, 'repo/policy.json', '{"Statement":[]}'),
    ),
    'allow trust/recorded',
  ],
  ["another tool's file lies beside it", { ...FILES, 'repo/policy.json': '{"Statement":[]}' }, (f) => trust(f), 'allow'],
  [
    'a second candidate came',
    FILES,
    trusted((f) => write(f, 'repo/policy.toml', 'version = 1\nallow = ["Read"]\n')),
    'file/two-candidates',
  ],
  [
    'it was broken afterwards',
    FILES,
    trusted((f) => write(f, 'repo/policy.yaml', 'version: 1\nallow: {}\n')),
    'policy/wrong-type',
  ],
  ['the user lists the repository', FILES, (f) => list(f, 'home/.config/policy/policy.yaml', join(f, 'repo')), 'allow'],
  ['the managed policy lists the repository', FILES, (f) => list(f, 'managed/policy.yaml', `${join(f, 'repo')}/`), 'allow'],
  ['a listed one is only a beginning of its name', FILES, (f) => list(f, 'managed/policy.yaml', join(f, 're')), NEVER],
  [
    'the repository lists itself',
    FILES,
    (f) => write(f, 'repo/policy.yaml', `${POLICY}trustedRepos: [${join(f, 'repo')}]\n`),
    NEVER,
  ],
  [
    'a listed repository may lose its policy',
    FILES,
    trusted(
      (f) => list(f, 'managed/policy.yaml', join(f, 'repo')),
      (f) => rmSync(join(f, 'repo/policy.yaml')),
    ),
    'allow trust/recorded',
  ],
  [
    'the record was written by others',
    FILES,
    trusted((f) => chmodSync(trustIn(f).recordFile, 0o666)),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'its folder can be written by others',
    FILES,
    trusted((f) => chmodSync(dirname(trustIn(f).recordFile), 0o777)),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'the record is a link',
    FILES,
    trusted((f) => linkAway(f, trustIn(f).recordFile)),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'its folder is a link',
    FILES,
    trusted((f) => linkAway(f, dirname(trustIn(f).recordFile))),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'the record is damaged',
    FILES,
    trusted((f) => writeFileSync(trustIn(f).recordFile, '{"version":1')),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'the record has keys of its own',
    FILES,
    trusted((f) =>
      writeFileSync(trustIn(f).recordFile, readFileSync(trustIn(f).recordFile, 'utf8').replace('{', '{"all":true,')),
    ),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'the record is of another repository',
    FILES,
    trusted((f) =>
      writeFileSync(trustIn(f).recordFile, readFileSync(trustIn(f).recordFile, 'utf8').replace('/repo/', '/other/')),
    ),
    'ask trust/record-unusable trust/untrusted',
  ],
  [
    'a record lies in the repository',
    FILES,
    trusted((f) => renameSync(join(f, 'home/.local/state/policy'), join(f, 'repo/.policy-state'))),
    NEVER,
  ],
  ['preset all of a trusted policy', { ...GIT, 'repo/policy.yaml': 'version: 1\npreset: all\n' }, (f) => trust(f), 'allow'],
  [
    'preset all of a policy that nobody trusted',
    { ...GIT, 'repo/policy.yaml': 'version: 1\npreset: all\n' },
    () => undefined,
    NEVER,
  ],
  [
    'preset all of the user is not covered by a record',
    { ...FILES, 'home/.config/policy/policy.yaml': 'version: 1\npreset: all\n' },
    (f) => trust(f),
    'preset/all-untrusted',
  ],
];
for (const [why, files, prepare, expected] of rows)
  test(`${why}: ${expected}`, () =>
    withFiles(files, (folder) => {
      prepare(folder);
      assert.is(answer(folder, 'npm test'), expected);
    }));

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function list(folder: string, file: string, repository: string): void {
  write(folder, file, `version: 1\ntrustedRepos: [${repository}]\n`);
}

function linkAway(folder: string, path: string): void {
  renameSync(path, join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), path);
}

test('the record and its folder are ours alone', () =>
  withFiles(FILES, (folder) => {
    trust(folder);
    const { recordFile } = trustIn(folder);
    assert.is(statSync(recordFile).mode & 0o777, 0o600);
    assert.is(statSync(dirname(recordFile)).mode & 0o777, 0o700);
    assert.is(statSync(dirname(dirname(recordFile))).mode & 0o777, 0o700);
  }));

test('trusting again replaces an unusable record', () =>
  withFiles(FILES, (folder) => {
    trust(folder);
    writeFileSync(trustIn(folder).recordFile, Buffer.from([0xff]));
    trust(folder);
    assert.is(answer(folder, 'npm test'), 'allow');
  }));

test('without git the record is that of the folder', () =>
  withFiles({ 'repo/policy.yaml': POLICY }, (folder) => {
    trust(folder);
    assert.is(trustIn(folder).repository, join(folder, 'repo'));
    assert.is(answer(folder, 'npm test'), 'allow');
  }));

test('nested: a policy below the top only tightens, also in a trusted repository', () =>
  withFiles({ ...FILES, 'repo/pkg/policy.yaml': 'version: 1\nallow: [Bash(npm run x)]\ndeny: [Bash(npm test)]\n' }, (folder) => {
    trust(folder);
    const inside = join(folder, 'repo/pkg');
    assert.is(answer(folder, 'npm test'), 'allow');
    assert.is(answer(folder, 'npm test', inside), 'deny trust/nested');
    assert.is(answer(folder, 'npm run x', inside), 'ask trust/nested');
  }));

/** A repository with a linked worktree beside it, as `git worktree add` makes it. */
const WORKTREE = {
  ...FILES,
  'repo/.git/worktrees/tree/HEAD': 'ref: refs/heads/other\n',
  'repo/.git/worktrees/tree/commondir': '../..\n',
  'tree/policy.yaml': POLICY,
};

function link(folder: string, entry: string, back: string): void {
  write(folder, 'tree/.git', `gitdir: ${entry}\n`);
  writeFileSync(join(entry, 'gitdir'), `${back}\n`);
}

test('a worktree that its repository knows shares the trust', () =>
  withFiles(WORKTREE, (folder) => {
    link(folder, join(folder, 'repo/.git/worktrees/tree'), join(folder, 'tree/.git'));
    trust(folder);
    assert.is(answer(folder, 'npm test', join(folder, 'tree')), 'allow');
    write(folder, 'tree/policy.yaml', POLICY.replace('npm test', 'npm *'));
    assert.is(answer(folder, 'npm test', join(folder, 'tree')), CHANGED);
  }));

const borrowed: readonly (readonly [string, (folder: string) => void])[] = [
  [
    'a .git file that names the worktree of another folder',
    (f) => link(f, join(f, 'repo/.git/worktrees/tree'), join(f, 'another/.git')),
  ],
  ['a .git file that names the repository itself', (f) => write(f, 'tree/.git', `gitdir: ${join(f, 'repo/.git')}\n`)],
  [
    'an entry of its own that names the common directory and points back',
    (f) => {
      write(f, 'tree/.fake/commondir', `${join(f, 'repo/.git')}\n`);
      link(f, join(f, 'tree/.fake'), join(f, 'tree/.git'));
    },
  ],
  [
    'an entry of its own behind a link to worktrees',
    (f) => {
      write(f, 'tree/.fake/worktrees/tree/commondir', `${join(f, 'repo/.git')}\n`);
      link(f, join(f, 'tree/.fake/worktrees/tree'), join(f, 'tree/.git'));
    },
  ],
  ['a link for a .git', (f) => symlinkSync(join(f, 'repo/.git'), join(f, 'tree/.git'))],
  [
    'a .git folder with a common directory elsewhere',
    (f) => {
      write(f, 'tree/.git/HEAD', 'ref: refs/heads/main\n');
      write(f, 'tree/.git/commondir', `${join(f, 'repo/.git')}\n`);
    },
  ],
];
for (const [why, prepare] of borrowed)
  test(`trust cannot be borrowed: ${why}`, () =>
    withFiles(WORKTREE, (folder) => {
      trust(folder);
      prepare(folder);
      assert.is(answer(folder, 'npm test', join(folder, 'tree')), NEVER);
    }));

test.run();
