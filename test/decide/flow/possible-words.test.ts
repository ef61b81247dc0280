/** A total rule runs lines unseen, but a name that a line puts together from its own texts is seen: each way of shells to do it, and its harmless neighbour. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const TOTAL: World = { allow: ['Bash(*)'], secrets: ['/repo/.env'] };

/** Lines with PATH for a protected or secret name and NAME for the same without its dot; the command is put before the word. */
const ways: readonly (readonly [before: string, word: string])[] = [
  // Quotes, braces and patterns.
  ['', "$'\\u002eNAME'"],
  ['', "{$'\\x2eNAME',x}"],
  ['', '{.,}{NAME,}'],
  ['shopt -s extglob\n', '.@(NAME|q)'],
  ['shopt -s dotglob; ', '?NAME'],
  // Expansions that may be empty.
  ['', '.${x}NAME'],
  ['', '.$1NAME'],
  ['', '.$@NAME'],
  ['', '.${x[0]}NAME'],
  ['', '.$(:)NAME'],
  ['', '.``NAME'],
  ['', '.${PWD:0:0}NAME'],
  // What is done to a value.
  ['x=PATHzz; ', '${x/zz/}'],
  ['x=.zNAMEz; ', '${x//z}'],
  ['x=zNAME; ', '${x/#z/.}'],
  ['x=PATHzz; ', '"${x%%z*}"'],
  ['x=zzPATH; ', '${x:2}'],
  ["x='$y'; y=PATH; ", '${x@P}'],
  ['x=y; y=PATH; ', '"${!x}"'],
  ['declare -n r=x; x=PATH; ', '$r'],
  // Where values come from.
  ['x=.; x+=NAME; ', '$x'],
  ['false || x=PATH; ', '$x'],
  ['x=a; for x in PATH; do :; done; ', '$x'],
  ['a=(PATH x); ', '"${a[@]:0:1}"'],
  ['a=(); a+=(PATH); ', '"${a[@]}"'],
  ['declare -A a=([k]=PATH); ', '${a[k]}'],
  ['declare -A a=([PATH]=1); ', '"${!a[@]}"'],
  ['a=(NAME); ', '"${a[@]/#/.}"'],
  ['printf -v x .%s NAME; ', '"$x"'],
  ['read x <<E\nPATH\nE\n', '"$x"'],
  ['export x=PATH; ', '$x'],
  ["eval 'x=PATH'; ", '$x'],
  ['[[ PATH =~ (.*) ]]; ', '${BASH_REMATCH[1]}'],
  ['f() { echo PATH; }; ', '$(f)'],
  ['x=$(printf .%s NAME); ', '"$x"'],
  ['', '$(echo .)NAME'],
];

const filled = (text: string, path: string) => text.replaceAll('PATH', path).replaceAll('NAME', path.slice(1));

for (const [before, word] of ways) {
  const lines = [
    `${filled(before, '.git')}rm -rf ${filled(word, '.git')}`,
    `${filled(before, '.git')}echo x > ${filled(word, '.git')}/config`,
    `${filled(before, '.env')}cat ${filled(word, '.env')}`,
    `${filled(before, '.env')}grep x < ${filled(word, '.env')}`,
  ];
  for (const line of lines) test(`not allowed: ${line}`, () => assert.is.not(decideIn(TOTAL, 'Bash', line).decision, 'allow'));
  // Both hold a pattern that may be anything.
  if (/glob|=~/.test(before)) continue;
  const harmless = `${filled(before, '.tmpx')}rm -rf ${filled(word, '.tmpx')}; cat ${filled(word, '.tmpx')}`;
  test(`allowed: ${harmless}`, () => assert.is(decideIn(TOTAL, 'Bash', harmless).decision, 'allow'));
}

const commands: readonly (readonly ['allow' | 'ask' | 'deny', string])[] = [
  ['deny', "x='rm -rf .git'; $x"],
  ['ask', `x='cat .env'; eval "$x"`],
  ['deny', 'a=(rm -rf .git); "${a[@]}"'],
  ['ask', "x=.git bash -c 'rm -rf $x'"],
  ['ask', 'find . -name .git -print0 | xargs -0 rm -rf'],
  ['allow', "x='rm -rf build'; $x"],
  ['allow', 'a=(npm test); "${a[@]}"'],
  ['allow', "x=build bash -c 'rm -rf $x'"],
  ['allow', "find . -name '*.o' -print0 | xargs -0 rm -f"],
  ['allow', "find . ! -name .git -name '*.o' -print0 | xargs -0 rm -f"],
  ['allow', 'x=$(mktemp -d); cp -r src "$x"; rm -rf "$x"'],
  ['allow', 'test -d .git; npm test > "$OUT"'],
  ['allow', 'ls node_modules; x=$(mktemp); npm test > "$x"'],
  ['allow', 'for d in packages/*; do (cd "$d" && rm -rf dist); done'],
  ['allow', 'git ls-files | while read -r f; do touch "$f"; done'],
];

for (const [expected, line] of commands)
  test(`${expected}: ${line}`, () => assert.is(decideIn(TOTAL, 'Bash', line).decision, expected));

test('behind very many words that only the shell knows, a line is asked about', () => {
  const line = Array.from({ length: 400 }, (_, at) => `rm "$x${at}"`).join('; ');
  assert.is(decideIn(TOTAL, 'Bash', line).decision, 'ask');
});

test.run();
