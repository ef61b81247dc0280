/** What the grammars say beyond the answer: words, effects, conditions, and issues with their codes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeInvocation } from '../../src/command/judge/evaluate.js';
import type { CommandEffect, Condition, GrammarVerdict } from '../../src/command/model/command.js';
import { readLine, verdictOf } from './invocation.js';

const showEffect = ({ action, path, recursive }: CommandEffect): string =>
  [action, path === null ? '-' : (path.value ?? '?'), ...(recursive ? ['recursive'] : [])].join(' ');

function showCondition(condition: Condition): string {
  if (condition.kind === 'project-path') return `project-path ${condition.path.value ?? '?'} ${condition.rating}`;
  return condition.kind === 'remote' || condition.kind === 'branch'
    ? `${condition.kind} ${condition.name ?? '-'}`
    : condition.kind;
}

const effects: readonly (readonly [string, readonly string[], string])[] = [
  ['git status', ['read .'], 'a proven project read'],
  ['git diff src/a.ts', ['read .', 'read src/a.ts'], 'a word that may be a path counts as one'],
  ['git diff HEAD~2 -- .env', ['read .', 'read .env'], 'secrets are read by name'],
  ['git show HEAD:.env', ['read .', 'read .env'], 'the path in an object is read'],
  ['git show :0:.env', ['read .', 'read .env'], 'a stage of the index is no path'],
  ["git show 'HEAD^{/fix: .env}'", ['read .', 'read HEAD^{/fix: .env}'], 'a colon in braces belongs to the revision'],
  ['git cat-file -p HEAD:config/.env', ['read .', 'read config/.env'], 'cat-file reads by object name'],
  ['git log -L1,3:.env', ['read .', 'read .env'], 'a line range names a file'],
  ["git add ':(glob)**/.env'", ['write -', 'read **/.env recursive'], 'the magic is no part of the path'],
  ["git add ':(icase).ENV'", ['write -', 'read ? recursive'], 'such magic matches other names'],
  ["git diff -- ':!x'", ['read .'], 'an excluded path is not read'],
  ['git log --output=.git/config', ['read .', 'write .git/config'], 'protected paths are seen behind options'],
  ['git log --output .git/config', ['read .', 'write .git/config'], 'also in the next word'],
  ['git commit -m x', ['write -'], 'what git writes below .git has no path, so it is never proven'],
  ['git commit -aF/etc/passwd -m x', ['write -', 'read /etc/passwd'], 'a cluster ends in its value'],
  ['git push', ['publish -', 'network -'], 'a push leaves the machine'],
  ['git fetch origin', ['network -', 'write -'], 'a fetch writes references'],
  ['git branch x', ['read .', 'write -'], 'with a name it makes a branch'],
  ['git branch', ['read .'], 'without one it lists'],
  ['git grep x', ['read .', 'read . recursive'], 'a recursive reader'],
  ['git grep x src', ['read .', 'read src recursive'], 'a recursive reader of a folder'],
  ['git rebase main', ['execute -'], 'an unlisted subcommand may be an alias'],
  ['git push --receive-pack=x origin', ['publish -', 'network -', 'execute -'], 'an option that runs its value'],
  ['gh pr create -t a -b b', ['publish -', 'network -'], 'a pull request is public'],
  ['gh pr list', ['network -'], 'asks the server'],
];
for (const [line, expected, why] of effects)
  test(`effects of ${line}: ${why}`, () => assert.equal(verdictOf(line).effects.map(showEffect), expected));

const conditions: readonly (readonly [string, readonly string[], string])[] = [
  ['git push', ['git-config', 'current-remote', 'branch -'], 'a bare push uses what is configured'],
  ['git push origin', ['remote origin', 'git-config', 'branch -'], 'the branch is the current one'],
  ['git push origin main', ['remote origin', 'branch main', 'git-config'], 'the branch is named'],
  ['git push origin refs/heads/main', ['remote origin', 'branch main', 'git-config'], 'by its full name'],
  [
    'git push origin heads/main',
    ['remote origin', 'branch main', 'branch heads/main', 'git-config'],
    'both readings must be fine',
  ],
  ['git push origin HEAD', ['remote origin', 'branch -', 'git-config'], 'HEAD is the current branch'],
  ['git push origin x:main', ['remote origin', 'branch main', 'git-config'], 'the target counts'],
  ['git push origin x main', ['remote origin', 'branch x', 'branch main', 'git-config'], 'every refspec counts'],
  ['git fetch', ['git-config', 'current-remote'], 'a bare fetch uses what is configured'],
  ['git diff a -- ../b', ['project-path ../b care', 'git-config'], 'outside the project git compares any files'],
  ['git status ../x', ['project-path ../x care', 'git-config'], 'a pathspec outside'],
  ['git diff ~/x', ['project-path ~/x care', 'git-config'], 'a home folder is outside'],
  ['git config --get a', [], 'reading configuration runs nothing'],
  ['gh pr view 1', ['no-settings'], 'which program answers'],
];
for (const [line, expected, why] of conditions)
  test(`conditions of ${line}: ${why}`, () => assert.equal(verdictOf(line).conditions.map(showCondition), expected));

