/** Facts from a real file system: where paths lead, what trees hold, what a repository's configuration would run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { repositoryTop } from '../../../src/disk/git/directory.js';
import { gitFacts } from '../../../src/disk/git/repository.js';
import { readText } from '../../../src/disk/read.js';
import { pathFact } from '../../../src/disk/real-path.js';
import { secretTreeReader } from '../../../src/enforce/facts/secret-trees.js';
import { withFiles } from '../scratch.js';

const leads: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  ['a plain file', { 'a.txt': 'x' }, 'a.txt', 'a.txt'],
  ['a file that is not there yet', { 'src/': '' }, 'src/new/deep.txt', 'src/new/deep.txt'],
  ['a link to a file', { 'a.txt': 'x', l: '-> a.txt' }, 'l', 'a.txt'],
  ['a link to a folder', { 'real/a.txt': 'x', l: '-> real' }, 'l/a.txt', 'real/a.txt'],
  ['a new file behind a linked folder', { 'real/a.txt': 'x', l: '-> real' }, 'l/new.txt', 'real/new.txt'],
  ['a dangling link', { l: '-> nowhere/x' }, 'l', 'nowhere/x'],
  ['a dangling link to a dangling link', { l: '-> m', m: '-> n' }, 'l', 'n'],
  [
    'dots after a link go up from where it leads',
    { 'deep/real/a.txt': 'x', 'deep/b.txt': 'y', l: '-> deep/real' },
    'l/../b.txt',
    'deep/b.txt',
  ],
];

for (const [why, files, path, expected] of leads) {
  test(`where a path leads: ${why}`, () => {
    withFiles(files, (folder) => assert.is(pathFact(`${folder}/${path}`)?.real, join(folder, expected)));
  });
}

test('a path is unknowable in a loop, with dots behind something missing, or when it is not absolute', () => {
  withFiles({ l: '-> m', m: '-> l' }, (folder) => {
    assert.is(pathFact(`${folder}/l`), null);
    assert.is(pathFact(`${folder}/missing/../x`), null);
    assert.is(pathFact('relative'), null);
    assert.is(pathFact(`${folder}${'/a'.repeat(30_000)}`), null);
    const deep = `${folder}${'/a'.repeat(1900)}`;
    assert.equal(pathFact(deep), { real: deep, kind: 'missing' });
    assert.is(pathFact('/a\0b'), null);
  });
});

test('secrets below a folder: found in hidden and nested places, not in installed packages', () => {
  const files = {
    '.env': '',
    'src/a.ts': '',
    'tls/server.pem': '',
    'node_modules/x/test.pem': '',
    '.git/id_rsa': '',
    'docs/.env.example': '',
  };
  withFiles(files, (folder) =>
    assert.equal(secretTreeReader('/home/me', folder)(folder), [join(folder, '.env'), join(folder, 'tls/server.pem')]),
  );
});

test('secrets below something that is not a folder: none', () => {
  withFiles({ 'a.txt': 'x' }, (folder) => {
    assert.equal(secretTreeReader('/home/me', folder)(join(folder, 'a.txt')), []);
    assert.equal(secretTreeReader('/home/me', folder)(join(folder, 'missing')), []);
  });
});

const config = (text: string) => ({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': text });
const PLAIN =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n';

test('a plain repository: remotes, branch and upstream, and no hazards', () => {
  withFiles(config(PLAIN), (folder) => {
    const facts = gitFacts(folder, [folder], folder);
    assert.equal(facts?.hazards, []);
    assert.equal(facts?.remotes, ['origin']);
    assert.is(facts?.branch, 'main');
    assert.equal(facts?.upstream, { remote: 'origin', branch: 'main' });
    assert.is(facts?.directories[folder], folder);
  });
});

const hazards: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', '[core]\n\tfsmonitor = ./evil.sh\n'],
  ['core.fsmonitor', '[CORE]\n\tFSMonitor = "./evil.sh"\n'],
  ['core.sshcommand', '[core] sshCommand = evil\n'],
  ['core.hookspath', '[core]\n\thooksPath = /tmp/x\n'],
  ['diff.external', '[diff]\n\texternal = evil\n'],
  ['diff.pwn.textconv', '[diff "pwn"]\n\ttextconv = evil\n'],
  ['filter.pwn.clean', '[filter "pwn"]\n\tclean = evil\n'],
  ['alias.status', '[alias]\n\tstatus = !evil\n'],
  ['include.path', '[include]\n\tpath = ../evil\n'],
  ['includeif.gitdir:/.path', '[includeIf "gitdir:/"]\n\tpath = ../evil\n'],
  ['remote.origin.uploadpack', '[remote "origin"]\n\tuploadpack = evil\n'],
  ['url.https://evil/.insteadof', '[url "https://evil/"]\n\tinsteadOf = https://github.com/\n'],
  ['submodule.x.update', '[submodule "x"]\n\tupdate = !evil\n'],
  ['merge.x.driver', '[merge "x"]\n\tdriver = evil\n'],
  ['core.pager', '[core]\n\tpager = sh -c \\\nevil\n'],
  ['config that cannot be read', '[core\nfsmonitor = x\n'],
];

for (const [key, text] of hazards) {
  test(`a repository whose configuration sets ${key} is hazardous, and the place is named`, () => {
    withFiles(config(`${PLAIN}${text}`), (folder) => {
      const found = gitFacts(folder, [], folder)?.hazards ?? [];
      assert.ok(
        found.some((hazard) => hazard.key === key && hazard.file === join(folder, '.git/config') && hazard.line > 9),
        JSON.stringify(found),
      );
    });
  });
}

test('known harmless values are none', () => {
  const text = '[core]\n\tfsmonitor = true\n\tpager = cat\n[filter "lfs"]\n\tclean = git-lfs clean -- %f\n';
  withFiles(config(text), (folder) => assert.equal(gitFacts(folder, [], folder)?.hazards, []));
});

test('a .git file that leads elsewhere is a hazard', () => {
  withFiles({ 'sub/.git': 'gitdir: ../elsewhere\n', 'elsewhere/HEAD': 'ref: refs/heads/x\n' }, (folder) => {
    assert.is(gitFacts(join(folder, 'sub'), [], folder)?.hazards[0]?.key, 'gitdir');
  });
});

test('a folder that looks like a bare repository is its own top, and a hazard', () => {
  withFiles(
    { 'x/HEAD': 'ref: refs/heads/x', 'x/objects/': '', 'x/refs/': '', 'x/config': '[core]\n\tfsmonitor = evil\n' },
    (folder) => {
      assert.is(repositoryTop(join(folder, 'x')), join(folder, 'x'));
      assert.ok((gitFacts(join(folder, 'x'), [], folder)?.hazards.length ?? 0) >= 2);
    },
  );
});

test('a linked worktree made by git itself is no hazard', () => {
  const git = (folder: string, ...args: string[]) =>
    spawnSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
  withFiles({ 'main/a.txt': 'x' }, (folder) => {
    const main = join(folder, 'main');
    if (git(main, 'init', '-q').error) return;
    git(main, 'add', '.');
    git(main, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
    assert.is(git(main, 'worktree', 'add', '-q', '../tree').status, 0);
    assert.equal(gitFacts(join(folder, 'tree'), [], folder)?.hazards, []);
  });
});

test('reading: too large, not UTF-8, a folder, a missing file, a link where none is followed', () => {
  withFiles({ big: 'x'.repeat(100), 'dir/': '', link: '-> big' }, (folder) => {
    writeFileSync(join(folder, 'latin1'), Buffer.from([0x61, 0xff]));
    mkdirSync(join(folder, 'other'));
    const code = (name: string, options = {}) => {
      const read = readText(join(folder, name), options);
      return read.ok ? 'ok' : read.code;
    };
    assert.is(code('big', { limit: 99 }), 'too-large');
    assert.is(code('latin1'), 'not-utf8');
    assert.is(code('dir'), 'not-a-file');
    assert.is(code('missing'), 'missing');
    assert.is(code('link', { follow: false }), 'not-a-file');
    assert.is(code('link'), 'ok');
  });
});

test('reading a FIFO does not block', () => {
  withFiles({}, (folder) => {
    const fifo = join(folder, 'fifo');
    if (spawnSync('mkfifo', [fifo]).status !== 0) return;
    const read = readText(fifo);
    assert.is(read.ok, false);
  });
});

test.run();
