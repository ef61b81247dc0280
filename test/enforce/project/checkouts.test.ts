/** Linked worktrees and old branches of a repository whose policy a person trusts: they are the project, and its policy holds there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { repositoryTop } from '../../../src/disk/git/directory.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { recordTrust } from '../../../src/project/trust.js';
import { openIn, placesIn, trustIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const POLICY =
  'version: 1\npreset: safe\nallow: ["Bash(npm test *)", "Bash(git -C * commit *)"]\ndeny: ["Bash(npm publish *)", "Edit(secret/**)", "Read(secret/key)"]\n';
/** A branch `old` from before the policy, and worktrees: `in` and `out` with it, `old` (beside) and `oldin` without. */
const LINES = `
git init -q -b main .; git add -A; git commit -q -m one; git branch old; git branch old2
printf '%s' "$POLICY" > policy.yaml; git add -A; git commit -q -m policy
git worktree add -q .wt/in -b in; git worktree add -q ../out -b out
git worktree add -q ../old old; git worktree add -q --detach .wt/oldin old2
git init -q ../other; mkdir ../fake; printf 'gitdir: %s/.git/worktrees/out\\n' "$PWD" > ../fake/.git
`;

function inRepository(use: (folder: string) => void): void {
  withFiles({ 'repo/src/a.js': '1\n', 'repo/secret/x': '1\n', 'repo/package.json': '{"scripts":{"test":"x"}}\n' }, (folder) => {
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      POLICY,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    const person = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
    git(folder, LINES, { ...environment, ...person });
    mkdirSync(placesIn(folder).stateDirectory, { recursive: true, mode: 0o700 });
    recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date());
    use(folder);
  });
}

