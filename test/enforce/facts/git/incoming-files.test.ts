/** What a merge, a checkout or a stash brings into the work tree: protected files ask, whatever the rules say; sources do not. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../../judged-line.js';
import { readRepository, withRepository } from '../../scratch-repository.js';

const RULES = 'checkout switch restore stash clean apply am cherry-pick revert rebase reset read-tree rm bisect pull'
  .split(' ')
  .map((name) => `"Bash(git ${name} *)"`)
  .join(', ');
const judge = judgeUnder(
  `version: 1\npreset: safe\nallow: [${RULES}, "Bash(git stash)", "Bash(git stash pop)", "Bash(git stash apply *)"]\n`,
);

/** The answer to a line, and the message of the first reason for it. */
function answer(project: string, command: string, cwd = project): readonly [string, string] {
  const { decision, reasons } = judge(project, command, cwd);
  return [decision, reasons[0]?.message ?? ''];
}

/** A branch `x` on which `lines` were run and committed, and `main` again. */
const branch = (lines: string) => `git checkout -q -b x; ${lines}; commit; git checkout -q main`;
const CLAUDE = 'mkdir -p .claude; echo "{}" > .claude/settings.json';
const HUSKY = 'mkdir -p .husky; echo "touch ran" > .husky/post-merge';
const SOURCE = 'echo y >> src/a.ts; mkdir -p lib; echo z > lib/b.ts';
const POLICY_FILE = 'echo "version: 1" > policy.yaml; commit';
const REMOTE =
  'git remote add origin https://example.com/x.git; git update-ref refs/remotes/origin/main main; git branch -q -u origin/main';
const MERGE = 'git merge --no-edit x';

