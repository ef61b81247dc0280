/**
 * A search over a tree that holds a secret passes where the names that it is told to read, or to leave out, keep it from the secret.
 * What GNU grep opens was measured (`grep -rl x . OPTIONS`).
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const WORLD = { preset: 'safe', secrets: ['/repo/.env', '/repo/deploy/prod.env'] } as const;

const passing = [
  "grep -rn x . --include='*.ts'",
  'grep -rn --include=*.ts --include=*.js x .',
  "grep -rn --include='*.{ts,js}' x .",
  "grep -rn --include='*.ts' --exclude='*.d.ts' x",
  "grep -rn x . --exclude='.env*' --exclude='prod.*'",
  'grep -rn x . --exclude=.env --exclude-dir=deploy',
  "rg -g '*.ts' x",
  "rg x -g 'src/**/*.{ts,tsx}' -g '!dist'",
  'gofmt -l .',
  'gofmt -d src a.go',
];

const asking = [
  'grep -rn x .',
  'rg x',
  "grep -rn x . --include='*'",
  "grep -rn x . --include='*.env'",
  "grep -rn x . --include='*.ts' --include='.e*'",
  // What no pattern fits is read unless the first of them is an --include.
  "grep -rn x . --exclude=a --include='*.ts'",
  "grep -rn x . --exclude-from=list --include='*.ts'",
  "grep -rn x . --exclude='.env*'",
  // Whether the star stands for the leading dot is not the same everywhere.
  "grep -rn x . --exclude='*.env'",
  // A file may be called `--exclude=.env.a`, and stand in the place of the pattern.
  'grep -rn x . --exclude=.env* --exclude-dir=deploy',
  'grep -rn x . --exclude-dir=node_modules',
  // A pattern to look for, not one of names.
  "grep -rn -e --include='*.ts' x .",
  "grep -rn -- x . --include='*.ts'",
  "grep -rn x . .env --include='*.ts'",
  "grep -Rn x . --include='*.ts'",
  "rg -g '!*.ts' x",
  "rg -g '*.ts' x .e?v",
  "rg -g '*.ts' x s* .e*",
  'rg -t ts x .e?v',
  'gofmt -l .env',
  'gofmt -l . .env',
  'gofmt -l .e*',
  "rg -g '*.env' x",
  "rg -g '*.ts' -g '*.{js,env}' x",
];

for (const line of passing) test(`passes: ${line}`, () => assert.is(decideIn(WORLD, 'Bash', line).decision, 'allow'));
for (const line of asking) test(`asks: ${line}`, () => assert.is(decideIn(WORLD, 'Bash', line).decision, 'ask'));

const handedOn = [
  "find . -name '*.ts' | xargs wc -l",
  "find . -type f -name '*.ts' -not -path './node_modules/*' | xargs grep -n x",
  "find . -name '*.ts' -print0 | xargs -0 wc -l",
  "find . -name '*.ts' -exec cat {} +",
];
const handedOnToo = [
  'find . -type f | xargs wc -l',
  "find . -not -name '*.ts' | xargs wc -l",
  "find . -name '*.ts' -o -type f | xargs wc -l",
  "find . -name '*env' | xargs wc -l",
  "find . -exec cat {} + -name '*.ts'",
  "find . -print -name '*.ts' | xargs wc -l",
  "find . -name '*' | xargs wc -l",
  `find . -name '*.ts' ${"-not -path './a' ".repeat(30)}| xargs wc -l`,
];
for (const line of handedOn)
  test(`hands no secret on: ${line}`, () => assert.is(decideIn(WORLD, 'Bash', line).decision, 'allow'));
for (const line of handedOnToo) test(`may hand one on: ${line}`, () => assert.is(decideIn(WORLD, 'Bash', line).decision, 'ask'));

test('a folder of a name that is found is read with all that is below it', () => {
  const world = { preset: 'safe', secrets: ['/repo/x.ts/.env'] } as const;
  assert.is(decideIn(world, 'Bash', "find . -name '*.ts' | xargs grep -rn x").decision, 'ask');
  assert.is(decideIn(world, 'Bash', "find . -name '*.js' | xargs grep -n x").decision, 'allow');
});