const issues: readonly (readonly [string, readonly string[]])[] = [
  ['git push -uf origin main', ['care git/push/force 2 -f']],
  ['git push --force origin main', ['care git/push/force 2 --force']],
  ['git push --for origin main', ['care git/push/force-with-lease 2 --for']],
  ['git push --force=1 origin main', ['care git/push/force 2 --force', 'unknown option/unexpected-value 2 --force']],
  ['git push origin +main', ['care git/push/force-refspec 3 -']],
  ['git push https://evil/x main', ['refuse git/push/remote-address 2 -']],
  ['git commit', ['care git/commit/message -1 -']],
  ['git restore .', ['care git/restore/staged 0 -']],
  ['git merge --ff-only --ff x', ['care git/merge/fast-forward 3 --ff']],
  ['git -c a=b status', ['care git/config 1 -c', 'refuse git/config 2 -']],
  ['git -c color.ui=never status', ['care git/config 1 -c']],
  ['git -c core.pager=less status', ['care git/config 1 -c', 'refuse git/config 2 -']],
  ['git -c user.name=x -c core.fsmonitor=y status', ['care git/config 1 -c', 'care git/config 3 -c', 'refuse git/config 4 -']],
  ['git -c color.diff.meta=a status', ['care git/config 1 -c']],
  ['git statusx', ['unknown git/unlisted-subcommand 1 -']],
  ['git remote add x y', ['unknown git/remote/unlisted-subcommand 2 -']],
  ['git stash', ['unknown git/stash/missing-subcommand -1 -']],
  ['git log --zz', ['unknown option/unknown 2 --zz']],
  ['git log -Ω', ['unknown option/unknown 2 -Ω']],
  ['git log -😀', ['unknown option/unknown 2 -😀']],
  ['git log -n', ['unknown option/missing-value 2 -n']],
  ['git log -n --all', ['unknown option/value-like-option 3 -n', 'unknown value/number 3 -']],
  ['git log --format', ['unknown option/missing-value 2 --format']],
  ['git log "$X"', ['unknown word/may-become-option 2 -']],
  ['git log -- "$X"', ['unknown word/dynamic 3 -']],
  ['git log "a$X"', ['unknown word/dynamic 2 -']],
  ['git log *.ts', ['unknown word/may-become-option 2 -']],
  ['git log ./*.ts', []],
  ['git log -- *.ts', []],
  ['git log --output=$X', ['unknown word/may-become-option 2 -', 'refuse git/log/output 2 --output']],
  ['git commit -F$X -m x', ['unknown word/may-become-option 2 -']],
  ['git commit -m "$X"', ['unknown word/dynamic 3 -']],
  ['git push or*', ['unknown word/dynamic 2 -', 'refuse git/push/remote-address 2 -']],
  ['gh auth status -t', ['refuse gh/auth/status/show-token 3 -t']],
  ['gh pr list --json x -q env', ['refuse gh/pr/list/jq-environment 6 -']],
  ['gh pr list --json x -q frob', ['care gh/pr/list/jq 6 -']],
  ['git merge-base', ['unknown operand/missing -1 -']],
  ['git count-objects x', ['unknown operand/unexpected 2 -']],
];
for (const [line, expected] of issues) test(`issues of ${line}`, () => assert.equal(showIssues(verdictOf(line)), expected));

const showIssues = (verdict: GrammarVerdict): readonly string[] =>
  verdict.issues.map(({ rating, code, word, option }) => `${rating} ${code} ${word} ${option ?? '-'}`);

for (const name of ['no-such-command', '__proto__', 'constructor', 'toString', '', '../commands/git', 'git/../git'])
  test(`a command without grammar executes something: ${JSON.stringify(name)}`, () => {
    const [invocation] = readLine('x y z').invocations;
    if (invocation === undefined) throw new Error('no invocation');
    const verdict = judgeInvocation(invocation, name);
    assert.equal([verdict.known, verdict.words, verdict.effects.map(showEffect)], [false, [name], ['execute -']]);
  });

for (const word of ['__proto__', 'constructor', 'hasOwnProperty', 'toString'])
  test(`names of the language are no subcommands: ${word}`, () =>
    assert.equal(showIssues(verdictOf(`git ${word}`)), ['unknown git/unlisted-subcommand 1 -']));

test.run();