const rows: readonly (readonly [setup: string, line: string, expected: RegExp, why: string])[] = [
  [POLICY_FILE, 'git rm -rf .', /^ask/, 'all files, protected ones too'],
  [POLICY_FILE, "git rm -rf ':!src'", /^ask/, 'a pattern'],
  [POLICY_FILE, 'cd src && git rm -rf ..', /^ask/, 'the folder above'],
  [POLICY_FILE, 'git rm src/a.ts', /^allow/, 'one source'],
  [branch(CLAUDE), 'git bisect start HEAD x', /^ask/, 'other commits come into the work tree'],
  [branch(CLAUDE), 'git bisect reset x', /^ask/, 'and again'],
  ['', 'git bisect log', /^allow/, 'what was done so far'],
  [branch(SOURCE), MERGE, /^allow/, 'sources'],
  [branch(SOURCE), 'git merge --ff-only x', /^allow/, 'sources, brought up to date'],
  [`${branch(SOURCE)}; echo other > c.ts; commit`, MERGE, /^allow/, 'sources, with a true merge'],
  [`${branch(SOURCE)}; git gc -q`, MERGE, /^allow/, 'packed objects'],
  [branch(HUSKY), MERGE, /^ask git merge changes \.husky\/post-merge, which is protected/, 'a hook'],
  [branch(CLAUDE), MERGE, /^ask git merge changes \.claude\/settings\.json/, 'settings of a runner'],
  [branch(CLAUDE), 'git merge --ff-only x', /^ask git merge changes \.claude/, 'the same, brought up to date'],
  [branch(CLAUDE), 'git merge --no-edit x^{}', /^ask/, 'the same commit by another name'],
  [`${branch(CLAUDE)}; git gc -q`, MERGE, /^ask git merge changes \.claude/, 'packed'],
  [`${POLICY_FILE}; ${branch('git rm -q policy.yaml')}`, MERGE, /^ask git merge changes policy\.yaml/, 'the policy is deleted'],
  [`${branch(CLAUDE)}`, 'timeout 9 git merge --no-edit x', /^ask git merge changes/, 'behind a wrapper'],
  [`${branch(CLAUDE)}`, '(cd src && git merge --no-edit x)', /^ask git merge changes/, 'in a folder below'],
  [`${branch(SOURCE)}; ${CLAUDE}; commit`, MERGE, /^allow/, 'only main has the settings'],
  [`${CLAUDE}; commit; ${branch(SOURCE)}; echo "[]" > .claude/settings.json; commit`, MERGE, /^allow/, 'only main changed them'],
  [
    `${CLAUDE}; commit; ${branch(CLAUDE.replace('{}', '[]'))}; ${CLAUDE.replace('{}', '[]')}; commit`,
    MERGE,
    /^allow/,
    'both did, alike',
  ],
  [
    `seq 50 > a.json; commit; ${branch('echo 51 >> a.json')}; mkdir .claude; git mv a.json .claude/settings.json; commit`,
    MERGE,
    /^ask git merge changes \.claude\/settings\.json/,
    'git takes the change to the new name of the file',
  ],
  [
    `mkdir conf; seq 50 > conf/x.json; commit; ${branch('echo "{}" > conf/settings.json')}; git mv conf .claude; echo 2 > .claude/hooks; commit`,
    MERGE,
    /^ask git merge changes \.claude/,
    'git takes a new file to the new name of its folder',
  ],
  [
    '',
    'git merge --no-edit nothing',
    /^ask git merge may change any file; which ones is known only afterwards/,
    'no such branch, and only a preset',
  ],
  [branch(SOURCE), 'git merge --no-edit x main~0', /^ask git merge does not say which files it changes/, 'several heads'],
  [branch(SOURCE), 'B=x; git merge --no-edit $B', /^allow/, 'a name that the line tells'],
  [branch(SOURCE), `git update-ref refs/heads/x y; ${MERGE}`, /^ask/, 'another command moves the branch before'],
  [branch(SOURCE), `git merge --no-edit -m 'x' x`, /^allow/, 'with a message'],
  [`${branch(SOURCE)}; git checkout -q -b z; git checkout -q main`, 'git merge --no-edit -', /^a?/, 'the last branch'],
  // Under rules that a person wrote.
  [branch(SOURCE), 'git checkout x', /^allow/, 'a branch with other sources'],
  [branch(CLAUDE), 'git checkout x', /^ask git checkout changes \.claude/, 'a branch with other settings'],
  [
    `${branch(CLAUDE)}; git update-ref refs/remotes/origin/y x; git remote add origin ./x`,
    'git checkout y',
    /^ask git checkout changes/,
    'a remote branch',
  ],
  [branch(CLAUDE), 'git switch x', /^ask git switch changes \.claude/, 'by switch'],
  [branch(CLAUDE), 'git checkout -', /^ask/, 'the branch before'],
  [branch(SOURCE), 'git checkout -', /^allow/, 'the branch before, with other sources'],
  [branch(CLAUDE), 'git checkout -b y', /^allow/, 'a new branch of what is there'],
  [branch(CLAUDE), 'git checkout -b y x', /^ask git checkout changes \.claude/, 'a new branch of something else'],
  [branch(CLAUDE), 'git checkout x -- .claude', /^ask/, 'files of another branch'],
  [branch(CLAUDE), 'git checkout x .claude', /^ask/, 'without the dashes'],
  [branch(CLAUDE), 'git checkout x -- src', /^allow/, 'other files of that branch'],
  [branch(CLAUDE), 'git checkout x src/a.ts', /^allow/, 'without the dashes'],
  [branch(CLAUDE), 'git checkout x -- ":/"', /^ask/, 'all of its files'],
  [branch(CLAUDE), 'cd src && git checkout x -- ../.claude', /^ask/, 'from a folder below'],
  [branch(CLAUDE), 'git restore --source x .', /^ask git restore changes/, 'by restore'],
  [branch(CLAUDE), 'git restore --source=x src', /^allow|^deny/, 'other files by restore'],
  [
    `${CLAUDE}; commit; echo "[]" > .claude/settings.json`,
    'git checkout -- .',
    /^ask git checkout changes \.claude/,
    'edited settings come back',
  ],
  [`${CLAUDE}; commit; echo z > src/a.ts`, 'git checkout -- .', /^allow/, 'edited sources come back'],
  [`${CLAUDE}; commit; echo z > src/a.ts`, 'git checkout src/a.ts', /^allow/, 'a file, without the dashes'],
  [
    `${CLAUDE}; commit; echo "[]" > .claude/settings.json`,
    'git reset --hard',
    /^(?:ask git reset changes \.claude|deny)/,
    'edits are thrown away',
  ],
  [`${CLAUDE}; commit; echo "[]" > .claude/settings.json`, 'git stash', /^ask git stash changes \.claude/, 'edits are put away'],
  [`${CLAUDE}; commit; echo z > src/a.ts`, 'git stash', /^allow/, 'edits of sources are put away'],
  [
    `${CLAUDE}; commit; echo "[]" > .claude/settings.json; git stash -q`,
    'git stash pop',
    /^ask git stash changes \.claude/,
    'edits come back',
  ],
  [`${CLAUDE}; git stash -q -u`, 'git stash pop', /^ask git stash changes \.claude/, 'files that git did not know come back'],
  ['echo z > src/a.ts; git stash -q', 'git stash pop', /^allow/, 'edits of sources come back'],
  ['echo z > src/a.ts; git stash -q', 'git stash apply stash@{0}', /^allow/, 'by its name'],
  [branch(CLAUDE), 'git cherry-pick x', /^ask git cherry-pick changes \.claude/, 'one commit'],
  [branch(SOURCE), 'git cherry-pick x', /^allow/, 'one commit of sources'],
  [branch(SOURCE), 'git cherry-pick main..x', /^ask/, 'a range'],
  [`${CLAUDE}; commit`, 'git revert --no-edit HEAD', /^ask git revert changes \.claude/, 'the settings go again'],
  [`${SOURCE}; commit`, 'git revert --no-edit HEAD', /^allow/, 'sources go again'],
  [branch(CLAUDE), 'git rebase x', /^ask git rebase changes \.claude/, 'on top of settings'],
  [branch(SOURCE), 'git rebase x', /^allow/, 'on top of sources'],
  [`${branch(CLAUDE)}; git diff main x > p.patch`, 'git apply p.patch', /^ask git apply changes/, 'a patch'],
  [`${branch(SOURCE)}; git diff main x > p.patch`, 'git apply p.patch', /^allow/, 'a patch of sources'],
  [
    `${branch(CLAUDE)}; git diff --no-prefix main x > p.patch`,
    'git apply -p0 p.patch',
    /^ask git apply changes/,
    'a patch without prefixes',
  ],
  [`${branch(CLAUDE)}; git diff main x > p.patch`, 'git apply --directory=sub p.patch', /^ask/, 'somewhere else'],
  [`${branch(CLAUDE)}; git diff main x > p.patch`, 'git apply --check p.patch', /^allow/, 'it is only tried'],
  [`${branch(CLAUDE)}; git format-patch -q -1 x --stdout > p.mbox`, 'git am p.mbox', /^ask git am changes/, 'a mail'],
  [
    `${CLAUDE}; commit; git mv .claude/settings.json y; git diff -M HEAD > p.patch; git reset -q --hard`,
    'git apply p.patch',
    /^ask git apply changes/,
    'a rename',
  ],
  [
    `printf '%s' '+++ "b/.claude\\057settings.json"' > p.patch`,
    'git apply p.patch',
    /^ask git apply does not say which files/,
    'a name with escapes',
  ],
  ['', 'git apply missing.patch', /^ask git apply does not say which files/, 'no such patch'],
  [branch(CLAUDE), 'git rebase -x ls x', /^ask/, 'with a command after each commit'],
  [CLAUDE, 'git clean -fd', /^ask git clean changes \.claude\/settings\.json/, 'settings that git does not know'],
  [CLAUDE, 'git clean -f -d -- .claude', /^ask/, 'by their name'],
  [CLAUDE, 'git clean -fd src', /^allow/, 'another folder'],
  [CLAUDE, 'git clean -fd -e .claude', /^allow/, 'all but them'],
  [CLAUDE, 'git clean -fd -e src', /^ask/, 'all but something else'],
  [CLAUDE, 'git clean -nd', /^allow/, 'it is only listed'],
  [`${CLAUDE}; commit; touch new.ts`, 'git clean -fd', /^allow/, 'new sources'],
  [`echo .claude > .gitignore; commit; ${CLAUDE}`, 'git clean -fd', /^allow/, 'ignored settings stay'],
  [`echo .claude > .gitignore; commit; ${CLAUDE}`, 'git clean -fdx', /^ask git clean changes \.claude/, 'ignored settings go'],
  [branch(SOURCE), 'git read-tree -u -m x', /^ask/, 'what is not followed'],
  [REMOTE, 'git pull', /^allow/, 'what a remote has nobody knows, so the rule is the answer'],
  [REMOTE, 'git pull --ff-only origin main', /^allow/, 'named'],
  [REMOTE, 'cd src && git pull', /^allow/, 'from a folder of the project'],
  [REMOTE, 'git checkout main && git pull', /^allow/, 'after another branch'],
  [REMOTE, 'timeout 60 git pull --rebase', /^allow/, 'behind a wrapper'],
  [`${REMOTE}; ${branch(CLAUDE)}`, 'git pull . x', /^deny/, 'a branch of this repository can be looked up, and is no remote'],
  [REMOTE, 'git pull ../other main', /^deny/, 'a folder is no remote'],
  [REMOTE, 'git pull elsewhere main', /^ask/, 'no remote of that name'],
  [REMOTE, 'git pull --upload-pack=x origin', /^deny/, 'a program of the line'],
  [REMOTE, 'git pull --force', /^ask/, 'an option that the rule does not name'],
  [`${REMOTE}; git config core.fsmonitor x`, 'git pull', /^ask/, 'the repository makes git run a program'],
  [REMOTE, 'git fetch && git rebase origin/main', /^ask another command/, 'in a call of its own it is looked up'],
  ['', 'git cherry-pick main', /^allow/, 'the first commit of all, which changes sources'],
  ['', 'git revert --no-edit main', /^allow/, 'and takes them away'],
  [
    `${CLAUDE}; git commit -q --amend -m x --allow-empty; git add -A; git commit -q --amend -m x`,
    'git revert --no-edit HEAD',
    /^ask git revert changes \.claude/,
    'the first commit has settings',
  ],
  ['', 'git cherry-pick nothing', /^allow/, 'git will not find it either'],
  ['', 'git apply < x.patch', /^ask git apply does not say which files it changes/, 'a patch that the line may have written'],
];

