/** Lines for the programs that are real in the sandbox: launchers, and tools with a language in which a command or a write can hide. */
import type { Random } from './random.js';

const SED_ADDRESSES = '||||1|$|1,3|/a/|/a/I|\\,a,|0~2|1!|/a/,/b/|2,$!|/[/]/|0,/a/|/a\\/b/|1 '.split('|');
const SED_COMMANDS = [
  ...[
    'p',
    'd',
    '=',
    'q',
    'q1',
    'l',
    'n',
    'N',
    'D',
    'G',
    'h',
    'x',
    'z',
    'F',
    'b',
    't',
    ':l',
    'bl',
    'y/ab/cd/',
    'a text',
    'a\\',
    'i\\\nP',
  ],
  ...[
    's/a/b/',
    's/a/b/gp',
    's,a,b,2',
    's/a/P 1/e',
    's/a/b/w out/sed1.txt',
    's|a|b|pw out/sed2.txt',
    's/a/b/;e P',
    's/[/]/x/',
    's/a/b/I',
  ],
  ...[
    'e P',
    'e',
    'w out/sed3.txt',
    'W out/sed4.txt',
    'r a.txt',
    'R a.txt',
    'c\\x',
    '{p',
    '}',
    '{p;e P\n}',
    '{s/a/b/}',
    '# e P',
    '#n',
    '1p;}',
  ],
  ...[
    's/a\\/b/c/e',
    's/a/b\\\nc/',
    's/\\n/x/',
    'y/\\//x/',
    's/x/y/m',
    'a e P',
    'a\\\ne P',
    'w/dev/stdout',
    'wout/sed5.txt',
    'eP',
    's/.*/P/ep',
  ],
];
const SED_OPTIONS =
  '|||-n|-n|-E|-s|-z|-nE|-u|--quiet|--posix|-i|-i.bak|--in-place|-ni|-l 5|--sandbox|--debug|-r|--null-data|--line-length=5'
    .concat('|--in-pl|-En|--expr p|-f run.sh|--file=run.sh|-nf run.sh')
    .split('|');

const AWK_PATTERNS = '|||BEGIN|END|/a/|NR==1|$1=="a"|NR>1|!/x/|/a>b/|/"/|$1 ~ /a|b/|NR==1,NR==2'.split('|');
const AWK_ACTIONS = [
  ...[
    '{print}',
    '{print $1}',
    '{printf "%s\\n", $1}',
    '{print > "out/awk1.txt"}',
    '{print | "P 1"}',
    '{system("P 2")}',
    '{"P 3" | getline}',
  ],
  ...[
    '{getline x < "a.txt"; print x}',
    '{print $1 > $2}',
    '{x = $1 > 2}',
    '{print ($1 > 2)}',
    '{print "a" "b"}',
    '{print "|" "P"}',
    '',
  ],
  ...[
    '{gsub(/a/, "b"); print}',
    '{print $1, $2 >> "out/awk2.txt"}',
    '{print "\\"" > "out/awk3.txt"}',
    '{n++} END {print n}',
    '{print length}',
  ],
  ...[
    '{ if ($1 > 1) print }',
    '{print $1 # > "out/x"\n}',
    '{print substr($0, 1, 2)}',
    '{print a[1]}',
    '{c = "P 4"; c | getline y}',
    '{close("P")}',
  ],
  ...[
    '{print /x/ ? "a" : "b"}',
    '{print $1 / 2 / 1}',
    '{print "a\\\\" > "out/awk4.txt"}',
    '{fflush()}',
    '{print toupper($1)}',
    '{print;print|"P 5"}',
  ],
];
const AWK_OPTIONS = '||||-F:|-F :|-v x=1|-f run.sh|--|-F\\t|-vx=1|-W version|-Wexec=run.sh'.split('|');

const FIND_PARTS =
  '-print|-print0|-ls|-name *.ts|-type f|-maxdepth 1|-prune|-o|!|( -name a.ts )|-quit|-newer a.txt|-size +1|-empty|-path x|-true'
    .concat(
      '|-delete|-fls out/f1.txt|-fprint out/f2.txt|-fprintf out/f3.txt %p|-fprint0 out/f4.txt|-exec P {} ;|-exec cat {} +|-execdir P {} ;|-ok P {} ;',
    )
    .concat(
      '|-exec sh -c P ;|-exec ls {} ; -exec P {} ;|-printf %p|-regex .*|-exec echo {}/x ;|-exec P a{}b {} ;|-depth|-not|-a|,|-files0-from a.txt|-follow',
    )
    .split('|');

