/**
 * Lines that only read, nested deeply: most of them are allowed, so one odd thing in one of them counts (see neighbours.ts).
 */
import type { Random } from './random.js';
import { FILES, FOLDERS, type Production, QUOTED } from './vocabulary.js';

type Risk = 'none' | 'arithmetic' | 'process' | 'place' | 'text' | 'names';

const RISKS: readonly (readonly [weight: number, risk: Risk])[] = [
  [45, 'none'],
  [13, 'arithmetic'],
  [13, 'process'],
  [8, 'place'],
  [9, 'text'],
  [12, 'names'],
];

/** Makes one line; remembers what it was made of. */
export class ReaderLine {
  readonly used = new Set<Production>();
  private serial = 0;
  private depth = 0;
  /** Words that stand for a variable whose value is known or harmless here. */
  private names: string[] = [];
  private pending: string[] = [];

  /** What is often asked about stands in a line together with plain reads only, so that it can be seen to be allowed. */
  private readonly risk: Risk;

  constructor(private readonly random: Random) {
    this.risk = random.weighted(RISKS);
  }

  /** A whole line. */
  line(): string {
    return this.script();
  }

  private use(production: Production): void {
    this.used.add(production);
  }

  private key(): string {
    return `k${++this.serial}`;
  }

  /** Commands one behind the other, then the texts of their here-documents. */
  private script(): string {
    this.depth++;
    const outer = this.pending;
    this.pending = [];
    let text = this.command();
    const more = this.random.weighted([
      [50, 0],
      [32, 1],
      [12, 2],
      [6, 3],
    ]);
    for (let i = 0; i < more; i++) {
      this.use('list');
      const bodies = this.random.chance(25) ? this.bodies() : '';
      text +=
        bodies === '' ? this.random.pick([' && ', '; ', ' || ', '\n', ' ;\n', ' &&\n']).replace(/\n/, this.newline()) : bodies;
      text += this.command();
    }
    text += this.bodies();
    this.pending = outer;
    this.depth--;
    return text;
  }

  /** A newline may only stand where no here-document waits for it. */
  private newline(): string {
    return this.pending.length > 0 ? ' ' : '\n';
  }

  private bodies(): string {
    const text = this.pending.length === 0 ? '' : `\n${this.pending.join('')}`;
    this.pending = [];
    return text;
  }

  private inner(): string {
    const script = this.script();
    return script.endsWith('\n') ? script : `${script}; `;
  }

  private command(): string {
    const { random } = this;
    if (this.depth > 4) return this.simple();
    return random.weighted<() => string>([
      [42, () => this.simple()],
      [16, () => this.pipe()],
      [5, () => this.as('group', `{ ${this.inner()}}${this.after()}`)],
      [5, () => this.as('subshell', `(${this.script().replace(/\n$/, '\n')})${this.after()}`)],
      [9, () => this.loop()],
      [5, () => this.condition()],
      [4, () => this.choice()],
      [5, () => this.moved()],
      [4, () => this.assigned()],
      [2, () => this.as('negation', `! ${this.simple()}`)],
      [3, () => this.test()],
    ])();
  }

  private as(production: Production, text: string): string {
    this.use(production);
    return text;
  }

  private after(): string {
    return this.random.chance(20) ? this.redirection() : '';
  }

  private redirection(): string {
    return this.as(
      'redirection',
      this.random.pick([
        ' 2>/dev/null',
        ' 2>&1',
        ' >/dev/null',
        ' < a.txt',
        ` > out/${this.key()}.txt`,
        ' 2>/dev/null >&2',
        ' 2>&-',
      ]),
    );
  }

  private pipe(): string {
    this.use('pipe');
    let text = this.random.chance(75) ? this.simple() : this.command();
    for (let i = 1 + this.random.below(3); i > 0; i--) text += this.random.pick([' | ', '|', ' | ', ' |& ']) + this.filter();
    return text;
  }

  private filter(): string {
    return this.random.pick([
      'head -n 5',
      'wc -l',
      'sort -u',
      'uniq -c',
      'cat',
      `grep -n ${this.key()}`,
      'cut -d: -f1',
      "sed -n '1,5p'",
      'tr a b',
      `while read -r x; do echo "$x" ${this.key()}; done`,
      'tail -n 2 2>/dev/null',
      'tee /dev/null',
      '(head -n 1; cat)',
      '{ head -n 1; wc -l; }',
    ]);
  }

  private loop(): string {
    this.use('loop');
    const { random } = this;
    const kind = random.below(6);
    if (kind === 0) return `while read -r x; do ${this.bodyWith('x')}done < ${random.pick(FILES)}`;
    if (kind === 1)
      return `${random.pick(['while', 'until'])} ${random.pick(['false', '[ -e nope ]', 'test -f nope'])}; do ${this.inner()}done`;
    if (kind === 2) {
      this.use('glob');
      this.use('glob-loop');
      return `for f in ${random.pick(['src/*.ts', './*.md', '*.txt', 'docs/*.md', 'src/[ab].ts', 'src/?.ts', 'nope/*.x'])}; do ${this.bodyWith('f')}done`;
    }
    if (kind === 3)
      return `for i in ${this.as('brace', random.pick(['{1..3}', '{a,b}', 'src/{a,b}.ts']))}; do ${this.bodyWith('i')}done`;
    if (kind === 4) return `for f in $(${this.as('substitution', this.nested())}); do ${this.bodyWith('f')}done`;
    return `for f in ${random.pick(FILES)} ${random.pick(FILES)}\ndo ${this.bodyWith('f')}done${this.after()}`;
  }

