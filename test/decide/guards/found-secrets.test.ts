/** Secrets beside the files whose names one command finds and another is given: which of them those names may lead to. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const decision = (world: World, line: string) => decideIn(world, 'Bash', line).decision;

/** A secret in the folder that git does not know: names of its index lead to none, whoever is given them by then. */
const IGNORED: World = { allow: ['Bash(*)'], secrets: ['/repo/.env'], names: { secret: false } };
const given: readonly (readonly ['allow' | 'ask', string, string])[] = [
  ['allow', "git ls-files '*.ts' | xargs npx eslint --fix", 'a program that may change anything, but not what it was given'],
  ['allow', 'git diff --name-only | grep ts | xargs prettier --write', 'the same behind a filter'],
  ['allow', 'git grep -l foo | xargs sed -i s/foo/bar/', 'what is searched is known by then'],
  ['ask', 'make; git ls-files | xargs eslint', 'another program before it'],
  ['ask', 'git ls-files | xargs eslint; git ls-files | xargs cat', 'the names of the second may be others'],
  ['ask', 'for i in 1 2; do git ls-files | xargs eslint; done', 'so may those of the next round'],
  ['ask', 'make | git grep foo', 'at the same time'],
  ['ask', 'git grep foo | head; make; git grep foo', 'before the second search'],
];
for (const [expected, line, why] of given)
  test(`${expected} over a secret that git does not know: ${line} (${why})`, () => assert.is(decision(IGNORED, line), expected));

test('a secret that git knows is found all the same', () => {
  assert.is(decision({ ...IGNORED, names: { secret: true } }, 'git ls-files | xargs eslint'), 'ask');
});

test('without a total rule a search is over when its line is', () => {
  const world: World = { ...IGNORED, allow: ['Bash(git grep *)', 'Bash(prettier --write *)'] };
  const { reasons } = decideIn(world, 'Bash', 'git grep -l foo | xargs prettier --write');
  assert.ok(reasons.some(({ code }) => code === 'secret/tree'));
});

/** A hidden secret beside the files that ripgrep finds, which passes such names over. */
const BESIDE: World = { preset: 'safe', allow: ['Bash(tee *)'], secrets: ['/repo/.env', '/repo/src/.keys/id_rsa'] };
const NOTHING_TAKEN_IN: World = { ...BESIDE, facts: { takenIn: { '/repo/.': [], '/repo/src': [] } } };
const passedOver: readonly (readonly [world: World, expected: 'allow' | 'ask', line: string, why: string])[] = [
  [NOTHING_TAKEN_IN, 'allow', 'rg -l x | xargs wc -l', 'a hidden file is no name that it prints'],
  [NOTHING_TAKEN_IN, 'allow', 'rg --files | head -5 | xargs cat', 'the same behind a filter'],
  [NOTHING_TAKEN_IN, 'allow', 'rg -l x src | xargs cat', 'the same in a hidden folder'],
  [NOTHING_TAKEN_IN, 'ask', 'rg --hidden -l x | xargs cat', 'here it is'],
  [NOTHING_TAKEN_IN, 'ask', "rg -l x -g '*env' | xargs cat", 'a pattern takes in what it fits'],
  [NOTHING_TAKEN_IN, 'ask', 'rg -l x -t ts | xargs cat', 'so does a type'],
  [NOTHING_TAKEN_IN, 'ask', 'rg -l x .env | xargs cat', 'and who names it'],
  [NOTHING_TAKEN_IN, 'ask', 'echo !.env | tee .ignore; rg -l x | xargs cat', 'a file of ignored names may be new'],
  [NOTHING_TAKEN_IN, 'ask', 'find . -type f | xargs cat', 'find passes nothing over'],
  [{ ...BESIDE, facts: { takenIn: { '/repo/.': ['.env'] } } }, 'ask', 'rg -l x | xargs cat', 'such a file takes it in'],
  [BESIDE, 'ask', 'rg -l x | xargs cat', 'nobody knows what such files take in'],
  [{ ...NOTHING_TAKEN_IN, secrets: ['/repo/id_rsa'] }, 'ask', 'rg -l x | xargs cat', 'it is not hidden'],
];
for (const [world, expected, line, why] of passedOver)
  test(`${expected} beside a hidden secret: ${line} (${why})`, () => assert.is(decision(world, line), expected));

test.run();