function git(folder: string, lines: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: folder }): void {
  const { status, stderr } = spawnSync('/bin/sh', ['-e', '-c', lines], { cwd: join(folder, 'repo'), env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The answer to a call in `cwd`, the session's project being `repo`, or for `project: null` that of the folder. */
function answer(folder: string, cwd: string, command: string, project: string | null = 'repo', tool = 'Bash'): string {
  const place = join(folder, cwd);
  const opened = openIn(folder, { cwd: place, ...(project !== null && { project: join(folder, project) }) });
  if (!opened.ok) return opened.problems.map(({ code }) => code).join(' ');
  const input = tool === 'Bash' ? { command } : { file_path: join(folder, command), old_string: '1', new_string: '2' };
  return enforceDry(opened.workspace, { tool, input, cwd: place, headless: false, shell: 'bash' }).decision;
}

const WORKTREES = ['repo/.wt/in', 'out', 'old', 'repo/.wt/oldin'];

test('a linked worktree has the rules of the project, as the session of the project and as one of its own', () =>
  inRepository((folder) => {
    for (const cwd of WORKTREES)
      for (const project of ['repo', null, cwd])
        for (const [command, expected] of [
          ['npm test', 'allow'],
          ['git status', 'allow'],
          ['git commit -m x', 'allow'],
          ['cat src/a.js', 'allow'],
          ['echo x > src/b.js', 'allow'],
          ['npm publish', 'deny'],
          ['echo x > secret/x', 'deny'],
          ['rm -rf src', 'ask'],
          ['npm install x', 'ask'],
        ] as const)
          assert.is(answer(folder, cwd, command, project), expected, `${cwd} (${project}) ${command}`);
  }));

for (const [command, expected, why] of [
  ['git -C ../out status', 'allow', 'git, told where'],
  ['git -C ../out log -3', 'allow', 'git, told where'],
  ['git -C ../out commit -m x', 'allow', 'by its own rule'],
  ['cd ../out && npm test', 'allow', 'entered'],
  ['cd .wt/in && git diff && npm test', 'allow', 'entered, inside the project'],
  ['cat ../out/src/a.js', 'allow', 'a file of it'],
  ['echo x > ../out/src/b.js', 'allow', 'written'],
  ['echo x > ../out/secret/x', 'deny', 'the same rule denies it there'],
  ['grep -r x .wt', 'ask', 'a denied file of one may lie below'],
  ['cd ../out && npm publish', 'deny', 'the same rule denies it there'],
  ['rm -rf ../out', 'ask', 'a whole worktree'],
  ['echo x > ../out/policy.yaml', 'deny', 'its policy is protected'],
  ['git -C ../other status', 'ask', 'another repository'],
  ['cd ../other && npm test', 'ask', 'another repository'],
  ['cd ../fake && npm test', 'ask', 'a folder that only says that it is a worktree'],
  ['git -C ../fake status', 'ask', 'and git there'],
  ['cat ../fake/x', 'ask', 'and its files'],
] as const)
  test(`${JSON.stringify(command)} in the main checkout, ${why}: ${expected}`, () =>
    inRepository((folder) => assert.is(answer(folder, 'repo', command), expected)));

test('the tools that edit files', () =>
  inRepository((folder) => {
    for (const [path, expected] of [
      ['out/src/a.js', 'allow'],
      ['repo/.wt/in/src/a.js', 'allow'],
      ['out/secret/x', 'deny'],
      ['repo/.wt/in/secret/x', 'deny'],
      ['out/policy.yaml', 'deny'],
      ['fake/a.js', 'ask'],
      ['other/a.js', 'ask'],
    ] as const)
      assert.is(answer(folder, 'repo', path, 'repo', 'Edit'), expected, path);
  }));

test('a worktree has a branch and settings of its own', () =>
  inRepository((folder) => {
    git(
      folder,
      'git remote add origin https://example.com/x.git; git config branch.in.remote origin; git config branch.in.merge refs/heads/in',
    );
    writeFileSync(join(folder, 'repo/policy.local.yaml'), 'version: 1\nprotectedBranches: [out]\n');
    assert.is(answer(folder, 'repo', 'cd .wt/in && git push'), 'allow');
    assert.is(answer(folder, 'repo', 'cd ../out && git push'), 'ask', 'a protected branch');
    git(folder, 'git config extensions.worktreeConfig true; git -C ../out config --worktree core.fsmonitor evil');
    assert.is(answer(folder, 'repo', 'git status'), 'allow');
    assert.is(answer(folder, 'repo', 'git -C ../out status'), 'ask');
    assert.is(answer(folder, 'out', 'git status'), 'ask');
  }));

test('a worktree that the repository forgot is none', () =>
  inRepository((folder) => {
    rmSync(join(folder, 'repo/.git/worktrees/out'), { recursive: true });
    assert.is(answer(folder, 'repo', 'cd ../out && npm test'), 'ask');
    assert.is(answer(folder, 'repo', 'cat ../out/src/a.js'), 'ask');
  }));

test('on a branch from before the policy the trusted one holds, and the way back is open', () =>
  inRepository((folder) => {
    for (const line of ['git switch -q --ignore-other-worktrees old', 'git switch -q --detach old']) {
      git(folder, `git switch -q main; ${line}`);
      for (const [command, expected] of [
        ['git switch main', 'allow'],
        ['git checkout main', 'allow'],
        ['npm test', 'allow'],
        ['npm publish', 'deny'],
      ] as const)
        assert.is(answer(folder, 'repo', command), expected, command);
    }
  }));

test('a branch with another policy is asked about', () =>
  inRepository((folder) => {
    git(
      folder,
      'git switch -q -c weak; echo "version: 1" > policy.yaml; git -c user.name=a -c user.email=a@b commit -qam weak; git switch -q main',
    );
    assert.is(answer(folder, 'repo', 'git switch weak'), 'ask');
    assert.is(answer(folder, 'repo', 'git switch old2'), 'allow', 'one without: the trusted one holds');
    writeFileSync(join(folder, 'repo/policy.yaml'), `${POLICY}ask: [WebFetch]\n`);
    assert.is(answer(folder, 'repo', 'git switch old2'), 'ask', 'what was trusted does not know the new rule');
  }));

test('a folder with an empty .git is no repository', () =>
  withFiles({ 'x/.git/': '', 'x/y/a': '', 'z/.git/config': '', 'z/y/a': '' }, (folder) => {
    assert.is(repositoryTop(join(folder, 'x/y')), null);
    assert.is(repositoryTop(join(folder, 'z/y')), join(folder, 'z'), 'one that somebody began');
  }));

test.run();
