/** Ways to make a plain git command run a program or leave the repository that were once overlooked. */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { repositoryTop } from '../../../../src/disk/git/directory.js';
import { gitFacts } from '../../../../src/disk/git/repository.js';
import { withFiles } from '../../scratch.js';

const PLAIN = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/': '',
  '.git/refs/': '',
  '.git/config': '[remote "origin"]\n\turl = https://example.com/x.git\n',
};
const EVIL = '[core]\n\tfsmonitor = evil\n';
const keys = (folder: string, directories: readonly string[] = []) =>
  (gitFacts(folder, directories, folder)?.hazards ?? []).map(({ key }) => key);

const found: readonly (readonly [string, Readonly<Record<string, string>>, string, readonly string[]])[] = [
  ['nothing in a plain repository', {}, '', []],
  [
    'a configuration that is larger than we read',
    { '.git/config': `# ${'x'.repeat(300_000)}\n` },
    '',
    ['config that is larger than 262144 bytes'],
  ],
  ['a file that the configuration includes is not followed', { '.git/config': '[include]\n\tpath = x\n' }, '', ['include.path']],
  [
    'nor one that it includes sometimes',
    { '.git/config': '[includeIf "gitdir:/"]\n\tpath = x\n' },
    '',
    ['includeif.gitdir:/.path'],
  ],
  [
    'commondir alone makes a bare look-alike',
    { 'x/HEAD': 'ref: refs/heads/x', 'x/commondir': 'c', 'x/c/config': EVIL },
    'x',
    ['bare repository', 'core.fsmonitor'],
  ],
  ['commondir within .git', { '.git/commondir': '../c', 'c/config': EVIL }, '', ['commondir', 'core.fsmonitor']],
  [
    'an empty .git does not hide what is above',
    { 'sub/.git/': '', '.git/config': EVIL },
    'sub',
    ['.git that is no repository', 'core.fsmonitor'],
  ],
  [
    'a .git with a HEAD that git refuses',
    { 'sub/.git/HEAD': 'x', 'sub/.git/objects/': '', 'sub/.git/refs/': '', '.git/config': EVIL },
    'sub',
    ['.git that is no repository', 'core.fsmonitor'],
  ],
  [
    'a .git without objects',
    { 'sub/.git/HEAD': 'ref: refs/heads/x', '.git/config': EVIL },
    'sub',
    ['.git that is no repository', 'core.fsmonitor'],
  ],
  [
    'a .git link that leads nowhere',
    { 'sub/.git': '-> nowhere', '.git/config': EVIL },
    'sub',
    ['.git that is no repository', 'core.fsmonitor'],
  ],
  ['a submodule', { '.git/modules/a/HEAD': 'ref: refs/heads/x', '.git/modules/a/config': EVIL }, '', ['core.fsmonitor']],
  ['a submodule with a name of several parts', { '.git/modules/a/b/c/config': EVIL }, '', ['core.fsmonitor']],
  [
    'a submodule of a submodule',
    { '.git/modules/a/config': '', '.git/modules/a/modules/b/config': EVIL },
    '',
    ['core.fsmonitor'],
  ],
  [
    'a submodule named like a data folder',
    { '.git/modules/a/config': '', '.git/modules/a/refs/config': EVIL },
    '',
    ['core.fsmonitor'],
  ],
  ["a submodule's own work tree is none", { '.git/modules/a/config': '[core]\n\tworktree = ../../../a\n' }, '', []],
  [
    "a submodule's work tree elsewhere is one",
    { '.git/modules/a/config': '[core]\n\tworktree = ../../../../a\n' },
    '',
    ['core.worktree'],
  ],
  ['submodules nested too deeply', { '.git/modules/a/b/c/d/e/config': EVIL }, '', ['submodules beyond what is read']],
  ['a link among submodules', { '.git/modules/a': '-> ../../x', 'x/config': EVIL }, '', ['link among submodules']],
  [
    'a submodule with a .git directory',
    { '.gitmodules': '[submodule "s"]\n\tpath = s\n', 's/.git/config': EVIL },
    '',
    ['core.fsmonitor'],
  ],
  [
    'a submodule whose .git leads elsewhere',
    { '.gitmodules': '[submodule "s"]\n\tpath = s\n', 's/.git': 'gitdir: ../x\n' },
    '',
    ['submodule.path'],
  ],
  [
    'a submodule whose .git leads to its module',
    { '.gitmodules': '[submodule "s"]\n\tpath = s\n', 's/.git': 'gitdir: ../.git/modules/s\n', '.git/modules/s/config': '' },
    '',
    [],
  ],
  ['a .gitmodules that cannot be read', { '.gitmodules': '[' }, '', ['.gitmodules: config that cannot be read']],
];