test('a link of a name that is read leads to its secret all the same', () => {
  const world = { preset: 'safe', secrets: ['/repo/src/a.ts'] } as const;
  assert.is(decideIn(world, 'Bash', "grep -rn --include='*.ts' x .").decision, 'ask');
  assert.is(decideIn(world, 'Bash', "grep -rn --include='*.js' x .").decision, 'allow');
});

test('the search tool keeps to its names as rg does', () => {
  const answer = (glob: string) => decideIn(WORLD, 'Grep', { pattern: 'x', glob }).decision;
  for (const glob of ['*.ts', '**/*.{ts,tsx}', 'src/*.md']) assert.is(answer(glob), 'allow', glob);
  for (const glob of ['*', '.env', '*.ts,.env', '*.ts .env', '!*.md', '*.{ts,env}', '**']) assert.is(answer(glob), 'ask', glob);
});

/** What ripgrep passes over unless a file of ignored names takes it in (`!.env`), by the last parts of such patterns. */
const HIDDEN = (patterns: readonly string[] | null) => ({
  preset: 'safe' as const,
  secrets: ['/repo/.env', '/repo/src/.aws/credentials'],
  facts: { takenIn: Object.fromEntries(['/repo', '/repo/.', '/repo/./', '/repo/src'].map((tree) => [tree, patterns])) },
});

for (const [line, patterns] of [
  ['rg x', []],
  ['rg x .', []],
  ['rg -n --files', []],
  ["rg -g '!dist' x", []],
  ['timeout 5 rg x | head -5', []],
  ['rg x src', ['.env', '.github']],
  ['rg x', ['.env.example', '*.example', '.github', '?ab']],
  ['rg -t ts -t rust x', null],
] as const)
  test(`hidden files are passed over: ${line}, ${patterns}`, () =>
    assert.is(decideIn(HIDDEN(patterns), 'Bash', line).decision, 'allow'));

for (const [line, patterns] of [
  ['rg x', null],
  ['rg x', ['.env']],
  ['rg x', ['.EN?']],
  ['rg x', ['*']],
  ['rg x', ['.[a-f]*']],
  ['rg x src', ['.aws', 'credentials', '*']],
  ['rg --hidden x', []],
  ['rg -. x', []],
  ['rg -uu x', []],
  ['rg -nuu x', []],
  ['rg -n. x', []],
  ['rg --no-ignore --hidden x', []],
  ["rg --hidden -g '!.git' x", []],
  ["rg -g '*.env' x", []],
  ["rg -g '.e*' -g '*.ts' x", []],
  ['rg -t all x', []],
  ['rg --hidden --files | xargs cat', []],
  ['rg --ignore-file list x', []],
  ['rg --type-add t:.env -t t x', []],
  ["rg -g '*' x", []],
  ["rg -g '.e*' x", []],
  ['rg -t sh x', []],
  ['rg -L x', []],
  ['rg x .env', []],
  ['rg x .e?v', []],
  ['rg x .e*', []],
  ['rg x src/.a*/', []],
  // What may change such a file before.
  ['git checkout b && rg x', []],
  ['make && rg x', []],
  ['cp a .ignore; rg x', []],
  ["rg --files -g '*' | xargs cat", []],
] as const)
  test(`hidden files may be read: ${line}, ${patterns}`, () =>
    assert.is(decideIn(HIDDEN(patterns), 'Bash', line).decision, 'ask'));