const SORT_OPTIONS =
  '|-u|-n|-r|-k2|-t:|-k 1,1|-o out/so1.txt|-oout/so2.txt|--output=out/so3.txt|--ou out/so4.txt|-nro out/so5.txt|-T /tmp|-S 1k|--parallel=2'
    .concat(
      '|--compress-program=P|--comp P|--files0-from=a.txt|-m|-c|-C|--key=1|--buffer-size=1k|-uo out/so6.txt|-t o|-to|-k1o|--|-h|-V|-s|-z|-b|-R',
    )
    .split('|');

const UNIQ =
  'a.txt|-c a.txt|a.txt out/u1.txt|- out/u2.txt|-f 1 a.txt|-f1 a.txt out/u3.txt|--count -- a.txt out/u4.txt|-d|-w 5 a.txt|--skip-fields=1 a.txt out/u5.txt'
    .concat('|-s 1 a.txt|-u a.txt|-D a.txt|--all-repeated=none a.txt|-cd a.txt|-z a.txt out/u6.txt|--group a.txt')
    .split('|');

const LAUNCHERS =
  'env -i|env -u A|env -uA|env --unset=A|env -Csrc|env -C src|env --ch=src|env -|env A=1 B=2|env -- A=1|env -v|env --ignore-environment|env -iu A'
    .concat(
      '|timeout -s KILL 5|timeout -sKILL 5|timeout --kill-after 3 5|timeout --kill-after=3 5|timeout --fore 5|timeout -v 5|timeout -pk1 5|timeout 5 --',
    )
    .concat(
      '|nice --adjustment=5|nice -n5|nice -5|nice --5|nice -n 5 --|stdbuf -o L|stdbuf --output=L|stdbuf -oL -eL|setsid -w|setsid -f|nohup --|nohup',
    )
    .concat(
      '|flock a.txt|flock -n a.txt|flock -w 1 a.txt|flock -x -n a.txt|flock out/lock.txt|xargs -a a.txt|xargs -n1 -a a.txt|xargs --arg-file=a.txt',
    )
    .concat(
      '|xargs -I% -a a.txt|xargs -i -a a.txt|xargs -tn1 -a a.txt|xargs -0 -a a.txt|xargs -P2 -L1 -a a.txt|xargs -d x -a a.txt|xargs --max-args=1 -a a.txt',
    )
    .concat(
      '|xargs -ra a.txt|xargs -E b -a a.txt|xargs -e -a a.txt|xargs -l -a a.txt|xargs --replace -a a.txt|xargs --process-slot-var=A -a a.txt|xargs -s 99 -a a.txt',
    )
    .concat('|command|command -p|builtin|exec|exec -c|time -p|time|! time|env env|nice nice|timeout 5 nice env')
    .split('|');
const LAUNCHED =
  'P 1|cat a.txt|ls {}|git status|echo % {}|-S "P 2"|-c "P 3"|cat -- a.txt|sort -o out/l.txt|A=1 P 4|-- P 5|5 P 6|sh -c P|sed -n p a.txt'.split(
    '|',
  );

/** One line; its operands stand in single quotes where the shell would read them. */
export function toolLine(random: Random): string {
  const file = () => random.pick(['a.txt', 'b.txt', 'src/a.ts', '- < a.txt', 'README.md a.txt']);
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const some = (list: readonly string[], most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(list));
  switch (random.below(7)) {
    case 0: {
      const script = some(SED_COMMANDS, 3).map((command) => random.pick(SED_ADDRESSES) + command);
      const text = script.join(random.pick([';', '\n', '; ', ' ;']));
      const given = random.pick([
        quoted(text),
        quoted(text),
        `-e ${quoted(text)}`,
        `--expression=${quoted(text)}`,
        script.map((one) => `-e ${quoted(one)}`).join(' '),
      ]);
      return `sed ${random.pick(SED_OPTIONS)} ${given} ${file()}`;
    }
    case 1: {
      const program = some(AWK_ACTIONS, 2).map((action) => `${random.pick(AWK_PATTERNS)} ${action}`);
      return `awk ${random.pick(AWK_OPTIONS)} ${quoted(program.join(random.pick(['; ', '\n', ' '])))} ${file()}`;
    }
    case 2: {
      const words = some(FIND_PARTS, 4).join(' ').split(' ');
      return `find ${random.pick(['src', '.', 'src docs', ''])} ${words.map((word) => (/[*;()!,{}]/.test(word) && word !== '{}' ? quoted(word) : word)).join(' ')}`;
    }
    case 3:
      return `sort ${some(SORT_OPTIONS, 3).join(' ')} ${file()}${random.pick(['', '', ' -o out/so7.txt', ' -u'])}`;
    case 4:
      return `uniq ${random.pick(UNIQ)}${random.pick(['', '', '', ' < a.txt'])}`;
    default:
      return `${some(LAUNCHERS, 2).join(' ')} ${random.pick(LAUNCHED)}`;
  }
}
