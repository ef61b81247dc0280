/** The policy of a nested package holds for what lies in the package, wherever the call is made. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Decision, isAllowedExplicitly } from '../../src/decide/ruling/decision.js';
import { enforceDry } from '../../src/enforce/enforce.js';
import { recordTrust } from '../../src/project/trust.js';
import { GIT, openIn, placesIn, trustIn } from './opened.js';
import { withFiles } from './scratch.js';

const RULES = ['npm', 'rm', 'make', 'cargo', 'pnpm', 'yarn', 'git', 'tool', 'bun'].map((name) => `"Bash(${name} *)"`).join(', ');
const FILES = {
  ...GIT,
  'repo/policy.yaml': `version: 1\npreset: safe\nallow: [${RULES}]\n`,
  'repo/package.json': '{"workspaces":["packages/*"]}',
  'repo/Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
  'repo/src/x.ts': '',
  'repo/packages/a/policy.yaml':
    'version: 1\ndeny: ["Edit(*.ts)", "Bash(rm *)", "Bash(* publish*)", "Bash(make *)", "Bash(tool *)", "Bash(cat *)", "Bash(git *)", "Bash(cargo *)"]\n',
  'repo/packages/a/package.json': '{"name":"@x/first"}',
  'repo/packages/a/x.ts': '',
  'repo/packages/b/x.ts': '',
  'repo/packages/broken/policy.yaml': 'version: 1\nallow: {}\n',
  'repo/packages/broken/x.ts': '',
  'repo/crates/c/policy.yaml': 'version: 1\ndeny: ["Bash(cargo *)"]\n',
  'repo/crates/c/Cargo.toml': '[package]\nname = "see"\n',
};

type Files = Readonly<Record<string, string>>;

function answer(cwd: string, tool: string, input: string, changed: Files = {}): string {
  return decisionIn(cwd, tool, input, changed)?.decision ?? 'unusable';
}

function decisionIn(cwd: string, tool: string, input: string, changed: Files): Decision | null {
  return withFiles({ ...FILES, ...changed }, (folder) => {
    // The repository lists its linked worktree by an absolute path.
    if ('wt/.git' in changed) writeFileSync(join(folder, 'repo/.git/worktrees/wt/gitdir'), join(folder, 'wt/.git'));
    mkdirSync(placesIn(folder).stateDirectory, { recursive: true, mode: 0o700 });
    recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date());
    const place = join(folder, cwd);
    const opened = openIn(folder, { cwd: place, project: join(folder, 'repo') });
    if (!opened.ok) return null;
    const given =
      tool === 'Bash'
        ? { command: input }
        : tool === 'Skill'
          ? { skill: input }
          : { file_path: join(folder, input), old_string: 'x', new_string: 'y' };
    return enforceDry(opened.workspace, { tool, input: given, cwd: place, headless: false, shell: 'bash' });
  });
}

const rows: readonly (readonly [cwd: string, tool: string, input: string, expected: string, why: string])[] = [
  ['repo', 'Edit', 'repo/packages/a/x.ts', 'deny', 'a file of the package'],
  ['repo', 'Edit', 'repo/packages/a/new/x.ts', 'deny', 'one that is not there yet'],
  ['repo/packages/b', 'Edit', 'repo/packages/a/x.ts', 'deny', 'from another package'],
  ['repo', 'Edit', 'repo/packages/b/x.ts', 'allow', 'a file of another package'],
  ['repo', 'Edit', 'repo/src/x.ts', 'allow', 'a file of none'],
  ['repo', 'Bash', 'rm packages/a/x.ts', 'deny', 'a file of the package'],
  ['repo', 'Bash', 'rm packages/b/x.ts', 'allow', 'a file of another one'],
  ['repo', 'Bash', 'rm packages/*/x.ts', 'deny', 'by a pattern'],
  ['repo', 'Bash', 'echo x > packages/a/x.ts', 'deny', 'by a redirection'],
  ['repo', 'Bash', 'd=packages/a; cat $d/x.ts', 'deny', 'by a variable'],
  ['repo', 'Bash', 'cd packages/a && npm publish', 'deny', 'entered'],
  ['repo', 'Bash', 'cd packages && cd a && npm publish', 'deny', 'entered in steps'],
  ['repo', 'Bash', 'cd packages/b && npm publish', 'ask', 'another one entered'],
  ['repo', 'Bash', 'git -C packages/a log', 'deny', 'git -C'],
  ['repo', 'Bash', 'make -C packages/a', 'deny', 'make -C'],
  ['repo', 'Bash', 'make -Cpackages/a', 'deny', 'make -C, in one word'],
  ['repo', 'Bash', 'make --directory=packages/a', 'deny', 'make --directory='],
  ['repo', 'Bash', 'npm --prefix packages/a publish', 'deny', '--prefix'],
  ['repo', 'Bash', 'npm --prefix=./packages/a publish', 'deny', '--prefix='],
  ['repo', 'Bash', 'npm -w a publish', 'deny', 'a workspace by its folder'],
  ['repo', 'Bash', 'npm publish --workspace=packages/a', 'deny', 'by its path'],
  ['repo', 'Bash', 'npm publish -w @x/first', 'deny', 'by its name'],
  ['repo', 'Bash', 'pnpm --filter @x/first publish', 'deny', '--filter'],
  ['repo', 'Bash', 'pnpm --filter ./packages/a publish', 'deny', '--filter with a path'],
  ['repo', 'Bash', 'yarn --cwd packages/a publish', 'deny', '--cwd'],
  ['repo', 'Bash', 'npm -w b publish', 'ask', 'another workspace'],
  ['repo', 'Bash', 'npm publish', 'ask', 'the project itself'],
  ['repo', 'Bash', 'cargo build --manifest-path crates/c/Cargo.toml', 'deny', '--manifest-path'],
  ['repo', 'Bash', 'cargo build -p see', 'deny', 'a crate by its name'],
  ['repo', 'Bash', 'cargo build', 'ask', 'the whole'],
  ['repo', 'Bash', 'tool --anything packages/a', 'deny', 'an option that nobody knows'],
  ['repo', 'Bash', 'timeout 9 make -C packages/a', 'deny', 'behind a wrapper'],
  ['repo/packages/a', 'Bash', 'npm publish', 'deny', 'made there'],
  ['repo', 'Edit', 'repo/packages/broken/x.ts', 'ask', 'a policy that cannot be read'],
  ['repo', 'Bash', 'rm packages/broken/x.ts', 'ask', 'and by the shell'],
  ['repo', 'Bash', 'rm packages/b/x.ts', 'allow', 'elsewhere the project decides'],
];

