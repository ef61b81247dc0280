/** What a line itself puts into words that only the shell would know meets the guards and the ask and deny rules, also below a total rule. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const TOTAL: World = { preset: 'all', allow: ['Bash(*)'], secrets: ['/repo/.env'] };

const rows: Readonly<Record<'deny' | 'ask' | 'allow', readonly string[]>> = {
  deny: [
    'f=.gi?; rm -rf $f',
    'f=.gi?; rm -rf ${f}',
    'f=.gi?; sudo rm -rf $f',
    'f=.gi?; if true; then rm -rf $f; fi',
    'for f in .gi?; do rm -rf $f; done',
    'for f in .gi?; do rm -rf "$f"; done',
    'a=(.gi?); rm -rf ${a[0]}',
    'a=(.gi?); rm -rf "${a[@]}"',
    'a=(.git b); rm -rf "${a[@]}"',
    'declare -a a=(.git b); rm -rf "${a[@]}"',
    'set -- .git; rm -rf "$@"',
    'set -- .gi?; rm -rf "$1"',
    'read f <<< .git; rm -rf $f',
    'printf -v f .git; rm -rf $f',
    'printf -v f %s .git; rm -rf $f',
    'rm -rf ${f:-.git}',
    'rm -rf "${f:-.git}"',
    'cd .git; touch x',
    '(cd .git; touch x)',
    'cd src; cd ../.git; timeout 5 touch x',
    'pushd .git; touch x; popd',
    'f=policy.ya*; echo > $f',
    'echo x > ${OUT:-.git/config}',
    'echo x | tee ${OUT:-.git/config}',
  ],
  ask: [
    'f=.en?; cat $f',
    'f=.en?; head < $f',
    'for f in .en?; do cat $f; done',
    'cd /repo; cat .env',
    'cd src; cat ../.en?',
    'a=(.e*); wc -l "${a[@]}"',
    'set -- .e*; cat "$@"',
    'cat ${F:-.env}',
    'x() { cat "$1"; }; x .en?',
  ],
  allow: [
    'cd src; ls',
    'cd build; make; rm -rf out',
    'cd src; npm test; cd ..; git status',
    'f=src/*; ls $f',
    'f=*.ts; cat $f',
    'for f in src/*; do cat $f; done',
    'for f in *.log; do rm $f; done',
    'for f in .gi?; do echo copy/$f; done',
    'a=(*.md); wc -l "${a[@]}"',
    'set -- *.md; cat "$@"',
    "msg='fix; rm .git'; echo $msg",
    'D=$(mktemp -d); rm -rf "$D"',
    'rm -rf "${BUILD_DIR:-build}"',
    'x() { rm -rf "$1"; }; x build',
    'f=\'.gi?\'; rm -rf "$f"',
    'rm -rf $f',
  ],
};

for (const [decision, lines] of Object.entries(rows)) {
  for (const line of lines) {
    test(`${line} → ${decision}`, () => {
      assert.is(decideIn(TOTAL, 'Bash', line).decision, decision);
    });
  }
}

test('a deny rule for a path meets what a line gives its commands', () => {
  const world: World = { ...TOTAL, deny: ['Write(kept/*)'] };
  assert.is(decideIn(world, 'Bash', 'a=(kept/x); touch "${a[0]}"').decision, 'deny');
  assert.is(decideIn(world, 'Bash', 'a=(kept/x); cat "${a[0]}"').decision, 'allow');
});

test('what a line gives its commands is no proof: a rule for the value alone allows nothing', () => {
  for (const line of ['a=(x); cat "${a[@]}"', 'set -- x; cat "$@"', 'cat ${F:-x}'])
    assert.is(decideIn({ allow: ['Bash(cat x)'] }, 'Bash', line).decision, 'ask');
});

test.run();
