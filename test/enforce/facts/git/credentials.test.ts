/** What prints git's configuration asks where that holds a credential, and is answered as ever where it does not. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId, ToolCall } from '../../../../src/call/tool-call.js';
import { holdsCredential } from '../../../../src/disk/git/credentials.js';
import { withFiles } from '../../scratch.js';
import { answer, TOKEN, WITH, WITHOUT } from './configured-repository.js';

const printing: readonly (readonly [tool: string, input: string])[] = [
  ['Read', '.git/config'],
  ['Bash', 'cat .git/config'],
  ['Bash', 'grep -r token .git'],
  ['Bash', 'grep -r token .'],
  ['Bash', 'git remote -v'],
  ['Bash', 'git remote -vv'],
  ['Bash', 'git remote get-url origin'],
  ['Bash', 'git remote show -n origin'],
  ['Bash', 'git config --get remote.origin.url'],
  ['Bash', 'git config -l'],
  ['Bash', 'git config --list --show-origin'],
  ['Bash', 'git ls-remote --get-url'],
  ['Bash', 'git -C . remote -v'],
  ['Bash', 'cd . && git remote -v | cat'],
  ['Bash', 'rg --hidden url .'],
  ['Bash', 'rg -uu url'],
  ['Bash', 'rg url .git'],
  ['Bash', 'grep -rn url .'],
  ['Bash', 'find . -name config -exec cat {} +'],
  ['Grep', '.'],
];

for (const [tool, input] of printing) {
  test(`${tool}: ${input} asks where a URL holds a password`, () => {
    const { effect, text } = answer(WITH, tool, input);
    assert.is(effect, 'ask');
    assert.not.ok(text.includes(TOKEN), 'the reason holds the password');
  });
  test(`${tool}: ${input} is allowed where none does`, () => {
    assert.is(answer(WITHOUT, tool, input).effect, 'allow');
  });
}

const tools: readonly (readonly [runner: RunnerId, tool: string, input: ToolCall['input'], effect: string])[] = [
  ['claude-code', 'Grep', { pattern: 'url' }, 'ask'],
  ['claude-code', 'Grep', { pattern: 'url', path: '.git' }, 'ask'],
  ['claude-code', 'Grep', { pattern: 'url', path: '.git/config', output_mode: 'content' }, 'ask'],
  ['claude-code', 'Grep', { pattern: 'url', glob: '.git/**' }, 'ask'],
  ['claude-code', 'Grep', { pattern: 'url', glob: '*.ts' }, 'allow'],
  ['claude-code', 'Grep', { pattern: 'url', path: 'src' }, 'allow'],
  // Names alone.
  ['claude-code', 'Glob', { pattern: '.git/*' }, 'allow'],
  ['gemini-cli', 'search_file_content', { pattern: 'url' }, 'ask'],
  ['gemini-cli', 'grep_search', { pattern: 'url', dir_path: '.git' }, 'ask'],
  ['gemini-cli', 'grep_search', { pattern: 'url', dir_path: 'src' }, 'allow'],
  ['gemini-cli', 'read_many_files', { include: ['.git/config'] }, 'ask'],
  ['gemini-cli', 'read_many_files', { include: ['src/*.ts'] }, 'allow'],
  ['qwen-code', 'grep_search', { pattern: 'url', path: '.git' }, 'ask'],
  ['copilot-cli', 'grep', { pattern: 'url' }, 'ask'],
  ['copilot-cli', 'grep', { pattern: 'url', path: '.git' }, 'ask'],
  ['copilot-cli', 'grep', { pattern: 'url', path: 'src' }, 'allow'],
  ['copilot-cli', 'view', { path: '.git/config' }, 'ask'],
  ['opencode', 'grep', { pattern: 'url', path: '.git' }, 'ask'],
  ['opencode', 'read', { filePath: '.git/config' }, 'ask'],
  ['cursor', 'Grep', { pattern: 'url', path: '.git' }, 'ask'],
  ['agent-code', 'Grep', { pattern: 'url', path: '.git' }, 'ask'],
];
for (const [runner, tool, input, effect] of tools)
  test(`${tool} of ${runner} with ${JSON.stringify(input)}: ${effect} with a credential in .git/config, allowed without`, () => {
    const searching = { runner, rules: 'version: 1\npreset: safe\nallow: [Read, Grep, Glob]\n' };
    assert.is(answer(WITH, tool, input, { 'src/a.ts': 'a' }, searching).effect, effect);
    assert.is(answer(WITHOUT, tool, input, { 'src/a.ts': 'a' }, searching).effect, 'allow');
  });

for (const input of [
  'git status',
  'git remote',
  'git config --get core.bare',
  'git add .',
  'git diff',
  'cat a.txt',
  'git fetch origin',
  'git remote add x y',
  'git remote update',
  'git var GIT_EDITOR',
  'rg url',
  'grep -rn --exclude-dir=.git url .',
  'git ls-files | xargs grep url',
  'cat $(git ls-files)',
  'git grep token',
])
  test(`${input} is answered alike with a credential and without`, () => {
    assert.is(answer(WITH, 'Bash', input).effect, answer(WITHOUT, 'Bash', input).effect);
  });

test('the configuration of the user counts where git lists it', () => {
  assert.is(answer(WITHOUT, 'Bash', 'git config --list', { 'home/.gitconfig': '[github]\n\ttoken = abcdef\n' }).effect, 'ask');
  assert.is(answer(WITHOUT, 'Bash', 'git config --list', { 'home/.gitconfig': '[user]\n\tname = A\n' }).effect, 'allow');
});

test('a setting that is no part of a URL counts where all settings are listed, not where URLs are', () => {
  for (const setting of ['[github]\n\ttoken = abcdef\n', '[http]\n\textraHeader = Authorization: Basic eDp5\n']) {
    const user = { 'home/.gitconfig': setting };
    for (const line of ['git remote -v', 'git remote get-url origin', 'git ls-remote --get-url', 'git config --get core.bare'])
      assert.is(answer(WITHOUT, 'Bash', line, user).effect, 'allow', line);
    assert.is(answer(WITHOUT, 'Bash', 'git config -l', user).effect, 'ask');
    assert.is(answer(WITHOUT, 'Bash', 'git var -l', user, { rules: TOTAL }).effect, 'ask');
  }
  for (const setting of [
    `[url "https://me:${TOKEN}@h/"]\n\tinsteadOf = x:\n`,
    `[branch "main"]\n\tremote = https://me:${TOKEN}@h/x\n`,
  ])
    assert.is(answer(WITHOUT, 'Bash', 'git remote -v', { 'home/.gitconfig': setting }).effect, 'ask');
});

const TOTAL = 'version: 1\npreset: safe\nallow: [Bash]\n';
// Under a rule that lets every line run unseen, nothing else would ask.
for (const line of ['git remote --verb', 'git config --lis', 'git request-pull v1 origin', 'git $COMMAND -v'])
  test(`${line} asks under a rule for all commands where the configuration holds a credential`, () => {
    assert.is(answer(WITH, 'Bash', line, {}, { rules: TOTAL }).effect, 'ask');
    assert.is(answer(WITHOUT, 'Bash', line, {}, { rules: TOTAL }).effect, 'allow');
  });

const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const settings: readonly (readonly [setting: string, holds: boolean, why: string])[] = [
  [`[remote "o"]\n\turl = https://${GITHUB}@github.com/a/b`, true, 'a user name that is a token'],
  ['[remote "o"]\n\turl = https://x-access-token:abc@github.com/a/b', true, 'a short password'],
  ['[http "https://h/"]\n\textraheader = AUTHORIZATION: basic eDp5', true, 'a header'],
  ['[url "https://u:pw@h/"]\n\tinsteadOf = x:', true, 'a URL in a key'],
  ['[remote "o"]\n\turl = ssh://git@github.com/a/b', false, 'a user without a password'],
  ['[remote "o"]\n\turl = git@github.com:a/b@c', false, 'the short form of ssh'],
  ['[remote "o"]\n\turl = ssh://git@host:2222/a/b', false, 'a port'],
  ['[credential]\n\thelper = store', false, 'a helper'],
  ['[core', true, 'a file that cannot be read may hold one'],
];
for (const [setting, holds, why] of settings)
  test(`credentials: ${why}`, () =>
    withFiles({ config: setting }, (folder) => assert.is(holdsCredential(`${folder}/config`, true), holds)));

// A pathspec is compared with the secret files that are there.
const SPECS: readonly (readonly [line: string, effect: string])[] = [
  ["git grep X -- ':(glob)**/.env'", 'ask'],
  ["git grep X -- ':(glob)sub/**/.env'", 'ask'],
  ["git grep X -- ':(glob)**/**/.env'", 'ask'],
  ["git grep X -- ':(glob)**/*.txt'", 'allow'],
  ['git blame .env', 'ask'],
  ['git show HEAD:.env', 'ask'],
  ['git cat-file -p HEAD:.env', 'ask'],
  ['git diff -- .env', 'ask'],
  ['git blame a.txt', 'allow'],
  ['git show HEAD:a.txt', 'allow'],
  ['git cat-file -p HEAD:a.txt', 'allow'],
  ['git diff -- a.txt', 'allow'],
];
for (const [line, effect] of SPECS)
  test(`${line}: ${effect}, with a secret file at the top and below`, () => {
    assert.is(answer(WITHOUT, 'Bash', line, { '.env': 'X=1', 'sub/.env': 'X=1' }).effect, effect);
  });

test.run();
