/** `git merge x && cat README.md`: a commit may put a link in the place of a file, before the next command of the line looks. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../../../src/call/tool-call.js';
import { decide } from '../../../../src/decide/decide.js';
import { analyse } from '../../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../../src/decide/policy/compile.js';
import { gatherFacts } from '../../../../src/enforce/facts/gather.js';
import { composePolicy } from '../../../../src/policy/compose.js';
import { parsePolicy } from '../../../../src/policy/document.js';
import { readRepository } from '../../scratch-repository.js';

const FILE = { file: 'policy.yaml', format: 'yaml', layer: 'project' } as const;

function safePolicy(rules: string) {
  const { document } = parsePolicy(`version: 1\npreset: safe\n${rules}`, FILE);
  if (document === null) throw new Error('the policy is none');
  return compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
}

const SAFE = safePolicy('');
const BRANCHES = safePolicy('allow: ["Bash(git checkout *)", "Bash(git switch *)", "Bash(git reset *)", "Bash(git apply *)"]\n');
const COPIES = safePolicy('allow: ["Bash(cp *)", "Bash(mv *)", "Bash(tee *)"]\n');

/** The answer to a line, and the first reason for it. */
function answer(project: string, command: string, policy = SAFE): readonly [string, string | undefined] {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd: project, headless: false, shell: 'union' };
  const analysis = analyse(call);
  const around = { project, home: '/home/nobody', platform: 'linux', environment: {}, ownDirectories: [], budget: null } as const;
  const { decision, reasons } = decide(policy, call, gatherFacts(analysis, project, around), analysis);
  return [decision, decision === 'allow' ? undefined : reasons[0]?.code];
}

/** A branch, here and at the remote, that changes a source file, and a patch that does. */
const PROJECT = `
echo '{}' > package.json; commit
git remote add origin https://example.com/x.git
git checkout -q -b x; echo more >> src/a.ts; commit; git checkout -q main
git update-ref refs/remotes/origin/x x; git branch -q -u origin/x
git diff main x > a.patch
`;
const MERGE = 'git merge --no-edit origin/x';
const REPLACED = ['ask', 'path/replaced'] as const;
const SETTINGS = ['ask', 'path/settings'] as const;
const ALLOWS = ['allow', undefined] as const;

