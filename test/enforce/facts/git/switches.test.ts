/** Under preset safe git may change the branch and put edits away, where no hook runs, no edit is lost and nothing protected comes in. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../../judged-line.js';
import { readRepository } from '../../scratch-repository.js';

const SAFE = judgeUnder('version: 1\npreset: safe\n');
const INSPECT = judgeUnder('version: 1\npreset: inspect\n');

/** A branch `x` on which `lines` were run and committed, and `main` again. */
const branch = (lines: string) => `git checkout -q -b x; ${lines}; commit; git checkout -q main`;
const CLAUDE = 'mkdir -p .claude; echo "{}" > .claude/settings.json';
const SOURCE = 'echo y >> src/a.ts';
const EDITED = 'echo z > src/a.ts';
const IGNORED = 'echo local.json > .gitignore; git add .gitignore; commit';
/** A branch that tracks a file which is ignored on `main`. */
const FORMER = `${branch('echo old > local.json; git add local.json')}; ${IGNORED}`;
const STAGED = `${CLAUDE}; commit; ${branch('echo "[]" > .claude/settings.json')}`;
const hook = (name: string) => `printf '#!/bin/sh\\ntouch ran\\n' > .git/hooks/${name}; chmod +x .git/hooks/${name}`;

const rows: readonly (readonly [answer: 'allow' | 'ask' | 'deny', setup: string, line: string, why: string])[] = [
  ['allow', '', 'git checkout -b feature/x', 'a new branch'],
  ['allow', '', 'git switch -c feature/x', 'the same by switch'],
  ['allow', '', 'git checkout -q -b feature/x', 'without messages'],
  ['allow', branch(SOURCE), 'git checkout -b y x', 'a new branch of another one'],
  ['allow', branch(SOURCE), 'git checkout x', 'a branch with other sources'],
  ['allow', branch(SOURCE), 'git switch x', 'the same by switch'],
  ['allow', branch(SOURCE), 'git checkout -', 'the branch before'],
  ['allow', branch(SOURCE), 'cd src && git switch x', 'from a folder below'],
  ['allow', EDITED, 'git stash', 'edits are put away'],
  ['allow', EDITED, 'git stash push -m "some words"', 'with a message'],
  ['allow', `${EDITED}; git stash -q`, 'git stash pop', 'edits come back'],
  ['allow', `${EDITED}; git stash -q`, 'git stash apply stash@{0}', 'by their name'],
  ['allow', hook('pre-push'), 'git checkout -b y', 'a hook of something else'],
  [
    'allow',
    `${IGNORED}; ${branch(SOURCE)}; echo s > local.json`,
    'git switch x',
    'an ignored file that the branch does not have',
  ],
  ['allow', `${EDITED}; git add src/a.ts; echo q >> src/a.ts`, 'git stash push -k', 'what is staged stays'],
  ['allow', `${EDITED}; git add -A`, 'git restore --staged . && git switch -c y', 'a new branch behind it'],

  ['ask', `${FORMER}; echo s > local.json`, 'git checkout x', 'an ignored file is replaced'],
  ['ask', `${FORMER}; echo s > local.json`, 'git switch x', 'the same by switch'],
  ['ask', `${FORMER}; echo s > local.json`, 'git checkout -b y x', 'a new branch of it'],
  ['ask', `${FORMER}; ln -s nothing local.json`, 'git checkout x', 'an ignored link'],
  [
    'ask',
    `${IGNORED}; ${branch('mkdir local.json; echo x > local.json/a; git add -f local.json/a')}; echo s > local.json`,
    'git checkout x',
    'a folder in its place',
  ],
  ['allow', FORMER, 'git checkout x', 'nothing is in its place'],
  [
    'ask',
    STAGED,
    'git restore --staged --source=x . && git stash push -k -m wip',
    'settings out of a commit come by way of the index',
  ],
  ['ask', STAGED, 'git restore --staged --source=x .claude/settings.json && git stash push -k', 'the same by name'],
  ['ask', `${STAGED}; git restore --staged --source=x .`, 'git stash push -k', 'they are staged already'],
  ['ask', STAGED, 'git restore --staged --source=x .claude && git checkout .claude', 'the same by checkout'],
  ['ask', branch(CLAUDE), 'git checkout x', 'settings come in'],
  ['ask', branch(CLAUDE), 'git switch x', 'the same by switch'],
  ['ask', branch(CLAUDE), 'git checkout -b y x', 'a new branch with them'],
  ['ask', `${CLAUDE}; commit; echo "[]" > .claude/settings.json`, 'git stash', 'settings go'],
  ['ask', `${CLAUDE}; git stash -q -u`, 'git stash pop', 'settings come back'],
  ['ask', hook('post-checkout'), 'git checkout -b y', 'a hook'],
  ['ask', hook('post-checkout'), 'git switch -c y', 'a hook'],
  ['ask', `${branch(SOURCE)}; ${hook('post-index-change')}`, 'git switch x', 'a hook that runs when the index changes'],
  ['ask', `${EDITED}; ${hook('reference-transaction')}`, 'git stash', 'a hook that runs when a reference changes'],
  [
    'ask',
    `git config core.hooksPath hooks; mkdir hooks; cp /bin/true hooks/post-checkout`,
    'git checkout -b y',
    'a hook of another folder',
  ],
  ['ask', 'git config filter.f.smudge "touch ran"', 'git checkout -b y', 'a program that settings name'],
  ['ask', EDITED, 'git checkout src/a.ts', 'a file, whose edits are lost'],
  ['ask', EDITED, 'git checkout -- src/a.ts', 'the same with dashes'],
  ['ask', EDITED, 'git checkout .', 'all files'],
  ['ask', EDITED, 'git checkout HEAD src/a.ts', 'a file of a commit'],
  ['ask', branch(SOURCE), 'git checkout -f x', 'edits are thrown away'],
  ['ask', branch(SOURCE), 'git switch --discard-changes x', 'the same by switch'],
  ['ask', branch(SOURCE), 'git checkout -B x', 'a branch is moved'],
  ['ask', branch(SOURCE), 'git switch -C x', 'the same by switch'],
  ['ask', '', 'git checkout nothing', 'no such branch'],
  ['ask', '', 'git checkout -b "$X"', 'a name that only the shell knows'],
  ['ask', EDITED, 'git stash -u', 'files that git does not know go too'],
  ['ask', EDITED, 'git stash drop', 'what was put away is gone'],
  ['ask', EDITED, 'git stash clear', 'all of it'],
  ['ask', branch(SOURCE), 'git -C src checkout x', 'in a folder that an option names'],
  ['deny', branch(SOURCE), 'GIT_DIR=x git checkout x', 'with a variable'],
  ['ask', branch(SOURCE), 'git switch x && cat README.md', 'a file that may be a link by then'],
  ['ask', `${EDITED}; git stash -q`, 'git stash pop && cat README.md', 'the same behind a stash'],
  ['ask', `${branch(SOURCE)}; git branch y`, 'git checkout y && git stash pop', 'two of them'],
];

for (const [answer, setup, line, why] of rows)
  test(`${line}: ${answer}, ${why}`, () =>
    readRepository(setup, (project) => {
      const { decision, reasons } = SAFE(project, line, project);
      assert.is(decision, answer, JSON.stringify(reasons));
      assert.is.not(INSPECT(project, line, project).decision, 'allow');
    }));

test.run();
