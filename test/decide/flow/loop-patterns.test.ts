/** The variable of a loop over a pattern, without quotes: it is a file that the pattern stands for as long as no name would be taken apart. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const WORLD: World = { preset: 'safe' };
const decision = (world: World, line: string, shell: 'bash' | 'sh' | 'zsh' | 'bash-or-zsh' | 'union' = 'union') =>
  decideIn(world, 'Bash', line, { shell }).decision;
const quoted = (line: string) => line.replace(/(?<!")(\$[fd](?:\/[\w.]+)?)(?=[ ;)]|$)/g, '"$1"');

const passes = [
  'for f in src/*.ts; do wc -l $f; done',
  'for f in src/*.ts; do echo "== $f"; head -3 $f; done',
  'for f in src/*.ts; do grep -n foo $f | head; done',
  'for f in src/**/*.ts; do grep -l foo $f; done',
  'for f in *.md; do cat $f; done',
  'for f in *.md; do sort -u $f; done',
  'for d in packages/*/; do ls $d; done',
  'for d in packages/*; do jq -r .name $d/package.json; done',
  'for f in packages/*/package.json; do jq -r .name $f; done',
  'for f in src/*.ts; do n=$(wc -l < $f); echo "$n $f"; done',
  'for f in src/*; do git log -1 --format=%h -- $f; done',
];
for (const line of passes)
  for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const)
    test(`allowed in ${shell}: ${line}`, () => assert.is(decision(WORLD, line, shell), 'allow'));

const refused: readonly (readonly [line: string, why: string])[] = [
  ['for f in ../*; do cat $f; done', 'outside'],
  ['for f in /etc/*; do cat $f; done', 'outside'],
  ['for f in ~/*; do cat $f; done', 'outside'],
  ['for f in src/*; do cat ../$f; done', 'another folder'],
  ['for f in src/*; do cat $f/../../../etc/passwd; done', 'climbs'],
  ['for f in src/*; do cat $f/*; done', 'a pattern behind it'],
  ['for f in src/*; do cat $f$f; done', 'two of them'],
  ['for f in src/*; do $f; done', 'runs it'],
  ['for f in src/*; do sh $f; done', 'runs it'],
  ['for f in src/*; do bash < $f; done', 'runs it'],
  ['for f in src/*; do sh -c "cat $f"; done', 'read once more'],
  ['for f in src/*; do rm $f; done', 'deletes'],
  ['for f in src/*; do sort $f -o x; done', 'writes'],
  ['for f in src/*; do cat x > $f; done', 'writes'],
  ['for f in src/*; do cat <> $f; done', 'may write'],
  ['for f in src/*; do xargs -a $f cat; done', 'what it holds is read as names'],
  ['for f in src/*; do cd $f; cat x; done', 'another folder'],
  ['for f in src/*; do git -C $f status; done', 'another folder'],
  ['IFS=/; for f in src/*; do cat $f; done', 'taken apart'],
  ['for f in src/*; do IFS=/; cat $f; done', 'taken apart'],
  ['for f in src/*; do f=/etc/passwd; cat $f; done', 'another value'],
  ['f=src/*; cat $f', 'all of them, no loop'],
  ["for f in 'a b'/*; do cat $f; done", 'a blank in the pattern itself'],
  ["for f in 'a*'/*; do cat $f; done", 'a wildcard in the pattern itself'],
  ["for f in '-'*; do cat $f; done", 'options'],
  ["touch 'src/a b'; for f in src/*; do cat $f; done", 'makes such a name'],
  ["for f in src/*; do cat $f; touch 'src/a b'; done", 'makes such a name'],
];
for (const [line, why] of refused) test(`not allowed: ${line}: ${why}`, () => assert.is.not(decision(WORLD, line), 'allow'));

/** What facts say of the names, and the lines of those above that pass all the same. */
for (const [what, names, allowed] of [
  ['a blank or a quote', { odd: true }, []],
  ['a wildcard', { wild: true }, []],
  ['a leading hyphen', { leading: true }, passes.filter((line) => !line.includes('in *'))],
] as const)
  for (const line of passes)
    test(`${what}: ${line}`, () =>
      assert.is(decision({ ...WORLD, names }, line), allowed.some((one) => one === line) ? 'allow' : 'ask'));

test('where nothing is known of the names', () => {
  const world = { ...WORLD, facts: { names: { trees: {}, indexes: {}, folders: {} } } };
  for (const line of passes) assert.is(decision(world, line), 'ask', line);
});

test('the folder is asked for, and the tree where patterns stand for folders', () => {
  const plain = { odd: false, leading: false, wild: false, top: false };
  const world = (kind: 'folders' | 'trees', folder: string) => ({
    ...WORLD,
    facts: { names: { trees: {}, indexes: {}, folders: {}, [kind]: { [folder]: plain } } },
  });
  assert.is(decision(world('folders', '/repo/src'), 'for f in src/*.ts; do wc -l $f; done'), 'allow');
  assert.is(decision(world('folders', '/repo'), 'for f in src/*.ts; do wc -l $f; done'), 'ask');
  assert.is(decision(world('folders', '/repo/packages'), 'for d in packages/*/; do ls $d; done'), 'allow');
  assert.is(decision(world('folders', '/repo/packages'), 'for f in packages/*/a; do wc -l $f; done'), 'ask');
  assert.is(decision(world('trees', '/repo/packages'), 'for f in packages/*/a; do wc -l $f; done'), 'allow');
});

test('a secret is one with and without quotes', () => {
  const world = { ...WORLD, secrets: ['/repo/.env'] };
  for (const line of ['for f in .e*; do cat $f; done', 'for f in .en*; do cat < $f; done']) {
    assert.is(decision(world, line), 'ask', line);
    assert.is(decision(world, quoted(line)), 'ask', line);
  }
});

test('nothing passes without quotes that would not pass with them', () => {
  for (const [line] of [...passes.map((one) => [one] as const), ...refused]) {
    if (decision(WORLD, line) === 'allow') assert.is(decision(WORLD, quoted(line)), 'allow', quoted(line));
  }
  assert.is(quoted('for f in src/*; do cat $f; done'), 'for f in src/*; do cat "$f"; done');
});

test.run();