  private bodyWith(name: string): string {
    this.names.push(name);
    const text = this.inner();
    this.names.pop();
    return text;
  }

  private condition(): string {
    const end = this.random.chance(40) ? `else ${this.inner()}` : '';
    return this.as('condition', `if ${this.simple()}; then ${this.inner()}${end}fi${this.after()}`);
  }

  private choice(): string {
    const pattern = this.random.pick(['k*', '*', 'a|b', '"x y"', '[ab]*', 'k?']);
    return this.as('case', `case ${this.text()} in ${pattern}) ${this.script()} ;; *) ${this.simple()} ;; esac`);
  }

  private moved(): string {
    const folder = this.random.pick(FOLDERS);
    return this.as('cd', `cd ${folder}${this.random.pick([' && ', ' && ', '; ', ' || ', ' 2>/dev/null && '])}${this.command()}`);
  }

  /** A variable of the line's own, then a command that may use it. */
  private assigned(): string {
    this.use('assignment');
    const name = this.random.pick(['x', 'y', 'n']);
    const value = this.random.weighted<() => string>([
      [4, () => this.random.pick(FILES)],
      [2, () => `"$(${this.as('substitution', this.nested())})"`],
      [2, () => `$(${this.as('substitution', this.nested())})`],
      [1, () => this.as('quoting', this.random.pick(QUOTED))],
      [this.risk === 'arithmetic' ? 6 : 0, () => this.arithmetic()],
    ])();
    this.names.push(name);
    const text = `${name}=${value}${this.random.pick(['; ', ' && ', '; '])}${this.command()}`;
    this.names.pop();
    return text;
  }

  private test(): string {
    this.use('test');
    return this.random.weighted<() => string>([
      [1, () => '[ -f a.txt ]'],
      [1, () => `[ ${this.text()} = k ]`],
      [1, () => '[[ -d src ]]'],
      [1, () => `test -n ${this.text()}`],
      [1, () => '[[ a == b* ]]'],
      [1, () => '[ 1 -lt 2 ]'],
    ])();
  }

  private simple(): string {
    const { random } = this;
    let text = this.plain();
    if (random.chance(12))
      text = this.as(
        'wrapper',
        `${random.pick(['timeout 5', 'nice -n 5', 'env', 'command', 'time', 'stdbuf -oL', 'nohup'])} ${text}`,
      );
    if (random.chance(14)) text += this.redirection();
    if (random.chance(this.risk === 'text' ? 30 : 2)) text += this.as('here-string', ` <<< ${this.text()}`);
    if (random.chance(7)) text += this.hereDoc();
    if (random.chance(5)) text = this.as('continuation', text.replace(' ', random.pick([' \\\n', '\\\n '])));
    return text;
  }

