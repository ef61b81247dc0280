/** Lines in which one command finds names of files and another one is given them, with the nearest ways to give it something else. */
import type { Random } from './random.js';

const ROOTS =
  'src|src|src docs|src/lib|.|test|docs|./src|src/|-- src|lib|outside|/repo/src|..|/repo/src/../docs|src/*|$PWD/src|'.split('|');
const TESTS =
  "||-name '*.ts'|-type f|-name a.ts|-maxdepth 1|-not -path './x/*'|-type f -o -name x|'(' -name a.ts -o -name b.ts ')'|-print|-print0|-print0|-printf '/etc/%f\\n'|-printf '%p -o x\\n'|-ls|-name x -o -print0|-follow|-empty"
    .concat(
      "|-print0 -o -print|-exec echo {} ';'|-fprint out/n.txt|-files0-from a.txt|-exec printf '%s /etc/x\\n' {} +|-depth|-delete",
    )
    .split('|');
const FILTERS =
  "||||sort|sort -u|sort -r|sort -z|uniq|uniq -c|sed s,^,/etc/,|sed 's/$/ -o x/'|sed -n p|awk '{print $1}'|awk '{print \"-n\", $0}'|sort -k1|uniq -u|sort -o out/n2.txt|sort -t/ -k2|env sort|timeout 5 sort|tee out/n3.txt"
    .concat('|sort a.txt|sort - a.txt|{ sort; }|(sort)|uniq -z|sort -zu')
    .split('|');
const READERS =
  'xargs|xargs|xargs|xargs -0|xargs -0|xargs -n1|xargs -r|xargs -n 2 -P 2|xargs -I{}|xargs -I %|xargs -i|xargs -t|xargs -d x|xargs -d "\\n"|xargs -0r|xargs -a a.txt|xargs -L1|nice xargs|timeout 5 xargs'
    .concat(
      '|env xargs|env -C docs xargs|xargs -0n1|xargs -s 200|xargs --null|xargs -E b.ts|xargs -d "\\0"|xargs xargs|xargs < a.txt|xargs -x|xargs --no-run-if-empty',
    )
    .split('|');
const GIVEN =
  'cat|cat|wc -l|wc -l --|grep -n x|grep -c x {}|head -5|head -5 {}|ls -la|sed -n 1p|sort|sort -o out/n4.txt|uniq|sed -i s/a/b/|sed|awk|rm|cp a.txt|P|echo|echo {} x|basename|dirname|stat {}|sh|sh -c cat|env cat|env|env -C docs cat'
    .concat(
      '|timeout 5 cat|nice cat|tee|find|xargs cat|git log --|git add|diff a.txt {}|grep -H x {} /dev/null|cat {} {}|cat ./{}|cat {}.txt|{}|touch {}|sort --compress-program|xargs -0 cat|file|du -sh|',
    )
    .split('|');
const ENDS = '{} +|{} ;|;|{} /dev/null ;|{} {} +|x{} ;|{} x +'.split('|');
const BEFORE = "||||cd src; |touch 'src/x /y'; |mkdir -p 'src/a b/c'; |ln -s /etc src/l; |for d in src docs; do |! ".split('|');

/** One line. */
export function nameLine(random: Random): string {
  const found = `find ${random.pick(ROOTS)} ${random.pick(TESTS)}`;
  const before = random.pick(BEFORE);
  const after = before.startsWith('for') ? '; done' : '';
  if (random.below(4) === 0) {
    const end = random.pick(ENDS).replace(/;$/, "';'");
    return `${before}${found} -exec ${random.pick(GIVEN)} ${end}${random.pick(['', '', ' | xargs cat', " -exec cat {} ';'"])}${after}`;
  }
  const filters = Array.from({ length: random.below(3) }, () => random.pick(FILTERS)).filter((filter) => filter !== '');
  const pipe = () => random.pick(['|', '|', '|', '|&', '| \\\n', '; ', '2>&1 |', '2>/dev/null |', '||']);
  const reader = `${random.pick(READERS)} ${random.pick(GIVEN)}`;
  return `${before}${[found, ...filters].map((part) => `${part} ${pipe()} `).join('')}${reader}${random.pick(['', '', '', ' | sort', ' > out/n5.txt'])}${after}`;
}
