/** A grammar of command lines as people and agents write them; every construct that it uses is noted as a production. */
import type { Random } from './random.js';
import { FILES, FOLDERS, GLOBS, MOVES, PALETTE, type Production, QUOTED, STATE, WRAPPERS } from './vocabulary.js';

/** Makes one line; remembers what it was made of. */
export class Grammar {
  readonly used = new Set<Production>();
  private readonly palette: ReadonlySet<Production>;
  private depth = 0;
  private serial = 0;
  /** Loops around the current place, whose variable `f` words may use. */
  private loops = 0;
  /** Here-documents wait for the end of their line. */
  private pending: string[] = [];

  constructor(private readonly random: Random) {
    const palette = new Set<Production>();
    const size = random.weighted([
      [30, 1],
      [40, 2],
      [20, 3],
      [10, 5],
    ]);
    while (palette.size < size) palette.add(random.weighted(PALETTE));
    this.palette = palette;
  }

  /** A whole line. */
  line(): string {
    let text = this.script(true);
    if (this.may('comment', 70)) text = `${text}${this.random.pick([' # note', ' #', '\n# P note', " # it's"])}`;
    if (this.may('background', 60)) text = `${text} &`;
    return text;
  }

  /** A construct of the palette, some of the time. */
  private may(production: Production, percent: number): boolean {
    if (!this.palette.has(production) || !this.random.chance(percent)) return false;
    this.used.add(production);
    return true;
  }

  /** A list of commands with the here-documents that they opened. */
  private script(must = false): string {
    this.depth++;
    const outer = this.pending;
    this.pending = [];
    let text = this.pipeline();
    const more = this.may('list', 80) || (must && this.random.chance(8)) ? 1 + this.random.below(3) : 0;
    for (let i = 0; i < more; i++) {
      // The text of a here-document starts behind the next newline, so the list goes on in the same line.
      const separator = this.random.pick([' && ', '; ', ' || ', '\n', ' ;\n', '&&']);
      const bodies = separator.includes('\n') ? this.bodies() : '';
      if (bodies === '') text += separator + this.pipeline();
      else text += `${bodies}${this.pipeline()}`;
    }
    const bodies = this.bodies();
    this.pending = outer;
    this.depth--;
    return text + bodies.replace(/\n$/, this.depth > 0 ? '\n' : '');
  }

  private bodies(): string {
    const text = this.pending.length === 0 ? '' : `\n${this.pending.join('')}`;
    this.pending = [];
    return text;
  }

  private pipeline(): string {
    let text = this.command();
    if (this.may('negation', 60)) text = `! ${text}`;
    if (!this.may('pipe', 80)) return text;
    const length = 1 + this.random.below(2);
    for (let i = 0; i < length; i++) text += this.random.pick([' | ', '|', ' |& ']) + this.filter();
    return text;
  }

  /** A command that reads its standard input. */
  private filter(): string {
    if (this.depth < 3 && this.random.chance(12)) return this.command();
    return this.random.pick([
      'head -n 5',
      'wc -l',
      'sort',
      'uniq -c',
      'cat',
      `grep -n k${++this.serial}`,
      'cut -d: -f1',
      'tail -3',
      'sort -u',
      "sed -n '1,5p'",
      'tr a b',
      `P k${++this.serial}`,
    ]);
  }

  /** A simple or compound command. */
  private command(): string {
    if (this.depth > 4) return this.simple();
    if (this.may('group', 60)) return `{ ${this.ended(this.script())} }${this.after()}`;
    if (this.may('subshell', 60)) return `(${this.random.pick(['', ' '])}${this.script()})${this.after()}`;
    if (this.may('loop', 60)) return this.loop();
    if (this.may('condition', 60)) return this.condition();
    if (this.may('case', 60)) return this.choice();
    if (this.may('function', 50)) return this.functionCall();
    if (this.may('test', 50)) return this.test();
    if (this.may('arithmetic', 30)) return this.random.pick(['(( 1 + 2 ))', '((1))', 'let i=1', '(( i = 2 ))']);
    if (this.may('state', 50)) return `${this.random.pick(STATE)}${this.random.pick(['; ', ' && ', '\n'])}${this.pipeline()}`;
    if (this.may('cd', 60))
      return `cd ${this.random.pick(this.random.chance(75) ? FOLDERS : MOVES)}${this.random.pick([' && ', '; ', ' && ', ' || '])}${this.pipeline()}`;
    return this.simple();
  }

  /** A redirection behind a compound command. */
  private after(): string {
    return this.may('redirection', 50) ? this.redirection() : '';
  }

  /** A list as it must stand before `}`, `done` and the like. */
  private ended(script: string): string {
    return script.endsWith('\n') ? script : `${script};`;
  }