for (const [why, files, start, expected] of found) {
  test(`git hazards: ${why}`, () => {
    withFiles({ ...PLAIN, ...files }, (folder) => assert.equal(keys(join(folder, start)), expected));
  });
}

test('an unfinished .git in the directory of one command is seen from another', () => {
  withFiles({ ...PLAIN, 'sub/.git/': '' }, (folder) => {
    assert.equal(keys(folder, [join(folder, 'sub')]), ['.git that is no repository']);
    assert.is(gitFacts(folder, [join(folder, 'sub')], folder)?.directories[join(folder, 'sub')], folder);
  });
});

test('a .git without a repository anywhere above is the top, and its configuration counts', () => {
  withFiles({ '.git/config': EVIL, 'sub/': '' }, (folder) => {
    assert.is(repositoryTop(join(folder, 'sub')), folder);
    assert.equal(keys(join(folder, 'sub')), ['core.fsmonitor']);
  });
});

test('more than 200 submodules are more than is read', () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`.git/modules/m${index}/config`, '']));
  withFiles({ ...PLAIN, ...many }, (folder) => assert.equal(keys(folder), ['submodules beyond what is read']));
});

const settings: readonly (readonly [string, string, boolean])[] = [
  ['gc.recentobjectshook', '[gc]\n\trecentObjectsHook = evil\n', true],
  ['push.default', '[push]\n\tdefault = matching\n', true],
  ['gpg.ssh.defaultkeycommand', '[gpg "ssh"]\n\tdefaultKeyCommand = evil\n', true],
  ['core.hookspath', '[core]\n\thooksPath = .githooks\n', false],
  ['core.hookspath', '[core]\n\thooksPath = ./.githooks\n', false],
  ['core.hookspath', '[core]\n\thooksPath = ../hooks\n', true],
  ['core.hookspath', '[core]\n\thooksPath = tools/hooks\n', true],
  ['hook.x.event', '[hook "x"]\n\tevent = post-index-change\n\tcommand = evil\n', true],
  ['hook.x.event', '[hook "x"]\n\tevent = reference-transaction\n\tcommand = evil\n', true],
  ['hook.x.event', '[hook "x"]\n\tevent = pre-commit\n\tcommand = lint\n', false],
  ['branch.main.mergeoptions', '[branch "main"]\n\tmergeOptions = -s evil\n', true],
  ['branch.main.mergeoptions', '[branch "main"]\n\tmergeOptions = --no-ff\n', false],
  ['pull.twohead', '[pull]\n\ttwohead = evil\n', true],
  ['pull.octopus', '[pull]\n\toctopus = octopus\n', false],
  ['http.proxy', '[http]\n\tproxy = http://evil:1\n', true],
  ['http.https://example.com.proxy', '[http "https://example.com"]\n\tproxy = http://evil:1\n', true],
  ['http.curloptresolve', '[http]\n\tcurloptResolve = example.com:443:1.2.3.4\n', true],
  ['http.cookiefile', '[http]\n\tcookieFile = /home/me/x\n\tsaveCookies = true\n', true],
  ['http.sslverify', '[http]\n\tpostBuffer = 1\n', false],
  ['fetch.bundleuri', '[fetch]\n\tbundleURI = https://evil/x\n', true],
  ['lfs.customtransfer.x.path', '[lfs "customtransfer.x"]\n\tpath = ./evil\n', true],
  ['lfs.standalonetransferagent', '[lfs]\n\tstandalonetransferagent = x\n', true],
  ['lfs.extension.x.clean', '[lfs "extension.x"]\n\tclean = ./evil\n', true],
  ['remote.origin.lfsurl', '[remote "origin"]\n\tlfsurl = https://evil/x\n', true],
  ['lfs.https://example.com/x.git/info/lfs.access', '[lfs "https://example.com/x.git/info/lfs"]\n\taccess = basic\n', false],
  ['push.default', '[push]\n\tdefault = simple\n', false],
  ['diff.submodule', '[diff]\n\tsubmodule = diff\n', true],
  ['diff.submodule', '[diff]\n\tsubmodule = log\n', false],
  ['status.submodulesummary', '[status]\n\tsubmoduleSummary\n', true],
  ['tar.tgz.command', '[tar "tgz"]\n\tcommand = evil\n', true],
  ['fetch.fsck.skiplist', '[fetch "fsck"]\n\tskipList = /home/me/.netrc\n', true],
  ['blame.ignorerevsfile', '[blame]\n\tignoreRevsFile = ../x\n', true],
  ['blame.ignorerevsfile', '[blame]\n\tignoreRevsFile = .env\n', true],
  ['blame.ignorerevsfile', '[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n', false],
  ['branch.main.pushremote', '[branch "main"]\n\tpushRemote = https://evil/x\n', true],
  ['branch.main.pushremote', '[branch "main"]\n\tpushRemote = origin\n', false],
  ['branch.a/b.remote', '[branch "a/b"]\n\tremote = ./evil\n', true],
  ['branch.main.remote', '[branch "main"]\n\tremote = evil-folder\n', true],
  ['branch.main.remote', '[branch "main"]\n\tremote = .\n', false],
  ['remote.pushdefault', '[remote]\n\tpushDefault = me@evil:x\n', true],
  ['remote.pushdefault', '[remote]\n\tpushDefault = origin\n', false],
];