const rows: readonly (readonly [string, readonly [string, string | undefined], string])[] = [
  [`${MERGE} && cat README.md`, REPLACED, 'a link to a key by then'],
  [`${MERGE} && head -3 < README.md`, REPLACED, 'from a redirection'],
  [`${MERGE}; sort src/*.ts`, REPLACED, 'by a pattern'],
  [`${MERGE} && cat *`, REPLACED, 'by a pattern of the folder itself'],
  [`${MERGE} && for f in *.md; do cat "$f"; done`, REPLACED, 'by the pattern of a loop'],
  [`${MERGE} && echo done > README.md`, REPLACED, 'written through the link'],
  [`${MERGE} && echo more >> src/a.ts`, REPLACED, 'appended to what the link leads to'],
  [`${MERGE} && ls src`, REPLACED, 'a folder may be a link too'],
  [`(${MERGE}); cat README.md`, REPLACED, 'in a subshell'],
  [`timeout 20 ${MERGE}; cat README.md`, REPLACED, 'behind a wrapper'],
  [`git merge --ff-only origin/x | cat; cat README.md`, REPLACED, 'in a pipe'],
  [`for i in 1 2; do cat README.md; ${MERGE}; done`, REPLACED, 'the second time it is there'],
  [`${MERGE} && cd src && git status`, ['ask', 'git/replaced'], 'a folder with HEAD, objects and refs is a repository'],
  [`${MERGE} && git -C src status`, ['ask', 'git/replaced'], 'named by an option'],
  [`${MERGE} && mvn -v`, ['ask', 'path/settings'], 'options of .mvn come with a commit too'],
  ['printf x > rust-toolchain.toml; cargo --version', SETTINGS, 'which program answers is told by a file that the line writes'],
  ['echo x >> src/rust-toolchain && cd src && rustc -V', SETTINGS, 'in the folder that it enters'],
  ['cargo --version > rust-toolchain.toml; cargo --version', SETTINGS, 'written by the command before'],
  ['for i in 1 2; do cargo --version; echo x > rust-toolchain.toml; done', SETTINGS, 'the second time it is there'],
  ['echo x > notes.txt; cargo --version', ALLOWS, 'no file that cargo asks'],
  ['cargo --version; echo x > rust-toolchain.toml', ALLOWS, 'written after it was asked'],
  ['echo x > docs/rust-toolchain.toml; cargo --version', ALLOWS, 'in a folder that cargo does not look into'],
  ['cargo --version > version.txt', ALLOWS, 'what it prints is kept'],
  [`cat README.md && ${MERGE}`, ALLOWS, 'nothing is merged before it is read'],
  [`cat README.md; ${MERGE} && git log -1`, ALLOWS, 'read before, and git afterwards'],
  [`${MERGE} && git status && git diff HEAD~1 --stat`, ALLOWS, 'git obeys no settings of commits at its top'],
  [`${MERGE} && git diff src/a.ts`, ALLOWS, 'git shows the text of a link'],
  [`${MERGE} && git add README.md && git commit -m x`, ALLOWS, 'git takes in the text of a link'],
  [`${MERGE} && ls -la && pwd`, ALLOWS, 'the folder of the shell stays'],
  [`git merge --ff-only @{u} && git log --oneline -3 | cat`, ALLOWS, 'brought up to date'],
  [`${MERGE} > /dev/null && echo done`, ALLOWS, 'what is no file of the project'],
  ['cd src && git status', ALLOWS, 'nothing is merged'],
  ['mvn -v', ALLOWS, 'nothing is merged, and there are no settings'],
];

for (const [line, expected, why] of rows)
  test(`${JSON.stringify(line)}: ${why}`, () =>
    readRepository(PROJECT, (project) => {
      assert.equal(answer(project, line), expected);
    }));

const branches: readonly (readonly [string, readonly [string, string | undefined], string])[] = [
  ['git checkout -b x && cat README.md', ALLOWS, 'a new branch has the same files'],
  ['git switch -c x && cat README.md', ALLOWS, 'so it has here'],
  ['git checkout -b x origin/x && cat README.md', REPLACED, 'a branch of other commits'],
  ['git switch -c -f && cat README.md', ['ask', 'protected/unknown-incoming'], 'what is no name'],
  ['git checkout x && cat README.md', REPLACED, 'another branch'],
  ['git switch x && cat README.md', REPLACED, 'another branch'],
  ['git reset --hard origin/x && cat README.md', REPLACED, 'other commits'],
  ['git reset HEAD~1 && cat README.md', ALLOWS, 'the files stay as they are'],
  ['git apply a.patch && cat README.md', REPLACED, 'a patch makes links too'],
  ['git checkout x && git status', ALLOWS, 'git at its top'],
];

for (const [line, expected, why] of branches)
  test(`${JSON.stringify(line)} under rules for branches: ${why}`, () =>
    readRepository(PROJECT, (project) => {
      assert.equal(answer(project, line, BRANCHES), expected);
    }));

const copies: readonly (readonly [string, readonly [string, string | undefined], string])[] = [
  ['cp src/a.ts rust-toolchain.toml; cargo --version', SETTINGS, 'copied to its name'],
  ['mv src rust-toolchain; cargo --version', SETTINGS, 'moved to its name'],
  ['tee rust-toolchain.toml < README.md; cargo --version', SETTINGS, 'printed to its name'],
  ['cargo --version | tee rust-toolchain.toml', SETTINGS, 'at the same time'],
  ['cp src/a.ts src/b.ts; cargo --version', ALLOWS, 'another file'],
];

for (const [line, expected, why] of copies)
  test(`${JSON.stringify(line)} under rules for copies: ${why}`, () =>
    readRepository(PROJECT, (project) => {
      assert.equal(answer(project, line, COPIES), expected);
    }));

test.run();
