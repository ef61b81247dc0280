/** Lines that set variables in every way the shell knows, in every place, and use them: the engine follows some of them. */
import type { Random } from './random.js';

const NAMES = ['x', 'y', 'f'];
const PLAIN_VALUES = ['a.txt', 'b.txt', 'src/a.ts', 'k1', '"a.txt"', "'b.txt'", 'src', '1'];
const PLAIN_SETTINGS = [
  'X=V',
  'X=V',
  'X=V',
  'true',
  'ls src',
  'X=V y=V',
  'X=V; X=V',
  'cd src',
  'X=V >/dev/null',
  'X+=V',
  'read X < a.txt',
  'X=$(ls)',
  'unset X',
  'X=V true',
];
const PLAIN_USES = [
  'cat $X',
  'cat "$X"',
  'echo "$X"',
  'echo $X',
  'wc -l "$X"',
  'echo "a $X b"',
  'grep -n k "$X"',
  'ls "$X"',
  'ls > "out/$X"',
  'cat ./$X',
  'head -n 1 $X',
  'cat "src/$X"',
];
const VALUES =
  'a.txt|b.txt|src/a.ts|k1|k2|src|-n|-la|"a b"|\'a.txt b.txt\'|*.txt|"*.txt"|\'src/*.ts\'|~|"~"|a:~|{a.txt,b.txt}|\'{a,b}\'||""|$y|"$x"|${x}|$x.ts'
    .concat(
      '|$x$y|"$x/a.ts"|\\*|[ab].txt|"$(echo b.txt)"|$(ls)|$((1+1))|a.b.c|a,b|1+1|ABC|$\'b.txt\'|~/notes.txt|x|$?|$#|"$PWD"|\'$y\'|"\\$y"|P|a\\ b|.|..|=',
    )
    .split('|');

/** Ways in which a variable comes to a value, or loses it; `X` is its name, `V` a value. */
const SETTINGS =
  'X=V|X=V|X=V|X=V|X=V|X+=V|export X=V|readonly X=V|declare X=V|declare -u X=abc|declare -l X=ABC|declare -i X|unset X|read X < a.txt|read -r X y < b.txt'
    .concat(
      '|printf -v X V|mapfile -t X < a.txt|getopts ab X -a|let X=5|((X=5))|: ${X:=V}|: ${X=V}|X=(V k)|X[1]=V|X[0]=V|exec {X}> out/v.txt|local X=V|IFS=.|IFS=,|IFS=',
    )
    .concat(
      '|set -f|set -- V|shift|shopt -s nullglob|shopt -s lastpipe|X=V true|X=V :|X=V export y|X= |time X=V|! X=V|typeset X=V|export X|unset -v X|unset -f X|cd src|cd $X|cd "$X"',
    )
    .concat(
      '|X=V; X=V|X=V y=V|y=$X X=V|wait -n -p X|select X in V k; do break; done|for X in V V; do :; done|for X in V k; do true; done|for X; do :; done|while read X; do :; done < a.txt',
    )
    .concat(
      '|echo V | read X|echo "$(X=V)"|X=$(X=V; echo b.txt)|declare -n X=y|X=V command true|coproc X { true; }|trap "X=b.txt" DEBUG|HOME=V|PWD=V|OLDPWD=V|_=V|RANDOM=1|X=V env|set -a|umask 022',
    )
    .split('|')
    .filter((text) => text !== '');
/** `|` and what holds it cannot stand in the list above. */
const MORE_SETTINGS = [
  'X=V | cat',
  'true && X=V',
  'false && X=V',
  'true || X=V',
  'false || X=V',
  'X=V &',
  'X=V >/dev/null',
  '{ X=V; } | cat',
  'X=V || X=V',
  'X=V && X=V',
];