for (const [key, text, hazard] of settings) {
  test(`${JSON.stringify(text)} is ${hazard ? 'a' : 'no'} hazard`, () => {
    withFiles({ ...PLAIN, '.git/config': `${PLAIN['.git/config']}${text}` }, (folder) =>
      assert.equal(keys(folder), hazard ? [key] : []),
    );
  });
}

const links: readonly (readonly [file: string, target: string, hazards: readonly string[], why: string])[] = [
  ['.git/info/grafts', '../../notes', ['link'], 'git quotes its lines, of any file'],
  ['.git/info/attributes', '../../notes', ['link'], 'and words of these'],
  ['.git/packed-refs', '../../.netrc', ['link'], 'a file that is not there yet'],
  ['.git/packed-refs', '../other/packed-refs', [], 'that of another work tree, as git-new-workdir makes it'],
  ['.git/rebase-merge/done', '../../notes', ['link'], 'git status shows the last of its lines'],
  ['.git/worktrees/a/gitdir', '../../../notes', ['link'], 'git worktree list shows it'],
  ['.git/objects/info/alternates', '../../../notes', ['link'], 'git quotes its lines'],
  ['.git/objects/info/commit-graphs/commit-graph-chain', '../../../../notes', ['link'], 'and the lines of this one'],
  ['.git/modules/a/info/grafts', '../../../../notes', ['link'], 'of a submodule'],
  ['.git/info/exclude', '../../notes', [], 'a list of patterns is never quoted'],
  ['.git/hooks', '../docs', [], 'a folder'],
  ['.git/ORIG_HEAD', 'ORIG_HEAD', ['link'], 'one that leads in a circle'],
  ['.git-blame-ignore-revs', 'notes', ['blame.ignorerevsfile'], 'git blame quotes a line of it'],
  ['docs/grafts', '../notes', [], 'a link in the work tree'],
];

