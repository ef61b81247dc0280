/** What `git diff`, `git show`, `git log -p` and `git stash show` print: secret files among it ask, sources do not. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../src/call/tool-call.js';
import { analyse } from '../../src/decide/analysis.js';
import { compilePolicy } from '../../src/decide/compile.js';
import { decide } from '../../src/decide/decide.js';
import { gatherFacts } from '../../src/enforce/gather.js';
import { composePolicy } from '../../src/policy/compose.js';
import { parsePolicy } from '../../src/policy/document.js';
import { withRepository } from './scratch-repository.js';

const { document } = parsePolicy('version: 1\npreset: safe\nallow: ["Bash(gh pr create *)", "Bash(git commit *)"]\n', {
  ...{ file: 'policy.yaml', format: 'yaml', layer: 'user' },
});
if (document === null) throw new Error('the policy is none');
const policy = compilePolicy(composePolicy([{ layer: 'user', trusted: true, document }], { repository: null }).policy);

/** The answer to a line, and the message of the first reason for it. */
function answer(project: string, command: string): string {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd: project, headless: false, shell: 'union' };
  const analysis = analyse(call);
  const around = { project, home: '/home/nobody', platform: 'linux', environment: {}, ownDirectories: [], budget: null } as const;
  const { decision, reasons } = decide(policy, call, gatherFacts(analysis, project, around), analysis);
  return `${decision} ${reasons[0]?.message ?? ''}`;
}

const OLD = 'echo KEY=1 > .env; commit';
const EDITED = `${OLD}; echo KEY=2 > .env`;
const SOURCE = 'echo y >> src/a.ts';
const STASHED = `${EDITED}; git stash -q`;
const PRINTS = /^ask git (?:diff|show|log|grep|stash show) can print (?:conf\/)?\.env, which may hold secrets/;