const USES =
  'cat $X|cat "$X"|ls $X|ls "$X"|head -n 1 $X|cat ./$X|cat "src/$X"|cat $X b.txt|echo $X|echo "$X"|echo "a $X b"|grep k $X|grep -n "$X" a.txt|wc -l ${X}|cat "${X}"|cat $X$y|cat "$X""$y"'
    .concat(
      '|cat $X*|cat src/*$X|ls -l $X|sort $X|cat -- $X|cat ${X}.txt|cat $X < $X|cat < $X|ls > out/$X|ls > "out/$X.txt"|P $X|$X|git diff $X|git log -1 -- $X|echo \'$X\'|echo \\$X|cd $X; cat a.ts|cd "$X" && ls',
    )
    .concat(
      '|diff $X $y|test -f $X|[ -n "$X" ]|[[ -f $X ]]|case $X in a*) ls "$X";; esac|sed -n 1p $X|find $X -name a.ts|find . -name "$X"|cat ~$X|cat {$X,b.txt}|for f in $X; do cat $f; done|for f in "$X"; do cat "$f"; done',
    )
    .concat(
      '|env A=$X cat a.txt|timeout 5 cat $X|nice cat "$X"|echo $X $X|printf %s $X|printf "%s" "$X"|cat $"$X"|cat "$X"\'$X\'|cat ${X:-b.txt}|cat ${X%.txt}|echo ${#X}|cat $1|cat "$@"|echo "$X" P|(cat $X)|bash -c "cat $X"|cat $X &',
    )
    .split('|')
    .map((text) => text.replace('P|', 'P'));

/** Ways to put statements together; `1`, `2`, `3` stand for them. */
const FRAMES = [
  ...[
    '1; 2',
    '1; 2',
    '1; 2',
    '1; 2; 3',
    '1; 2; 3',
    '1 && 2',
    '1\n2',
    '1 && 2 && 3',
    '1; 2 && 3',
    '1 || 2; 3',
    '{ 1; }; 2',
    '(1); 2',
    '(1; 2); 3',
    '{ 1; 2; }; 3',
  ],
  ...[
    'if true; then 1; fi; 2',
    'if 1; then 2; else 3; fi',
    'if test -f a.txt; then 1; else 2; fi; 3',
    'for f in a.txt b.txt; do 1; 2; done',
    'for x in a.txt k; do 1; 2; done',
  ],
  ...[
    '1; for y in a b; do 2; 3; done',
    '1; while false; do 2; done; 3',
    '1; for f in a b; do 3; 2; done',
    'for x in a.txt b.txt; do 3; 1; done; 3',
    '1; g() { 2; }; 3; g; 3',
  ],
  ...[
    '1 | cat; 2',
    '1; 2 | cat; 3',
    '1 & 2',
    '1; { 2; } | cat; 3',
    '1; echo "$(2)"; 3',
    '1; (2); 3',
    'case k in k) 1;; *) 2;; esac; 3',
    '1; case a in b) 2;; esac; 3',
    'x=a.txt; 2; 3',
  ],
  ...[
    '1; true && 2; 3',
    '1; false || 2; 3',
    '1; ! 2; 3',
    'for x in a.txt b.txt; do for y in k1 k2; do 1; 3; done; done',
    'for x in a.txt b.txt; do 3; break; done; 3',
    '1; for x in; do 2; done; 3',
  ],
  ...[
    'while read -r x; do 3; 1; done < a.txt; 3',
    '1; until true; do 2; done; 3',
    'for f in 1; do 3; done',
    'cat a.txt | while read x; do 1; 3; done; 3',
    '1; { 2; 3; } > /dev/null',
  ],
];

/** One line of settings and uses. */
export function variableLine(random: Random): string {
  const name = () => random.pick(NAMES);
  // Mostly plain, so that many lines are allowed and one odd thing among plain ones counts.
  const value = () => random.pick(random.chance(70) ? PLAIN_VALUES : VALUES);
  const odd = () => random.pick(random.chance(88) ? SETTINGS : MORE_SETTINGS);
  const setting = () => (random.chance(55) ? random.pick(PLAIN_SETTINGS) : odd()).replace(/V/g, value);
  const use = () => random.pick(random.chance(60) ? PLAIN_USES : USES);
  const main = name();
  const own = (text: string) => text.replace(/X/g, () => (random.chance(80) ? main : name()));
  const frame = random.pick(FRAMES);
  return frame.replace(/[123]/g, (place) => {
    const isUse = place === '3' || (place === '2' && (!frame.includes('3') || random.chance(30)));
    return own(isUse ? use() : setting());
  });
}
