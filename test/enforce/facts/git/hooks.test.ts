/** `echo … > package.json && git commit`: hooks of the repository would run what the line has just written. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../../judged-line.js';
import { readRepository } from '../../scratch-repository.js';

const judge = judgeUnder('version: 1\npreset: safe\nallow: ["Bash(sed -i *)", "Bash(cp *)", "Bash(git checkout *)"]\n');

/** The answer to a line, and the code of the first reason for a question. */
function answer(project: string, command: string): string {
  const { decision, reasons } = judge(project, command);
  return decision === 'allow' ? decision : `${decision} ${reasons[0]?.code}`;
}

const hook = (name: string, folder = '.git/hooks') =>
  `mkdir -p ${folder}; printf '#!/bin/sh\\nnpm test\\n' > ${folder}/${name}; chmod +x ${folder}/${name}`;
const PRE_COMMIT = hook('pre-commit');
const GITHOOKS = `${hook('pre-commit', '.githooks')}; git config core.hooksPath .githooks`;
const HUSKY = `${hook('pre-commit', '.husky')}; git config core.hooksPath .husky`;
const REMOTE =
  'git remote add origin https://example.com/x.git; git update-ref refs/remotes/origin/main HEAD; git branch -q -u origin/main';

const rows: readonly (readonly [setup: string, line: string, expected: string, why: string])[] = [
  [PRE_COMMIT, 'echo "{}" > package.json && git commit -am x', 'ask git/hooks', 'what the hook runs is written before'],
  [
    PRE_COMMIT,
    'echo "{}" > package.json; git add package.json; git commit -m x',
    'ask git/hooks',
    'with another command between',
  ],
  [PRE_COMMIT, 'printf x >> src/a.ts && git commit -am x', 'ask git/hooks', 'a source may be what the hook runs'],
  [PRE_COMMIT, "sed -i s/x/y/ src/a.ts && git commit -am 'x'", 'ask git/hooks', 'edited under a rule'],
  [PRE_COMMIT, 'cp README.md src/a.ts && git commit -am x', 'ask git/hooks', 'copied under a rule'],
  [PRE_COMMIT, 'cat > package.json <<E && git commit -am x\n{}\nE', 'ask git/hooks', 'from a here-document'],
  [PRE_COMMIT, 'timeout 9 git commit -am x | tee src/a.ts', 'ask git/hooks', 'at the same time'],
  [PRE_COMMIT, 'for i in 1 2; do git commit -am x; echo x > src/a.ts; done', 'ask git/hooks', 'the second time it is there'],
  [HUSKY, 'echo "{}" > package.json && git commit -am x', 'ask git/hooks', 'hooks of husky'],
  [GITHOOKS, 'echo "{}" > package.json && git commit -am x', 'ask git/hooks', 'hooks in a folder of the project'],
  [GITHOOKS, 'git status && git log -3', 'allow', 'commands that look run none'],
  [`${REMOTE}; ${hook('pre-push')}`, 'echo x > Makefile && git push', 'ask git/hooks', 'before a push'],
  [`git branch x; ${hook('post-checkout')}`, 'echo x > Makefile && git checkout x', 'ask git/hooks', 'before a checkout'],
  [PRE_COMMIT, 'git commit -am x', 'allow', 'nothing is written'],
  [PRE_COMMIT, 'git add src/a.ts && git commit -m x && git status', 'allow', 'nothing but the index is written'],
  [PRE_COMMIT, 'git commit -am x && echo done > src/log.ts', 'allow', 'written afterwards'],
  [PRE_COMMIT, 'echo x >> README.md && git commit -am x', 'allow', 'a text that nobody runs'],
  [PRE_COMMIT, 'echo x > src/a.ts && git status', 'allow', 'git runs no hook for this'],
  [PRE_COMMIT, 'echo hello > /dev/null; git commit -am x', 'allow', 'no file of the project'],
  [`${REMOTE}; ${PRE_COMMIT}`, 'echo x > src/a.ts && git push', 'allow', 'another hook'],
  ['', 'echo "{}" > package.json && git commit -am x', 'allow', 'no hooks'],
  [PRE_COMMIT.replace(/chmod.*/, ''), 'echo x > src/a.ts && git commit -am x', 'allow', 'a hook that is not executable'],
  [
    'mkdir -p .git/hooks; echo > .git/hooks/pre-commit.sample; chmod +x .git/hooks/*',
    'echo x > src/a.ts && git commit -am x',
    'allow',
    'a sample',
  ],
];

for (const [setup, line, expected, why] of rows)
  test(`${JSON.stringify(line)}, ${why}: ${expected}`, () =>
    readRepository(setup, (project) => {
      assert.is(answer(project, line), expected);
    }));

test.run();