  private loop(): string {
    this.loops++;
    const body = this.ended(this.script());
    this.loops--;
    const head = this.random.weighted([
      [5, `for f in ${this.word()} ${this.word()}; do`],
      [2, 'for f in src/*.ts\ndo'],
      [2, 'for f in a.txt src/b.ts; do'],
      [1, 'while read -r f; do'],
      [1, 'for f; do'],
      [1, 'select f in a b; do'],
      [2, `while ${this.random.pick(['false', 'test -e nope', '[ -e nope ]'])}; do`],
      [1, `until ${this.random.pick(['true', 'test -f a.txt'])}; do`],
      [1, 'for ((i=0; i<2; i++)); do'],
    ]);
    return `${head} ${body} done${this.after()}`;
  }

  private condition(): string {
    const end = this.random.chance(40) ? ` else ${this.ended(this.script())}` : '';
    return `if ${this.ended(this.simple())} then ${this.ended(this.script())}${end} fi${this.after()}`;
  }

  private choice(): string {
    return `case ${this.word()} in ${this.random.pick(['a', '*', 'k*', '"x y"', '(a)', 'a|b'])}) ${this.script()} ;; ${this.random.pick(
      ['', '*) true ;; '],
    )}esac`;
  }

  private functionCall(): string {
    const name = this.random.pick(['f', 'g', 'P', 'ls', 'git']);
    const head = this.random.pick([`${name}() `, `function ${name} `, `${name} () `]);
    return `${head}{ ${this.ended(this.script())} }; ${name} ${this.word()}`;
  }

  private test(): string {
    return this.random.pick([
      '[[ -f a.txt ]]',
      `[[ ${this.word()} == a* ]]`,
      '[ -d src ]',
      'test -f a.txt',
      `[ ${this.word()} = b ]`,
      '[[ 1 -eq 1 && -e src ]]',
      "[[ 'a' =~ ^a ]]",
      '[ 1 -eq 1 ]',
    ]);
  }

  /** A simple command with what may stand around it. */
  private simple(): string {
    let text = this.plain();
    if (this.may('wrapper', 70)) text = this.wrapped(text);
    if (this.may('script', 60)) text = `${this.random.pick(['bash', 'sh'])} -c ${quote(this.nested())}`;
    if (this.may('eval', 60)) text = `eval ${this.random.pick([quote(this.nested()), this.nested()])}`;
    if (this.may('trap', 50)) text = `trap ${quote(this.nested())} ${this.random.pick(['EXIT', 'DEBUG', 'ERR', '0'])}; ${text}`;
    if (this.may('alias', 50)) text = `shopt -s expand_aliases\nalias ls=${quote(this.nested())}\n${text}`;
    if (this.may('source', 50)) text = this.random.pick(['. ./run.sh', 'source run.sh', '. /dev/stdin <<<P']);
    if (this.may('coproc', 50)) text = `coproc ${text}`;
    if (this.may('assignment', 60)) text = this.assigned(text);
    if (this.may('array', 50))
      text = `${this.random.pick(['a=(1 2)', `a=(${this.word()})`, 'a[1]=x', 'declare -a a=(x)'])}; ${text}`;
    if (this.may('redirection', 60)) text += this.redirection();
    if (this.may('here-string', 70)) text += ` <<< ${this.word()}`;
    if (this.may('here-doc', 70)) text += this.hereDoc();
    return text;
  }

  private nested(): string {
    this.depth += 2;
    const text = this.depth > 5 ? this.plain() : this.pipeline();
    this.depth -= 2;
    const bodies = this.bodies();
    return text + bodies;
  }

  private wrapped(text: string): string {
    const wrapper = this.random.pick(WRAPPERS);
    if (wrapper.startsWith('xargs')) return `echo k${++this.serial} | ${wrapper} ${text}`;
    if (wrapper.startsWith('find')) return `${wrapper} ${text} ${this.random.pick(['{} +', '\\;', "{} ';'"])}`;
    return `${wrapper} ${text}`;
  }

  private assigned(text: string): string {
    const value = this.word();
    return this.random.weighted([
      [4, `A=${value} ${text}`],
      [3, `A=${value}; ${text}`],
      [2, `LC_ALL=C ${text}`],
      [1, `export A=${value} && ${text}`],
      [1, `GIT_PAGER=cat ${text}`],
      [1, `x+=${value} ${text}`],
    ]);
  }

  private redirection(): string {
    return this.random.weighted([
      [6, ' 2>/dev/null'],
      [4, ' 2>&1'],
      [4, ` > out/k${++this.serial}.txt`],
      [2, ` >> out/k${++this.serial}.txt`],
      [3, ' < a.txt'],
      [2, ' >/dev/null 2>&1'],
      [1, ` &> out/k${++this.serial}.txt`],
      [1, ` >| out/k${++this.serial}.txt`],
      [1, ' 3<&0'],
      [1, ' 2>&-'],
      [1, ` > ${this.word()}`],
      [1, ' <> a.txt'],
      [1, ' >&2'],
      [1, ` >& out/k${++this.serial}.txt`],
      [1, ` 2> out/k${++this.serial}.txt >&2`],
      [1, ` &>> out/k${++this.serial}.txt`],
      [1, ` 5> out/k${++this.serial}.txt`],
      [1, ` {fd}> out/k${++this.serial}.txt`],
    ]);
  }