  private hereDoc(): string {
    this.use('here-doc');
    const word = `E${this.key()}`;
    const quoted = this.random.chance(60);
    const lines = ['text', this.random.pick(['P hidden', "it's", '"', '# x', 'done', ')', '`', '$(P)'])].filter(
      (line) => quoted || !/[`$]/.test(line),
    );
    this.pending.push(`${lines.join('\n')}\n${word}\n`);
    return ` <<${quoted ? `'${word}'` : word}`;
  }

  /** A command that reads, with its operands. */
  private plain(): string {
    const file = () => this.file();
    const text = () => this.text();
    return this.random.weighted<() => string>([
      [6, () => `cat ${file()}`],
      [4, () => `ls ${this.random.pick(['', '-la ', '-1 '])}${file()}`],
      [3, () => `head -n ${this.risk === 'arithmetic' && this.random.chance(40) ? this.arithmetic() : 5} ${file()}`],
      [3, () => `wc -l ${file()}`],
      [4, () => `grep -n ${this.key()} ${file()}`],
      [3, () => `sort ${file()}`],
      [8, () => `echo ${text()} ${text()}`],
      [4, () => `printf '%s\\n' ${text()}`],
      [2, () => `diff ${file()} ${file()}`],
      [
        this.risk === 'process' ? 25 : 0,
        () => `${this.random.pick(['cat', 'comm -12', 'wc -l', 'paste', 'diff'])} ${this.process()} ${this.process()}`,
      ],
      [3, () => `git ${this.random.pick(['status', 'log --oneline -5', 'diff --stat', 'status -sb', 'rev-parse HEAD'])}`],
      [this.risk === 'names' ? 30 : 1, () => this.namesGiven()],
      [2, () => `sed -n ${this.random.pick(['1,5p', "'s/a/b/p'", "'/x/p'"])} ${file()}`],
      [1, () => this.random.pick(['pwd', 'date', 'true', ':', 'whoami', 'uname -a'])],
      [2, () => `find src -name ${this.random.pick(["'*.ts'", 'k.ts', '"?.ts"'])}`],
      [2, () => `P ${this.key()}`],
    ])();
  }

  /** Names that one command finds, given to another. */
  private namesGiven(): string {
    this.use('names');
    this.use('wrapper');
    const reader = this.random.pick(['cat', 'wc -l', `grep -n ${this.key()}`, 'head -n 1', 'ls -l', 'sort', 'cat --', 'wc -c']);
    const finder = this.random.pick([
      "find src -name '*.ts'",
      `grep -rl ${this.key()} src`,
      'find docs -type f',
      "find src -name '*.ts' | sort",
      'git ls-files src',
    ]);
    return this.random.pick([
      `${finder} | xargs ${reader}`,
      `${finder} | xargs -n1 ${reader}`,
      `${finder} | xargs -I{} ${reader} {}`,
      `find src -type f -print0 | xargs -0 ${reader}`,
      `find src -name '*.ts' -exec ${reader} {} +`,
      `find src docs -type f -exec ${reader} {} \\;`,
      `find . -name a.txt -exec ${reader} {} ';'`,
    ]);
  }

  private process(): string {
    if (this.depth > 3) return this.random.pick(FILES);
    if (this.random.chance(20)) return this.random.pick(FILES);
    return this.as('process-substitution', `<(${this.nested()})`);
  }

  private arithmetic(): string {
    this.use('arithmetic');
    const name = this.names.at(-1);
    const plain = [
      '$((1+2))',
      '"$((3 * 4))"',
      '$(( 10 / 2 ))',
      '$((2**3))',
      '$((1<2))',
      '$((0x1f))',
      '"$(( (1 + 2) * 3 ))"',
      '$((7 % 3))',
    ];
    return this.random.pick(name === undefined ? plain : [...plain, `$((${name}+1))`, `"$(($${name} + 1))"`]);
  }

  /** A script inside another one, all on one line. */
  private nested(): string {
    this.depth++;
    const text = this.depth > 4 ? this.plain() : this.random.chance(60) ? this.simpleOnOneLine() : this.pipe();
    this.depth--;
    const bodies = this.bodies();
    return bodies === '' ? text : text + bodies;
  }

  private simpleOnOneLine(): string {
    const outer = this.pending;
    this.pending = [];
    const text = this.simple();
    const bodies = this.bodies();
    this.pending = outer;
    return text + bodies;
  }

  /** An operand that is a file. */
  private file(): string {
    const name = this.names.at(-1);
    const { random } = this;
    return random.weighted<() => string>([
      [
        name === undefined ? 0 : 8,
        () => this.as('parameter', random.pick([`"$${name}"`, `"\${${name}}"`, `"./$${name}"`, `"src/$${name}"`])),
      ],
      [6, () => random.pick(FILES)],
      [3, () => `src/${this.key()}.ts`],
      [2, () => this.as('glob', random.pick(['src/*.ts', './*.md', 'docs/g*.md', 'src/?.ts', 'test/*', '*.txt', 'src/*/c.ts']))],
      [1, () => this.as('brace', random.pick(['src/{a,b}.ts', '{a,b}.txt']))],
      [1, () => this.as('quoting', random.pick(["'a.txt'", '"src/a.ts"', "src/'a'.ts", 'src/a\\.ts', "$'a.txt'", '"a b"']))],
      [this.risk === 'place' ? 6 : 0, () => this.as('tilde', random.pick(['~/notes.txt', 'a~', '~+']))],
    ])();
  }

  /** A word that is only shown or compared. */
  private text(): string {
    const name = this.names.at(-1);
    const { random } = this;
    return random.weighted<() => string>([
      [4, () => this.key()],
      [4, () => this.as('quoting', random.pick(QUOTED))],
      [
        this.depth > 4 ? 0 : 5,
        () => this.as('substitution', random.pick([`"$(${this.nested()})"`, `"pre $(${this.nested()}) post"`])),
      ],
      [
        name === undefined ? 0 : 6,
        () => this.as('parameter', random.pick([`"$${name}"`, `$${name}`, `"a $${name} b"`, `"\${${name}}.x"`])),
      ],
      [3, () => this.as('status', random.pick(['$?', '"$?"', '"exit $?"', '$#']))],
      [2, () => this.as('parameter', random.pick(['"$HOME"', '"$PWD"', '"$USER"', '"${HOME}/x"']))],
      [this.risk === 'arithmetic' ? 16 : 0, () => this.arithmetic()],
      [this.risk === 'text' ? 6 : 0, () => this.as('glob', random.pick(['src/*.ts', './*.md']))],
      [1, () => this.as('brace', random.pick(['{a,b}', 'x{1..3}']))],
    ])();
  }
}