for (const [cwd, tool, input, expected, why] of rows)
  test(`${tool} ${JSON.stringify(input)} in ${cwd}, ${why}: ${expected}`, () => assert.is(answer(cwd, tool, input), expected));

test('a package that would allow more allows nothing', () => {
  const allows = { 'repo/packages/b/policy.yaml': 'version: 1\nallow: ["Bash(curl *)"]\ndefault: allow\n' };
  assert.is(answer('repo', 'Bash', 'cd packages/b && curl https://example.com', allows), 'ask');
  assert.is(answer('repo', 'Bash', 'rm packages/b/x.ts', allows), 'allow');
});

const PRIVATE = {
  'repo/policy.yaml': 'version: 1\npreset: safe\nallow: ["Bash(rm *)", "Bash(tar *)", "Bash(git grep *)", "Bash(find *)"]\n',
  'repo/packages/a/policy.yaml': 'version: 1\ndeny: ["Read(private/**)"]\n',
  'repo/packages/a/private/x': 'TOP\n',
  'repo/packages/a/public/x': '',
};

const readers: readonly (readonly [cwd: string, command: string, expected: string])[] = [
  ['repo/packages/a', 'cat private/x', 'deny'],
  ['repo/packages/a', 'cat p*/x', 'ask'],
  ['repo/packages/a', 'head priv?te/x', 'ask'],
  ['repo/packages/a', 'for f in p*/*; do cat $f; done', 'ask'],
  ['repo/packages/a', 'grep -r TOP .', 'ask'],
  ['repo/packages/a', 'rg TOP', 'ask'],
  ['repo/packages/a', 'git grep TOP', 'ask'],
  ['repo/packages/a', 'find . -type f -exec cat {} +', 'ask'],
  ['repo/packages/a', 'cat public/x', 'allow'],
  ['repo/packages/a', 'cat pub*/x', 'allow'],
  ['repo/packages/a', 'grep -r TOP public', 'allow'],
  ['repo', 'cat packages/a/p*/x', 'ask'],
  ['repo', 'cat packages/*/private/x', 'ask'],
  ['repo', 'cat p*/*/p*/x', 'ask'],
  ['repo', 'cat packages/**/x', 'ask'],
  ['repo', 'grep -r TOP .', 'ask'],
  ['repo', 'rg TOP', 'ask'],
  ['repo', 'git grep TOP', 'ask'],
  ['repo', 'tar cf x.tar packages', 'ask'],
  ['repo', 'grep -r TOP src', 'allow'],
  ['repo', 'grep -r TOP packages/b', 'allow'],
];
for (const [cwd, command, expected] of readers)
  test(`what a package denies to read, ${command} in ${cwd}: ${expected}`, () =>
    assert.is(answer(cwd, 'Bash', command, PRIVATE), expected));