for (const [file, target, hazards, why] of links)
  test(`${file} as a link to ${target}: ${why}`, () => {
    const files = { notes: 'x', 'docs/': '', 'other/packed-refs': '', '.git/modules/a/HEAD': 'ref: refs/heads/x' };
    withFiles({ ...PLAIN, ...files, '.git/modules/a/config': '', [file]: `-> ${target}` }, (folder) =>
      assert.equal(keys(folder), hazards),
    );
  });

test('a file is no folder to look for a repository in', () => {
  withFiles({ ...PLAIN, 'a.ts': '' }, (folder) => {
    assert.equal(keys(folder, [join(folder, 'a.ts')]), []);
    assert.is(repositoryTop(join(folder, 'a.ts')), folder);
  });
});

test('hooks that run when somebody only looks are hazards when executable, samples and other gates are not', () => {
  const hook = '#!/bin/sh\n';
  const names = ['post-index-change', 'reference-transaction', 'pre-commit', 'post-index-change.sample'];
  const files = Object.fromEntries(names.map((name) => [`.git/hooks/${name}`, hook]));
  withFiles({ ...PLAIN, ...files }, (folder) => {
    assert.equal(keys(folder), []);
    for (const name of names) chmodSync(join(folder, '.git/hooks', name), 0o755);
    assert.equal(keys(folder), ['hook post-index-change', 'hook reference-transaction']);
  });
});

test('hooks in the folder that a harmless core.hooksPath names count too', () => {
  const files = { '.git/config': '[core]\n\thooksPath = .husky\n', '.husky/post-index-change': '#!/bin/sh\n' };
  withFiles({ ...PLAIN, ...files }, (folder) => {
    chmodSync(join(folder, '.husky/post-index-change'), 0o755);
    assert.equal(keys(folder), ['hook post-index-change']);
  });
});

test('a FIFO as HEAD or configuration does not block, and is a hazard', () => {
  withFiles({ ...PLAIN, 'sub/.git/HEAD': 'ref: refs/heads/x', 'sub/.git/objects/': '', 'sub/.git/refs/': '' }, (folder) => {
    for (const name of ['.git/config', 'sub/.git/HEAD']) {
      rmSync(join(folder, name));
      if (spawnSync('mkfifo', [join(folder, name)]).status !== 0) return;
    }
    assert.equal(keys(join(folder, 'sub')), ['.git that is no repository', 'config that is not a regular file']);
  });
});

test('a repository with a submodule, made by git itself, is no hazard', () => {
  withFiles({ 'lib/a.txt': 'x', 'main/b.txt': 'y' }, (folder) => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
    const git = (at: string, ...args: string[]) => spawnSync('git', [...identity, ...args], { cwd: join(folder, at), env });
    if (git('lib', 'init', '-q').error) return;
    git('lib', 'add', '.');
    git('lib', 'commit', '-qm', 'x');
    git('main', 'init', '-q');
    assert.is(git('main', 'submodule', '--quiet', 'add', join(folder, 'lib'), 'deps/lib').status, 0);
    assert.equal(keys(join(folder, 'main')), []);
  });
});

for (const [what, key, value, expected] of [
  ['a program of its own', 'core.fsmonitor', 'evil', ['core.fsmonitor']],
  ['nothing of its own', 'user.name', 'a', []],
] as const)
  test(`a repository in the index without .gitmodules, with ${what}`, () => {
    withFiles({ 'a.txt': 'x', 's/b.txt': 'y', 's/t/c.txt': 'z' }, (folder) => {
      const git = (at: string, ...args: string[]) =>
        spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: join(folder, at),
          env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
        });
      for (const at of ['s/t', 's', '']) {
        if (git(at, 'init', '-q').error) return;
        git(at, 'add', '.');
        git(at, 'commit', '-qm', 'x');
      }
      assert.equal(keys(folder), []);
      git('s/t', 'config', key, value);
      assert.equal(keys(folder), expected);
    });
  });

test.run();