for (const [setup, line, expected, why] of rows)
  test(`${JSON.stringify(line)}, ${why}: ${expected}`, () =>
    readRepository(setup, (project) => {
      assert.match(answer(project, line).join(' '), expected);
    }));

const NO_RULE = judgeUnder('version: 1\npreset: safe\nallow: ["Bash(git status)"]\n');
const DEFAULT = judgeUnder('version: 1\ndefault: allow\n');
const ALL_GIT = judgeUnder('version: 1\nallow: ["Bash(git *)"]\n');
for (const [name, judged, expected] of [
  ['a preset', NO_RULE, 'ask'],
  ['a default', DEFAULT, 'ask'],
  ['a written rule', ALL_GIT, 'allow'],
] as const)
  test(`git pull under ${name}: ${expected}`, () =>
    readRepository(REMOTE, (project) => {
      const { decision, reasons } = judged(project, 'git pull');
      assert.is(decision, expected);
      if (expected === 'ask')
        assert.equal(
          reasons.map(({ message }) => message),
          ['git pull may change any file; which ones is known only afterwards'],
        );
    }));

test('git is asked about nothing that would run a program of the repository', () =>
  withRepository(`${branch(SOURCE)}; echo "* filter=f diff=f merge=f" > .gitattributes; commit`, (project) => {
    const ran = join(project, 'ran');
    const settings = [
      `[core]\n\tfsmonitor = touch ${ran}\n\thooksPath = evil\n\tpager = touch ${ran}\n\tsshCommand = touch ${ran}`,
      `[filter "f"]\n\tclean = touch ${ran}\n\tsmudge = touch ${ran}\n\trequired = true`,
      `[diff]\n\texternal = touch ${ran}\n[diff "f"]\n\ttextconv = touch ${ran}\n\tcommand = touch ${ran}`,
      `[merge "f"]\n\tdriver = touch ${ran}\n[alias]\n\tdiff-tree = !touch ${ran}`,
      `[remote "origin"]\n\turl = ext::sh -c touch% ${ran}\n\tpromisor = true\n[extensions]\n\tpartialClone = origin`,
    ];
    writeFileSync(join(project, '.git', 'config'), `[core]\n\trepositoryformatversion = 0\n${settings.join('\n')}\n`);
    for (const line of [
      MERGE,
      'git checkout x',
      'git checkout -- .',
      'git stash',
      'git reset --hard',
      'git cherry-pick x',
      'git merge x~9',
    ])
      answer(project, line);
    assert.is(existsSync(ran), false);
  }));

test.run();