test('who removes a folder above a package removes what the package denies to write', () => {
  const denies = { ...PRIVATE, 'repo/packages/a/policy.yaml': 'version: 1\ndeny: ["Write(private/**)"]\n' };
  assert.is(answer('repo', 'Bash', 'rm -rf packages', denies), 'ask');
  assert.is(answer('repo', 'Bash', 'rm -rf packages/a', denies), 'ask');
  assert.is(answer('repo', 'Bash', 'rm -rf packages/b', denies), 'allow');
});

test('no limit leaves a package out', () => {
  const last = { 'repo/packages/zz/policy.yaml': 'version: 1\ndeny: ["Bash(rm *)", "Bash(cat *)"]\n', 'repo/packages/zz/x': '' };
  const named = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`).join(' ');
  assert.is(answer('repo', 'Bash', `rm ${named(520)} packages/zz/x`, last), 'deny');
  assert.is(answer('repo', 'Bash', `rm ${named(2100)} packages/zz/x`, last), 'ask');
  assert.is(answer('repo', 'Bash', `rm packages/${'./'.repeat(600)}zz/x`, last), 'deny');
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`repo/packages/k${at}/x`, '']));
  assert.is(answer('repo', 'Bash', 'cat packages/z*/x', { ...many, ...last }), 'deny');
});

const LINKED = {
  'repo/.git/worktrees/wt/HEAD': 'ref: refs/heads/wt\n',
  'repo/.git/worktrees/wt/commondir': '../..\n',
  'repo/.git/worktrees/wt/gitdir': '',
  'repo/.git/refs/heads/wt': `${'0123456789'.repeat(4)}\n`,
  'wt/.git': 'gitdir: ../repo/.git/worktrees/wt\n',
  'wt/packages/a/x.ts': '',
  'wt/packages/b/x.ts': '',
  'wt/packages/new/policy.yaml': 'version: 1\ndeny: ["Bash(rm *)"]\n',
  'wt/packages/new/x.ts': '',
};

const linked: readonly (readonly [cwd: string, command: string, expected: string])[] = [
  ['repo', 'rm ../wt/packages/a/x.ts', 'deny'],
  ['repo', 'rm ../wt/packages/new/x.ts', 'deny'],
  ['repo', 'cd ../wt/packages/a && rm x.ts', 'deny'],
  ['wt', 'rm packages/a/x.ts', 'deny'],
  ['wt', 'rm packages/new/x.ts', 'deny'],
  ['wt/packages/a', 'rm x.ts', 'deny'],
  ['wt', 'rm packages/b/x.ts', 'allow'],
];
for (const [cwd, command, expected] of linked)
  test(`with a linked worktree, ${command} in ${cwd}: ${expected}`, () =>
    assert.is(answer(cwd, 'Bash', command, LINKED), expected));

test('in a linked worktree, readers of many files are asked about as in the project', () => {
  for (const command of ['grep -r TOP .', 'cat p*/x', 'rg TOP'])
    assert.is(answer('wt/packages/a', 'Bash', command, { ...LINKED, ...PRIVATE }), 'ask', command);
});

test('what a skill runs is held to the policies of packages', () => {
  const skill = (line: string) => ({
    'repo/policy.yaml': 'version: 1\npreset: safe\nallow: ["Skill(one)"]\n',
    'repo/.claude/skills/one/SKILL.md': `---\nname: one\ndescription: d\n---\n${line}\n`,
    'repo/packages/a/policy.yaml': 'version: 1\ndeny: ["Read(secretplan)"]\n',
    'repo/packages/a/secretplan': '',
    'repo/packages/b/secretplan': '',
  });
  assert.is(answer('repo', 'Skill', 'one', skill('!`cat packages/a/secretplan`')), 'deny');
  assert.is(answer('repo', 'Skill', 'one', skill('!`cat packages/b/secretplan`')), 'allow');
});

test('where a package asks and the person lets questions pass, the client is granted nothing', () => {
  const passing = {
    'home/.config/policy/policy.yaml': 'version: 1\nonAsk: allow\n',
    'repo/policy.yaml': 'version: 1\nallow: ["Bash(rm *)"]\n',
    'repo/packages/a/policy.yaml': 'version: 1\nask: ["Bash(rm *)"]\n',
  };
  const granted = (command: string) => {
    const decision = decisionIn('repo', 'Bash', command, passing);
    return decision && [decision.decision, isAllowedExplicitly(decision)];
  };
  assert.equal(granted('rm packages/b/x.ts'), ['allow', true]);
  assert.equal(granted('rm packages/a/x.ts'), ['allow', false]);
});

test.run();