for (const line of [
  "rg --hidden -g '!.git' x",
  'rg -uu x src',
  'rg --no-ignore x',
  "rg -g 'Dockerfile*' FROM",
  'rg -t all x',
  'rg -n. x',
])
  test(`where no file is secret, hidden ones may be searched: ${line}`, () => {
    assert.is(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow');
    assert.is(decideIn({ preset: 'safe', facts: { secretTrees: {} } }, 'Bash', line).decision, 'ask');
  });

for (const line of ["rg --hidden -g '*.ts' x", "rg -uu -g '*.{ts,md}' x"])
  test(`how all names end keeps a secret out: ${line}`, () => assert.is(decideIn(HIDDEN([]), 'Bash', line).decision, 'allow'));

/** A configuration of git that holds a credential, in a tree that is searched with what is hidden in it. */
const CONFIGURED = { preset: 'safe', secrets: ['/repo/.git/config', '/repo/sub/.git/config'] } as const;

for (const [line, decision] of [
  ["rg --hidden -g '!.git' x", 'allow'],
  ["rg --hidden --glob '!.git/' x .", 'allow'],
  ["rg -uu -g '!**/.git/**' -g '!dist' x", 'allow'],
  ["rg --hidden -g '!**/.git' -t ts x", 'allow'],
  ["rg --hidden -g '!.gi' x", 'ask'],
  // In the current folder alone.
  ["rg --hidden -g '!.git/**' x", 'ask'],
  ["rg --hidden -g '!/.git' x", 'ask'],
  ["rg --hidden -g '!.git/config' x", 'ask'],
  // The last pattern that fits a name counts.
  ["rg --hidden -g '!.git' -g '.git' x", 'ask'],
  ["rg --hidden -g '!.git' -g '*' x", 'ask'],
  ['rg --hidden -g "!$NAME" x', 'ask'],
  // What is named is searched whatever its name.
  ["rg --hidden -g '!.git' x .g*", 'ask'],
  ["rg --hidden -g '!.git' x sub/.git/config .", 'ask'],
] as const)
  test(`a folder of a name that is left out: ${line}, ${decision}`, () =>
    assert.is(decideIn(CONFIGURED, 'Bash', line).decision, decision));

test('a folder that is searched itself is not left out by its name', () => {
  const world = { preset: 'safe', secrets: ['/repo/.git/config'] } as const;
  assert.is(decideIn(world, 'Bash', "rg -g '!.git' x .git").decision, 'ask');
});

test('a rule that speaks of hidden files is no leave to read secrets', () => {
  const world = { ...HIDDEN([]), allow: ['Bash(rg --hidden *)'] };
  assert.is(decideIn(world, 'Bash', 'rg --hidden x').decision, 'ask');
});

test('what appears below a name that is not hidden is not passed over', () => {
  const world = { ...HIDDEN([]), secrets: ['/repo/deploy/prod.env'] };
  assert.is(decideIn(world, 'Bash', 'rg x').decision, 'ask');
});

const indexed = (secret: boolean | undefined) => ({
  preset: 'safe' as const,
  secrets: ['/repo/.env'],
  names: secret === undefined ? {} : { secret },
});

for (const line of [
  'git grep x',
  'git grep -n -i -e x',
  'git grep --cached x',
  'git ls-files | xargs wc -l',
  "git ls-files '*.md' | xargs grep -n x",
])
  test(`what is not in git's index is not read: ${line}`, () => {
    assert.is(decideIn(indexed(false), 'Bash', line).decision, 'allow');
    assert.is(decideIn(indexed(true), 'Bash', line).decision, 'ask');
    assert.is(decideIn(indexed(undefined), 'Bash', line).decision, 'ask');
  });

for (const line of [
  'git grep --untracked x',
  'git grep x HEAD',
  'git grep --recurse-submodules x',
  'git ls-files -o | xargs cat',
  'git ls-files -co | xargs cat',
  'git checkout b && git grep x',
  'GIT_INDEX_FILE=i git grep x',
])
  test(`more than the index is read: ${line}`, () => assert.is.not(decideIn(indexed(false), 'Bash', line).decision, 'allow'));

test('a link of another name in the index may lead to a secret', () => {
  const world = { ...indexed(false), secrets: ['/repo/link'] };
  assert.is(decideIn(world, 'Bash', 'git ls-files | xargs cat').decision, 'ask');
});

test.run();
