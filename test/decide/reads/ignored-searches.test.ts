/** Searches of whole trees that pass over what a `.gitignore` leaves out, and those that do not. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const TREES = ['/repo', '/repo/.', '/repo/./', '/repo/'];
const facts = (secret: boolean): NonNullable<World['facts']> => ({
  ignored: Object.fromEntries(TREES.map((tree) => [tree, ['/repo/.env']])),
  takenIn: Object.fromEntries(TREES.map((tree) => [tree, null])),
  names: {
    trees: {},
    folders: {},
    indexes: Object.fromEntries(
      TREES.map((tree) => [tree, { odd: false, leading: false, wild: false, top: true, astray: false, secret }]),
    ),
  },
});
const world = (secret = false): World => ({ preset: 'safe', secrets: ['/repo/.env'], facts: facts(secret) });

const GREP: readonly (readonly [
  input: Record<string, unknown>,
  runner: 'claude-code' | 'codex' | 'opencode' | 'qwen-code',
  said: string,
])[] = [
  [{ pattern: 'x' }, 'claude-code', 'allow'],
  [{ pattern: 'x', type: 'ts' }, 'claude-code', 'allow'],
  [{ pattern: 'x', glob: '*.ts' }, 'claude-code', 'allow'],
  [{ pattern: 'x', glob: '.env' }, 'claude-code', 'ask'],
  [{ pattern: 'x', glob: '*' }, 'claude-code', 'ask'],
  [{ pattern: 'x', path: '.env' }, 'claude-code', 'ask'],
  [{ pattern: 'x' }, 'codex', 'ask'],
  [{ pattern: 'x' }, 'opencode', 'allow'],
  [{ pattern: 'x', include: '*.ts' }, 'opencode', 'allow'],
  [{ pattern: 'x', include: '*' }, 'opencode', 'ask'],
  [{ pattern: 'x', include: '.env*' }, 'opencode', 'ask'],
  [{ pattern: 'x', path: '.env' }, 'opencode', 'ask'],
  [{ pattern: 'x' }, 'qwen-code', 'allow'],
  [{ pattern: 'x', glob: '*.ts' }, 'qwen-code', 'allow'],
  [{ pattern: 'x', glob: '.env' }, 'qwen-code', 'ask'],
];
for (const [input, runner, said] of GREP)
  test(`${runner}: Grep ${JSON.stringify(input)}: ${said}`, () =>
    assert.is(decideIn(world(), 'Grep', input, { runner }).decision, said));

// Not ignored: then it is read.
for (const runner of ['opencode', 'qwen-code', 'claude-code'] as const)
  test(`${runner}: a secret that nothing ignores`, () => {
    const open: World = { preset: 'safe', secrets: ['/repo/.env'], facts: { ...facts(false), ignored: {} } };
    assert.is(decideIn(open, 'Grep', { pattern: 'x' }, { runner }).decision, 'ask');
  });

// They list names, and read nothing.
for (const runner of ['opencode', 'qwen-code', 'gemini-cli'] as const)
  test(`${runner}: names of files, and no text of them`, () => {
    assert.is(decideIn(world(), 'glob', { pattern: '**/*.js' }, { runner }).decision, 'allow');
    assert.is(decideIn(world(), 'glob', { pattern: '*', path: '/etc' }, { runner }).decision, 'ask');
  });

const LINES: readonly (readonly [line: string, said: string])[] = [
  ['rg --hidden x .', 'allow'],
  ['rg --hidden -t ts x .', 'allow'],
  ['rg --hidden --no-ignore x .', 'ask'],
  ['rg --hidden --no-ignore-vcs x .', 'ask'],
  ['rg -uu x .', 'ask'],
  ['rg --hidden -nu x .', 'ask'],
  ['rg --hidden -L x .', 'ask'],
  ["rg --hidden -g '.env' x .", 'ask'],
  ['rg --hidden x .env', 'ask'],
  ['git checkout -- .gitignore; rg --hidden x .', 'ask'],
  ['grep -rn x .', 'ask'],
  ['git add -A', 'allow'],
  ['git add .', 'allow'],
  ['git add -A && git commit -m x', 'allow'],
  ['git add -f .', 'ask'],
  ['git add .env', 'ask'],
  ['git checkout -- .gitignore; git add .', 'ask'],
  ['git add . & git checkout -- .gitignore', 'ask'],
];
for (const [line, said] of LINES)
  test(`${line}: ${said}`, () => assert.is(decideIn(world(), 'Bash', line, { runner: 'claude-code' }).decision, said));

const AFTER: readonly (readonly [line: string, said: string])[] = [
  ['npm test && git add -A && git commit -m x', 'allow'],
  ['npm test; git add .', 'allow'],
  ['npm test && rg --hidden x .', 'allow'],
  ['npm run other && git add -A', 'ask'],
  ["echo '!.env' >> .gitignore; npm test; git add -A", 'ask'],
  ['cp x .gitignore && npm test && git add -A', 'ask'],
  ['git config core.excludesFile x && git add -A', 'ask'],
  ["find . -name '.env.example' -exec cat {} +", 'allow'],
  ["find . -name package.json -not -path '*/x/*' -exec cat {} +", 'allow'],
  ['find . -name .env -exec cat {} +', 'ask'],
  ['find . -iname .ENV -exec cat {} +', 'ask'],
  ['find . ! -name package.json -exec cat {} +', 'ask'],
  ['find . -name package.json -o -name x -exec cat {} +', 'ask'],
];
for (const [line, said] of AFTER)
  test(`with a rule for npm test, ${line}: ${said}`, () =>
    assert.is(decideIn({ ...world(), allow: ['Bash(npm test *)'] }, 'Bash', line, { runner: 'claude-code' }).decision, said));

test('a secret that git has already is added again', () => assert.is(decideIn(world(true), 'Bash', 'git add .').decision, 'ask'));

test.run();