  private hereDoc(): string {
    const serial = ++this.serial;
    const [operator, indent] = this.random.chance(20) ? ['<<-', '\t'] : ['<<', ''];
    const quoted = this.random.chance(55);
    const lines = [this.random.pick(['text', 'P hidden', 'a; b', "it's", '"', '# x', 'done', ''])];
    if (!quoted && this.palette.has('substitution')) lines.push(`value $(${this.plain()})`);
    if (!quoted && this.palette.has('parameter')) lines.push(this.random.pick(['$HOME here', '${x:-none}', '\\$HOME']));
    const word = quoted ? this.random.pick([`'E${serial}'`, `"E${serial}"`, `\\E${serial}`]) : `E${serial}`;
    this.pending.push(`${lines.map((line) => indent + line).join('\n')}\n${indent}E${serial}\n`);
    return ` ${operator}${this.random.pick(['', ' '])}${word}`;
  }

  /** One simple command without anything around it. */
  private plain(): string {
    const w = () => this.word();
    const file = () => this.file();
    const text = this.random.weighted<() => string>([
      [5, () => `cat ${file()}`],
      [5, () => `ls ${this.random.pick(['', '-la ', '-1 '])}${file()}`],
      [3, () => `head -n 5 ${file()}`],
      [3, () => `wc -l ${file()}`],
      [4, () => `grep -n ${w()} ${file()}`],
      [2, () => `grep -rn k${++this.serial} src`],
      [2, () => `sort ${file()}`],
      [1, () => `tail -n 2 ${file()}`],
      [2, () => `diff ${file()} b.txt`],
      [2, () => `find src -name ${this.random.pick(["'*.ts'", 'k.ts', '"?.ts"'])}`],
      [2, () => `sed -n ${this.random.pick(['1,5p', "'s/a/b/p'", "'/x/p'"])} ${file()}`],
      [5, () => `echo ${w()} ${w()}`],
      [2, () => `printf '%s\\n' ${w()}`],
      [3, () => `git ${this.random.pick(['status', 'log --oneline -5', 'diff --stat', 'status -sb', 'rev-parse HEAD'])}`],
      [2, () => `git diff ${file()}`],
      [1, () => `git show HEAD:${this.random.pick(FILES)}`],
      [2, () => `P ${w()} k${++this.serial}`],
      [1, () => `zz ${w()}`],
      [1, () => 'pwd'],
      [1, () => this.random.pick(['true', ':', 'date', 'whoami', 'uname -a', 'false'])],
      [1, () => `stat ${file()}`],
      [1, () => `basename ${file()}`],
      [1, () => `cut -d: -f1 ${file()}`],
      [1, () => `rm ${w()}`],
      [1, () => `foo ${w()}`],
    ])();
    return this.may('continuation', 50) ? text.replace(' ', this.random.pick([' \\\n', '\\\n ', ' \\\n  '])) : text;
  }

  private file(): string {
    if (this.may('glob', 60)) return this.random.pick(GLOBS);
    if (this.loops > 0 && this.random.chance(50)) return this.random.pick(['"$f"', '$f', '"./$f"', '"${f}"', '"$f/x"', 'src/$f']);
    if (this.random.chance(25)) return this.word();
    return this.random.chance(50) ? this.random.pick(FILES) : `src/k${++this.serial}.ts`;
  }

  /** One word of a command. */
  private word(): string {
    if (this.may('quoting', 60)) return this.random.pick(QUOTED);
    if (this.may('substitution', 50) && this.depth < 4) return this.substitution();
    if (this.may('parameter', 50))
      return this.random.pick([
        '$HOME',
        '"$PWD"',
        '${x:-k}',
        '"${HOME}"',
        '$1',
        '"$@"',
        '${#x}',
        '${HOME%/*}',
        '$?',
        '$x',
        '"$x"',
        '${x/a/b}',
      ]);
    if (this.may('brace', 50)) return this.random.pick(['{a,b}', 'src/{a,b}.ts', '{1..3}', 'x{,y}', '{a}', '{}', "{'a b',c}"]);
    if (this.may('tilde', 50)) return this.random.pick(['~', '~/notes.txt', '~+', 'a~', '~nobody', '"~"', '~/x']);
    if (this.may('glob', 40)) return this.random.pick(GLOBS);
    if (this.may('arithmetic', 50)) return this.random.pick(['$((1+2))', '"$((3 * 4))"', '$((x))', '$[1+1]', '$(( 1 < 2 ))']);
    if (this.may('process-substitution', 50) && this.depth < 4) return `<(${this.script().trimEnd()})`;
    return `k${++this.serial}`;
  }

  private substitution(): string {
    const script = this.script();
    return this.random.weighted([
      [4, `$(${script})`],
      [4, `"$(${script})"`],
      [1, `\`${script.replace(/[\\`]/g, '')}\``],
      [1, `"pre $(${script}) post"`],
      [1, `k$(${script})`],
    ]);
  }
}

/** A text as one word in single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