const rows: readonly (readonly [setup: string, line: string, expected: RegExp, why: string])[] = [
  // The work tree and the index.
  [SOURCE, 'git diff', /^allow/, 'sources'],
  [EDITED, 'git diff', PRINTS, 'a tracked secret file was edited'],
  [`${OLD}; ${SOURCE}`, 'git diff', /^allow/, 'the secret file is as it was'],
  [`${OLD}; ${SOURCE}; touch -d "2001-01-01" .env`, 'git diff', /^allow/, 'only its time is another'],
  [`${OLD}; rm .env`, 'git diff', PRINTS, 'it was removed: all of it is printed'],
  [`echo .env > .gitignore; commit; echo KEY=1 > .env`, 'git diff', /^allow/, 'git does not know the file'],
  [`${EDITED}; git add .env`, 'git diff', /^allow/, 'it was staged already'],
  [`${EDITED}; git add .env`, 'git diff --cached', PRINTS, 'staged'],
  [`${EDITED}; git add .env`, 'git diff --staged', PRINTS, 'staged, by the other name'],
  [`${EDITED}; git add .env`, 'git diff HEAD', PRINTS, 'against a commit'],
  [`${OLD}; ${SOURCE}; git add src`, 'git diff --cached', /^allow/, 'only sources are staged'],
  [EDITED, 'git diff HEAD', PRINTS, 'against a commit'],
  [EDITED, 'git diff --stat', /^allow/, 'only numbers'],
  [EDITED, 'git diff --name-only', /^allow/, 'only names'],
  [EDITED, 'git diff --stat -p', PRINTS, 'numbers and the patch'],
  [EDITED, 'git diff -- src', /^allow/, 'other files'],
  [EDITED, 'git diff src', /^allow/, 'other files, without the dashes'],
  [EDITED, `git diff -- . ':!.env'`, /^allow/, 'all but that file'],
  [EDITED, `git diff -- ':(top)'`, PRINTS, 'all files'],
  [EDITED, `git diff -- '*'`, /^ask/, 'all files by a pattern'],
  [EDITED, 'cd src && git diff', PRINTS, 'from a folder below'],
  [EDITED, 'git -C src diff', PRINTS, 'in a folder below'],
  [EDITED, 'timeout 9 git diff', PRINTS, 'behind a wrapper'],
  [EDITED, `bash -c 'git diff'`, /^ask/, 'in another shell'],
  [EDITED, 'git diff | head -3', PRINTS, 'in a pipeline'],
  [EDITED, 'gh pr create -t x -b "$(git diff)"', /^ask/, 'in a substitution'],
  [
    `${OLD}; ${SOURCE}`,
    'gh pr create -t x -b "$(git diff)"',
    /^allow/,
    'sources in a substitution, beside an unchanged secret file',
  ],
  [SOURCE, 'gh pr create -t x -b "$(git diff)"', /^allow/, 'sources in a substitution'],
  [`mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env`, 'git diff', PRINTS, 'in a folder'],
  [EDITED, 'git diff conf', /^allow/, 'neither a commit nor a file: git refuses it'],
  [EDITED, 'git diff -S src', PRINTS, 'the value of an option is no file'],
  [EDITED, 'git diff -S KEY -- src', /^allow/, 'the value of an option, and other files'],
  [EDITED, 'git diff -w --ignore-blank-lines src', /^allow/, 'other files, with options'],
  [`mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env; commit`, 'git diff HEAD~1:conf HEAD:conf', PRINTS, 'two folders'],
  [`mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env; commit`, 'git diff HEAD~1:. HEAD:.', PRINTS, 'two whole trees'],
  [
    `mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env; commit`,
    `git diff HEAD~1:conf -- . ':!conf/.env'`,
    PRINTS,
    'a folder, in which names are others',
  ],
  [OLD, 'git diff HEAD~1:src/a.ts HEAD:src/a.ts', /^allow/, 'two files'],
  [EDITED, '/usr/bin/git diff', PRINTS, 'by its path'],
  [EDITED, 'command git diff', PRINTS, 'behind command'],
  [EDITED, 'git --git-dir=.git diff', /^deny/, 'a repository that is named'],
  [EDITED, 'git --no-pager diff', PRINTS, 'with an option before'],
  [OLD, 'git show :0:.env', /^ask/, 'a stage of the index'],
  [SOURCE, 'git -C src diff', /^allow/, 'sources, from another folder'],
  [EDITED, 'git diff --merge-base HEAD', /^ask/, 'a base that is not followed'],
  [EDITED, 'git diff --word-diff', PRINTS, 'by words'],
  [`${OLD}; git gc -q; echo 2 > .env`, 'git diff', PRINTS, 'packed objects'],
  ['', 'git diff', /^allow/, 'nothing changed'],
  // Commits.
  [`${OLD}; ${SOURCE}; commit`, 'git show', /^allow/, 'the last commit changed sources'],
  [OLD, 'git show', PRINTS, 'the last commit has the file'],
  [OLD, 'git show HEAD', PRINTS, 'by its name'],
  [OLD, 'git show main', PRINTS, 'by its branch'],
  [`${OLD}; ${SOURCE}; commit`, 'git show -2', PRINTS, 'two commits'],
  [`${OLD}; ${SOURCE}; commit`, 'git show -t -2', PRINTS, 'two commits, with another option'],
  [`${OLD}; ${SOURCE}; commit`, "git show -1 -- ':!src'", PRINTS, 'the last commit of other files'],
  [`${OLD}; ${SOURCE}; commit`, 'git show -1', /^allow/, 'one commit'],
  [`${OLD}; ${SOURCE}; commit`, 'git show --do-walk', PRINTS, 'all commits'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git show --all', PRINTS, 'all branches'],
  [`${OLD}; ${SOURCE}; commit`, 'git show --boundary HEAD~1..', PRINTS, 'a commit at the edge of a range'],
  [OLD, 'git show --stat', /^allow/, 'only numbers'],
  [OLD, 'git show --name-only HEAD', /^allow/, 'only names'],
  [OLD, 'git show -s', /^allow/, 'only the message'],
  [OLD, 'git show HEAD~1', /^allow/, 'the commit before'],
  [OLD, 'git show HEAD -- src', /^allow/, 'other files of it'],
  [OLD, 'git show HEAD:src/a.ts', /^allow/, 'one file of it'],
  [OLD, 'git show HEAD:.env', /^(?:ask|deny)/, 'that file of it'],
  [`${OLD}; git tag -a v1 -m v1`, 'git show v1', PRINTS, 'a tag'],
  [`${OLD}; git rm -q .env; commit`, 'git show', PRINTS, 'its removal prints it'],
  [OLD, 'git diff HEAD~1', PRINTS, 'what came since'],
  [OLD, 'git diff HEAD~1 HEAD', PRINTS, 'two commits'],
  [OLD, 'git diff HEAD~1..HEAD', PRINTS, 'a range'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git diff main...x', PRINTS, 'since the common ancestor'],
  [`${OLD}; ${SOURCE}; commit`, 'git diff HEAD~1 HEAD', /^allow/, 'two commits that differ in sources'],
  [`${OLD}; ${SOURCE}; commit`, 'git diff HEAD~1..HEAD', /^allow/, 'a range of sources'],
  [
    `git checkout -q -b x; ${OLD}; git checkout -q main; ${SOURCE}; commit; git merge -q --no-edit x`,
    'git show',
    PRINTS,
    'a merge',
  ],
  // Histories.
  [OLD, 'git log', /^allow/, 'messages'],
  [OLD, 'git log --oneline -5', /^allow/, 'messages, short'],
  [OLD, 'git log --stat', /^allow/, 'numbers'],
  [OLD, 'git log -p', PRINTS, 'patches'],
  [SOURCE, 'git log -p', /^allow/, 'patches of sources'],
  [OLD, 'git log -p -1', PRINTS, 'the last commit'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p -1', /^allow/, 'the last commit, which changed sources'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -n 1 -p', /^allow/, 'the same in other words'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p -2', PRINTS, 'the commit before, too'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p HEAD~1..', /^allow/, 'what came since'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p --boundary HEAD~1..', PRINTS, 'the commit at the edge, too'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p -- src', /^allow/, 'other files'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p src/a.ts', /^allow/, 'another file, without the dashes'],
  [`${OLD}; git rm -q .env; commit`, 'git log -p -- src', /^allow/, 'other files, the secret one is gone'],
  [`${OLD}; git rm -q .env; commit`, 'git log -p', PRINTS, 'the history holds it yet'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git log -p', /^allow/, 'another branch has it'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git log -p --all', PRINTS, 'all branches'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git log -p x', PRINTS, 'that branch'],
  [OLD, 'git log -p --author main', PRINTS, 'the value of an option is no branch'],
  [SOURCE, 'git log -p -S x', /^allow/, 'the value of an option'],
  [OLD, 'git log -p -S x -- src', /^allow/, 'the value of an option, and other files'],
  [OLD, 'git log -p --date main~1', PRINTS, 'the value of another option is no commit'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -n 1 -p HEAD', /^allow/, 'a number in a word of its own'],
  [OLD, 'git log -p --since=2020-01-01', PRINTS, 'all commits of some years'],
  [OLD, 'git whatchanged', /^allow/, 'names, by an old command'],
  [OLD, 'git whatchanged -p', /^ask git whatchanged can print/, 'patches by it'],
  [OLD, 'git reflog', /^allow/, 'messages'],
  [`${OLD}; git reset -q --hard HEAD~1`, 'git reflog -p', /^ask git reflog can print/, 'what no branch holds any more'],
  [OLD, 'git range-diff main~1 main main', /^ask git range-diff/, 'patches of patches'],
  [SOURCE, 'git range-diff main main main', /^allow/, 'the same of sources'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p -3 src', /^allow/, 'three commits of a folder'],
  [OLD, 'git log -p -- .', PRINTS, 'all files by the name of the folder'],
  [OLD, `git log -p -- '*.ts'`, /^allow/, 'a pattern that no secret file has'],
  [OLD, `git log -p -- '*'`, /^ask/, 'a pattern that every file has'],
  [OLD, `git log -p -- . ':!.env'`, /^allow/, 'all but that file'],
  [OLD, 'git log -p --author=Somebody', PRINTS, 'commits of its author'],
  [OLD, 'git log -p --author=Nobody', /^allow/, 'commits of another author'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p --author=Somebody -1', /^allow/, 'the last commit of its author'],
  [`${OLD}; ${SOURCE}; commit`, 'git log -p --since=2000-01-01 --no-merges -1', /^allow/, 'the last commit since'],
  [OLD, 'git log -L 1,1:src/a.ts', /^allow/, 'lines of one file'],
  [OLD, 'git log -L 1,1:.env', /^ask/, 'lines of the secret file'],
  // The commands behind the commands.
  [EDITED, 'git diff-files', /^allow/, 'names'],
  [EDITED, 'git diff-files -p', /^ask git diff-files can print/, 'a patch'],
  [EDITED, 'git diff-index -p HEAD', /^ask git diff-index can print/, 'a patch against a commit'],
  [OLD, 'git diff-tree HEAD', /^allow/, 'names'],
  [OLD, 'git diff-tree -p HEAD', /^ask git diff-tree can print/, 'a patch of a commit'],
  [OLD, 'git diff-tree -p HEAD~1 HEAD', /^ask git diff-tree can print/, 'a patch of two'],
  [EDITED, 'git status', /^allow/, 'names'],
  [EDITED, 'git status -s', /^allow/, 'names, short'],
  [EDITED, 'git status -vv', /^ask git status can print/, 'what is not staged'],
  [`${EDITED}; git add .env`, 'git status -v', /^ask git status can print/, 'what is staged'],
  [SOURCE, 'git status -v', /^allow/, 'sources'],
  [`${EDITED}; git add .env`, 'git commit -v --dry-run -m x', /^ask/, 'what would be committed'],
  [OLD, 'git cat-file -p HEAD', /^allow/, 'a message'],
  [OLD, 'git cat-file -t HEAD', /^allow/, 'a type'],
  [OLD, 'git cat-file -p HEAD:src/a.ts', /^allow/, 'a file'],
  [OLD, 'git cat-file commit HEAD', /^allow/, 'a message'],
  [OLD, 'git cat-file -p ea3edc85', /^ask/, 'a file by its hash, which may be any'],
  [OLD, 'git show ea3edc85', PRINTS, 'the same'],
  [OLD, 'git show :src/a.ts', /^allow/, 'a file of the index'],
  [OLD, 'git show :.env', /^ask/, 'a secret file of the index'],
  // Stashes.
  [STASHED, 'git stash show', PRINTS, 'numbers, or a patch if a setting says so'],
  [STASHED, 'git stash show --stat', /^allow/, 'numbers'],
  [`${STASHED}; ${SOURCE}; git stash -q`, 'git stash show -p 0', /^allow/, 'the last one, by its number'],
  [`${STASHED}; ${SOURCE}; git stash -q`, 'git stash show -p 1', PRINTS, 'the one before, by its number'],
  [STASHED, 'git stash list', /^allow/, 'messages'],
  [STASHED, 'git stash list -p', /^ask git stash list can print/, 'patches'],
  [STASHED, 'git stash show -p', PRINTS, 'a patch'],
  [STASHED, 'git stash show -p stash@{0}', PRINTS, 'by its name'],
  [`${SOURCE}; git stash -q`, 'git stash show -p', /^allow/, 'sources'],
  // Searches in commits.
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git grep KEY x', PRINTS, 'files of a branch'],
  [`git checkout -q -b x; ${OLD}; git checkout -q main`, 'git grep -n x -- src', /^allow/, 'files of a folder'],
  [SOURCE, 'git grep -n x HEAD~0', /^allow/, 'files of a commit without secrets'],
  [SOURCE, 'git grep -n x src', /^allow/, 'a folder'],
  // Words that are not known.
  [SOURCE, 'git show $(git rev-parse HEAD)', /^allow/, 'no commit holds a secret file'],
  [OLD, 'git show $(git rev-parse HEAD)', PRINTS, 'a commit holds one'],
  [OLD, 'git show $(git rev-parse HEAD) -- src', /^allow/, 'other files of a commit'],
  [OLD, 'git diff "$(git merge-base main HEAD)" -- src', /^allow/, 'other files'],
  [SOURCE, 'git diff --name-only | while read -r f; do git diff -- "$f"; done', /^allow/, 'names of sources'],
  [EDITED, 'git diff --name-only | while read -r f; do git diff -- "$f"; done', /^ask/, 'names of secret files among them'],
  [SOURCE, 'git diff -- *.md', /^allow/, 'a pattern of the shell'],
  [EDITED, 'git diff -- .e*', /^ask/, 'a pattern that means the secret file'],
  // What the line does before.
  [SOURCE, 'git add -A && git diff --cached', /^allow/, 'sources are staged and shown'],
  [SOURCE, 'git add src && git commit -m x && git show --stat', /^allow/, 'committed'],
  ['echo KEY=1 > .env', 'git add -A && git diff --cached', /^ask/, 'the line stages the secret file'],
  ['echo KEY=1 > .env', 'git add .env && git diff --cached', /^ask/, 'the line names the secret file'],
  [`${OLD}; ${SOURCE}`, 'git add src && git diff --cached', /^allow/, 'sources are staged, beside a secret file'],
  [`${OLD}; ${SOURCE}`, 'sed -i s/x/y/ src/a.ts && git diff', /^a/, 'sources are edited'],
  [EDITED, 'git add . && git diff --cached', /^ask/, 'all is staged'],
  [EDITED, 'git add .env && git diff --cached', /^ask/, 'the secret file is staged'],
  [EDITED, "git add '*.e?v' && git diff --cached", /^ask/, 'by a pattern'],
  [
    `mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env`,
    'git add conf && git diff --cached',
    /^ask/,
    'its folder is staged',
  ],
  [
    `mkdir conf; echo 1 > conf/.env; commit; echo 2 > conf/.env`,
    'git add ./conf/ && git diff --cached',
    /^ask/,
    'its folder, spelled otherwise',
  ],
  ['git checkout -q --orphan y; git rm -rfq .', 'git diff', /^allow/, 'no commit yet'],
  ['', 'git show nothing', /^allow/, 'no such commit'],
];

for (const [setup, line, expected, why] of rows)
  test(`${JSON.stringify(line)}, ${why}: ${expected}`, () =>
    withRepository(setup, (project) => {
      assert.match(answer(project, line), expected, answer(project, line));
    }));

test.run();
