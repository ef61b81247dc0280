/** A formatter changes the files that it finds, also those that a rule denies to be edited. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const develop = (rule: string): World => ({ preset: 'develop', allow: ['Bash(prettier *)', 'Bash(npx *)'], deny: [rule] });

const HELD = [
  'prettier --write src',
  'prettier -w .',
  'prettier --write "src/**/*.ts"',
  'npx prettier --write src',
  'eslint --fix .',
  'eslint --fix',
  'cd src && eslint --fix .',
  'ruff format .',
  'ruff format',
  'ruff check --fix',
  'black',
  'black src',
  'biome check --write',
  'biome format --write src',
  'stylelint --fix src',
  'oxlint --fix',
  'deno fmt',
  'deno lint --fix src',
  'gofmt -w .',
  'goimports -w ./src',
  'golangci-lint run --fix',
  'go fmt ./...',
  'go fmt ./src/...',
  'cargo fmt',
  'isort .',
  'autopep8 -i -r src',
  'rubocop -A',
  'mix format',
  'dart format .',
  'stylua src',
  'terraform fmt -recursive',
  'php-cs-fixer fix src',
];

for (const line of HELD)
  test(`may rewrite what a rule denies: ${line}`, () => {
    const { decision, reasons } = decideIn(develop('Edit(src/gen/**)'), 'Bash', line);
    assert.is(decision, 'ask');
    assert.match(reasons[0]?.message ?? '', 'Edit(src/gen/**)');
  });

for (const line of HELD.filter((one) => !/black|\/x|format \.|^npx|^autopep8|^rubocop/.test(one)))
  test(`nothing is asked about that without the rule: ${line}`, () =>
    assert.is(decideIn({ preset: 'develop', allow: ['Bash(prettier *)'] }, 'Bash', line).decision, 'allow'));

for (const line of [
  'prettier --write test',
  'prettier --write src/a.ts src/lib',
  'prettier --check .',
  'prettier --write "test/**/*.ts"',
  'eslint .',
  'eslint --fix test',
  'ruff check .',
  'biome check',
  'isort -c src',
  'cargo fmt --check',
  'cargo fmt -- --check',
  'go fmt ./cmd/...',
  'goimports -l .',
  'stylua --check test',
  'gofmt -l .',
  'cd test && prettier --write .',
])
  test(`leaves it: ${line}`, () => assert.is(decideIn(develop('Edit(src/gen/**)'), 'Bash', line).decision, 'allow'));

for (const [rule, line, expected] of [
  ['Edit(src/gen/**)', 'sed -i s/a/b/ src/g*/x.ts', 'ask'],
  ['Edit(*.gen.ts)', 'prettier --write src', 'ask'],
  ['Edit(*.gen.ts)', 'go fmt ./...', 'allow'],
  ['Edit(*.sum)', 'prettier --write .', 'allow'],
  ['Edit(docs/*.rst)', 'prettier --write .', 'allow'],
  ['Edit(docs/*.md)', 'prettier --write .', 'ask'],
  ['Edit(src/gen/**)', 'prettier --write src/gen/a.ts', 'deny'],
  ['Edit(.env)', 'prettier --write .', 'allow'],
] as const)
  test(`${rule}: ${line}: ${expected}`, () => assert.is(decideIn(develop(rule), 'Bash', line).decision, expected));

test.run();
