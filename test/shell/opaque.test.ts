// Lines whose payload `P` really ran under bash although it hides (specification of the shell grammar, sections 2 and 5; field report,
// section 1). Each must be opaque; where the last column says so, P must also be listed, so that a deny rule sees it.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';
import { OPAQUE_CODES, type OpaqueCode } from '../../src/shell/syntax/types.js';

type Row = readonly [line: string, code: OpaqueCode, sees: 'seen' | 'hidden'];

const ROWS: readonly Row[] = [
  // the holes of the parser (section 2)
  ["cat <<E\n${x:-'$(P)'}\nE", 'here-doc-expansion', 'seen'],
  ["echo $((${x:-'$(P)'}))", 'arithmetic', 'seen'],
  ['echo "${x:-\'$(P)\'}"', 'parameter-expansion', 'seen'],
  ['a=($(P))b', 'array', 'seen'],
  ['a=(1)"$(P)" git status', 'array', 'seen'],
  ['declare a=($(P))b', 'array', 'seen'],
  ['echo ${x\\\n:-$(P)}', 'unknown-construct', 'seen'],
  ['echo <(true)#y; P', 'unexplained-bytes', 'seen'],
  ['cat --opt=<(P)', 'process-substitution', 'seen'],
  ['cat a<(P)c', 'unexplained-bytes', 'seen'],
  ["echo $'a\\u0041'", 'dynamic-word', 'hidden'],
  ['echo i=~', 'dynamic-word', 'hidden'],
  ['true &\n& P', 'parse-error', 'hidden'],
  // double expansion
  ["git status >&'$(P)'", 'double-expansion', 'hidden'],
  ['echo a >&"\\$(P)"', 'double-expansion', 'hidden'],
  ["x='$(P)'; echo a >&$x", 'double-expansion', 'hidden'],
  ['echo a >&file', 'double-expansion', 'hidden'],
  ['cat <&file', 'double-expansion', 'hidden'],
  ['echo a >&"1"', 'double-expansion', 'hidden'],
  // reprinted substitutions
  ['echo $(cat <<E; find . ;ls -delete\nE\n)', 'here-doc-in-substitution', 'hidden'],
  ['cat <(cat <<E\nE\nm1 ;P)', 'here-doc-in-substitution', 'seen'],
  ['echo $(coproc P)', 'coproc', 'seen'],
  // double parentheses that are not arithmetic
  ['((cat <<E\nP\nE\ntrue) )', 'unknown-construct', 'hidden'],
  ['((P); echo)', 'unknown-construct', 'seen'],
  ['echo $((P); x)', 'unknown-construct', 'seen'],
  // arithmetic evaluates data
  ["x='a[$(P)]'; ((x))", 'arithmetic', 'hidden'],
  ["[[ 'a[$(P)]' -eq 0 ]]", 'compound-command', 'seen'],
  ["x='a[$(P)]'; echo ${s:x}", 'suspicious-quotes', 'hidden'],
  ["x='a[$(P)]'; b[x]=1", 'subscript-evaluation', 'hidden'],
  ['b[x]=1', 'array', 'hidden'],
  ["let 'a[$(P)]'", 'arithmetic', 'hidden'],
  ['let x=y', 'arithmetic', 'hidden'],
  ['for ((i=$(P);;)); do break; done', 'arithmetic', 'seen'],
  ['for ((;x;)); do P; done', 'arithmetic', 'seen'],
  ["declare -i n='a[$(P)]'", 'subscript-evaluation', 'hidden'],
  ['declare -i n=x', 'subscript-evaluation', 'hidden'],
  ['typeset -xi n=x', 'subscript-evaluation', 'hidden'],
  ["RANDOM='a[$(P)]'", 'special-variable', 'hidden'],
  ["OPTIND='a[$(P)]'", 'special-variable', 'hidden'],
  ['OPTIND=x', 'special-variable', 'hidden'],
  ["HISTCMD='a[$(P)]'", 'special-variable', 'hidden'],
  ['echo $((1+$(P)))', 'arithmetic', 'seen'],
  ['echo $((`P`+1))', 'arithmetic', 'seen'],
  ['echo $[`P`]', 'arithmetic', 'seen'],
  ['[[ a[$(P)] -eq 1 ]]', 'compound-command', 'seen'],
  ['(( a[$(P)] ))', 'arithmetic', 'seen'],
  ['((i++,$(P)))', 'arithmetic', 'seen'],
  // names with subscripts
  ["[ -v 'a[$(P)]' ]", 'subscript-evaluation', 'hidden'],
  ["test -v 'a[$(P)]'", 'subscript-evaluation', 'hidden'],
  ['test -v a[x]', 'subscript-evaluation', 'hidden'],
  ["printf -v 'a[$(P)]' x", 'subscript-evaluation', 'hidden'],
  ['printf -va[x] y', 'subscript-evaluation', 'hidden'],
  ['command printf -v a[x] y', 'subscript-evaluation', 'hidden'],
  ["read 'a[$(P)]'", 'subscript-evaluation', 'hidden'],
  ["declare 'a[$(P)]=1'", 'subscript-evaluation', 'hidden'],
  ["typeset 'a[$(P)]=1'", 'subscript-evaluation', 'hidden'],
  ["local 'a[$(P)]=1'", 'subscript-evaluation', 'hidden'],
  ["a=(1); unset 'a[$(P)]'", 'subscript-evaluation', 'hidden'],
  ["wait -n -p 'a[$(P)]'", 'subscript-evaluation', 'hidden'],
  ["echo ${a['$(P)']}", 'subscript-evaluation', 'seen'],
  ['echo ${a[$(P)]}', 'subscript-evaluation', 'seen'],
  ['echo ${#a[$(P)]}', 'parameter-expansion', 'seen'],
  ['echo ${!x[$(P)]}', 'double-expansion', 'seen'],
  // indirection
  ['echo ${!x}', 'double-expansion', 'hidden'],
  ['echo ${x@P}', 'double-expansion', 'hidden'],
  ["declare -n r='a[$(P)]'; echo $r", 'subscript-evaluation', 'hidden'],
  ["PS4='$(P)'; set -x; true", 'special-variable', 'hidden'],
  ["compgen -W '$(P)'", 'eval', 'hidden'],
  // dynamic names
  ['$x', 'dynamic-command', 'hidden'],
  ['{P,-rf,/}', 'dynamic-command', 'hidden'],
  ['/usr/bin/PWN?D', 'glob-command', 'hidden'],
  ['$nope P', 'dynamic-command', 'hidden'],
  ['P$@WNED', 'dynamic-command', 'hidden'],
  ['$(echo P)', 'dynamic-command', 'hidden'],
  ['${x:-P}', 'dynamic-command', 'hidden'],
  ['~/P', 'dynamic-command', 'hidden'],
  ['"${arr[@]}"', 'dynamic-command', 'hidden'],
  ['%1', 'dynamic-command', 'hidden'],
  ['command $x', 'dynamic-command', 'hidden'],
  // eval and its family
  ['eval "$a"', 'eval', 'hidden'],
  ["eval 'P'", 'eval', 'seen'],
  ['eval P a', 'eval', 'seen'],
  ['command eval P', 'eval', 'seen'],
  ['builtin eval P', 'eval', 'seen'],
  ['command -p builtin eval P', 'eval', 'seen'],
  ["'eval' P", 'eval', 'seen'],
  ['\\eval "eval P"', 'eval', 'seen'],
  ['A=1 eval P', 'eval', 'seen'],
  ['eval eval eval eval eval eval P', 'nesting', 'hidden'],
  ['. <(P)', 'dynamic-script', 'seen'],
  ['. ./P', 'dynamic-script', 'hidden'],
  ['source P', 'dynamic-script', 'hidden'],
  ["trap 'P' EXIT", 'eval', 'seen'],
  ["trap -- 'P' EXIT", 'eval', 'seen'],
  ['trap "$x" EXIT', 'eval', 'hidden'],
  ['mapfile -C P -c 1 x', 'eval', 'seen'],
  ['readarray -CP x', 'eval', 'seen'],
  ['jobs -x P', 'eval', 'seen'],
  ["complete -C 'P' x", 'eval', 'seen'],
  ['fc -s P', 'dynamic-script', 'hidden'],
  ['bind -x \'"x": P\'', 'eval', 'seen'],
  // identity
  ['PATH=./evil:$PATH ls', 'special-variable', 'hidden'],
  ['PATH=. ls', 'special-variable', 'hidden'],
  ['export PATH=.', 'special-variable', 'hidden'],
  ['declare -x PATH=.', 'special-variable', 'hidden'],
  ['read PATH', 'special-variable', 'hidden'],
  ['printf -v PATH .', 'special-variable', 'hidden'],
  ['unset IFS', 'special-variable', 'hidden'],
  ['hash -p ./evil ls; ls', 'alias-definition', 'hidden'],
  ['BASH_CMDS[git]=./P git', 'special-variable', 'hidden'],
  ["alias q='P'; q", 'alias-definition', 'seen'],
  ['shopt -s expand_aliases', 'unknown-construct', 'hidden'],
  ['set -o posix', 'unknown-construct', 'hidden'],
  ['set -x', 'unknown-construct', 'hidden'],
  ['BASH_ALIASES[git]=P', 'special-variable', 'hidden'],
  ["git(){ P;}; export -f git; bash -c 'git x'", 'function-definition', 'seen'],
  ['function git { P; }', 'function-definition', 'seen'],
  ['command_not_found_handle() { P; }; nope', 'function-definition', 'seen'],
  ['enable -f ./P.so P', 'alias-definition', 'hidden'],
  ['enable -n test', 'alias-definition', 'hidden'],
  // hooks in the environment
  ["BASH_ENV='$(P)' bash -c :", 'special-variable', 'hidden'],
  ['BASH_ENV=<(P) bash -c ls', 'special-variable', 'seen'],
  ["PROMPT_COMMAND='P' bash -i", 'special-variable', 'hidden'],
  ['LD_PRELOAD=./P.so ls', 'special-variable', 'hidden'],
  ['ENV=x sh -i', 'special-variable', 'hidden'],
  ['IFS=x', 'special-variable', 'hidden'],
  // characters
  ['echo a \\\r\n P', 'control-character', 'hidden'],
  ['ls\r\nP', 'control-character', 'seen'],
  ['ec\0ho x', 'control-character', 'hidden'],
  ['ls \x1b[2J', 'control-character', 'hidden'],
  ['ls \x7f', 'control-character', 'hidden'],
  ['ls \u0085', 'control-character', 'hidden'],
  ['ls \v P', 'control-character', 'hidden'],
  // forms that other gates let through (field report)
  ['arr=($(P)); ls', 'array', 'seen'],
  ['arr[$(P)]=1', 'subscript-evaluation', 'seen'],
  ['declare -a x=([$(P)]=1)', 'array', 'seen'],
  ['case a in `P`) ;; esac', 'command-substitution', 'seen'],
  ['case `P` in a) ;; esac', 'command-substitution', 'seen'],
  ['echo ${x:-$(P)}', 'parameter-expansion', 'seen'],
  ['echo "${x+$(P)}"', 'parameter-expansion', 'seen'],
  ['echo ${x#$(P)} ${x/$(P)/b} ${x^^$(P)} ${x:$(P):1}', 'parameter-expansion', 'seen'],
  ['[[ -f <(P) ]]', 'compound-command', 'seen'],
  ['echo @($(P))', 'dynamic-word', 'seen'],
  ['echo {a,$(P)}', 'brace-expansion', 'seen'],
  ['cat <<E\n$(P)\nE', 'here-doc-expansion', 'seen'],
  ['cat <<E\n`P`\nE', 'here-doc-expansion', 'seen'],
  ['cat <<-E\n\t$(P)\n\tE', 'here-doc-expansion', 'seen'],
  ['cat <<< "$(P)"', 'command-substitution', 'seen'],
  ['X=$(P) ls', 'command-substitution', 'seen'],
  ['X=`P`', 'command-substitution', 'seen'],
  ['ls & P', 'background-job', 'seen'],
  ['P &', 'background-job', 'seen'],
  ['ls > >(P)', 'process-substitution', 'seen'],
  ['ls > $(P)', 'command-substitution', 'seen'],
  ['ls {fd}> x', 'unknown-construct', 'hidden'],
  // compound commands
  ['for i; do P; done', 'compound-command', 'seen'],
  ['for PATH in $(P); do ls; done', 'compound-command', 'seen'],
  ['select i in 1; do P; done', 'compound-command', 'seen'],
  ['coproc P', 'coproc', 'seen'],
  ['coproc NAME { P; }', 'coproc', 'seen'],
  ['(ls) > $(P)', 'command-substitution', 'seen'],
  ['echo $( (P) )', 'compound-command', 'seen'],
  ['echo "$(case a in a) P ;; esac)"', 'compound-command', 'seen'],
  ['cat <( (P) )', 'compound-command', 'seen'],
  ['f() { P; }', 'function-definition', 'seen'],
  ['(P &)', 'background-job', 'seen'],
  ['{ P; } &', 'background-job', 'seen'],
  // nesting
  ['echo $(echo $(echo `P`))', 'command-substitution', 'seen'],
  ['echo "$(echo `P`)"', 'command-substitution', 'seen'],
  ['echo `echo \\`P\\``', 'command-substitution', 'seen'],
  ['echo `echo \\`echo \\\\\\`P\\\\\\`\\``', 'command-substitution', 'seen'],
  ['echo "`P`"', 'command-substitution', 'seen'],
  ['echo $(cat x=<(P))', 'process-substitution', 'seen'],
  ['echo $\\\n(P)', 'command-substitution', 'seen'],
  ['echo "$\\\n(P)"', 'command-substitution', 'seen'],
  // quotes that look like code
  ["git commit -m 'see $(P)'", 'suspicious-quotes', 'hidden'],
  ["git commit -m 'see `P`'", 'suspicious-quotes', 'hidden'],
  ["git commit -m 'see ${P}'", 'suspicious-quotes', 'hidden'],
  ['git commit -m "see \\$(P)"', 'suspicious-quotes', 'hidden'],
  ['git commit -m \\$\\(P\\)', 'suspicious-quotes', 'hidden'],
  ["x=$'$(P)'", 'suspicious-quotes', 'hidden'],
  // broken lines: what can be seen is seen
  ['P; echo "', 'parse-error', 'seen'],
  ['P; (', 'parse-error', 'seen'],
  ['P; if', 'parse-error', 'seen'],
  ['P a ; ; ', 'parse-error', 'seen'],
  ['ls; P && ', 'parse-error', 'seen'],
  ['cat <<E\nP', 'parse-error', 'hidden'],
  ['cat <<E; P\nno end', 'parse-error', 'seen'],
  ['P; echo $(', 'parse-error', 'seen'],
  ['P; echo `ls', 'parse-error', 'seen'],
  ['P; echo ${', 'parse-error', 'seen'],
  ['P; }', 'parse-error', 'seen'],
  ['((`\\', 'parse-error', 'hidden'],
  ['P; fi', 'parse-error', 'seen'],
  ['P 2\\\n2>f', 'unexplained-bytes', 'seen'],
  ['P >2>f', 'parse-error', 'seen'],
  ['P <<<2>f', 'parse-error', 'seen'],
  ['P; echo \\', 'unexplained-bytes', 'seen'],
  // directories
  ['cd -; P', 'dynamic-directory', 'seen'],
  ['pushd src; P', 'dynamic-directory', 'seen'],
  ['popd', 'dynamic-directory', 'hidden'],
  ['cd $x && P', 'dynamic-directory', 'seen'],
  ['cd -P src && P', 'dynamic-directory', 'seen'],
];

for (const [line, code, sees] of ROWS)
  test(`${JSON.stringify(line)} is opaque: ${code}`, () => {
    const read = readCommandLine(line, 'bash');
    assert.ok(
      read.opaque.some((opaque) => opaque.code === code),
      `has only: ${read.opaque.map((opaque) => opaque.code).join(' ')}`,
    );
    if (sees === 'seen') assert.ok(read.invocations.some(({ argv }) => argv[0]?.value === 'P'));
    for (const { span } of read.opaque) assert.ok(span.start >= 0 && span.start <= span.end && span.end <= line.length);
  });

test('a line of more than 64 KB is not read', () => {
  const read = readCommandLine(`echo ${'a'.repeat(65_536)}`, 'bash');
  assert.equal(read.invocations, []);
  assert.equal(
    read.opaque.map(({ code }) => code),
    ['too-long'],
  );
});

test('the 64 KB are counted in UTF-8', () => {
  const line = (characters: number) => `echo ${'日'.repeat(characters)}`;
  assert.is(readCommandLine(line(21_843), 'bash').opaque.length, 0);
  assert.is(readCommandLine(line(21_844), 'bash').opaque[0]?.code, 'too-long');
});

test('a deep nest is opaque, not a crash', () => {
  for (const [open, close] of [
    ['$(', ')'],
    ['"$(', ')"'],
    ['(', ')'],
    ['{ ', '; }'],
    ['${x:-', '}'],
    ['$((', '))'],
    ['<(', ')'],
    ['! ', ''],
  ] as const) {
    const depth = 2000;
    const read = readCommandLine(`echo ${open.repeat(depth)}P${close.repeat(depth)}`, 'bash');
    if (open !== '! ') assert.ok(read.opaque.length > 0, open);
  }
});

test('a long arithmetic expression is opaque, not a crash', () => {
  assert.ok(readCommandLine(`echo $((1${'+1'.repeat(30_000)}))`, 'bash').opaque.length > 0);
});

test('many reasons are cut off, but never to none', () => {
  const read = readCommandLine(`echo ${'$x '.repeat(5000)}`, 'bash');
  assert.ok(read.opaque.length > 0 && read.opaque.length <= 200);
});

test('many reasons of one kind cannot hide another kind', () => {
  const read = readCommandLine(`echo ${'$x '.repeat(5000)}; echo "`, 'bash');
  assert.ok(read.opaque.some(({ code }) => code === 'parse-error'));
});

const sections = readFileSync('docs/opaque.md', 'utf8').split(/^## /m).slice(1);

test('every code is explained in docs/opaque.md', () => {
  assert.equal(
    sections.map((section) => section.slice(0, section.indexOf('\n'))),
    [...OPAQUE_CODES],
  );
});

for (const section of sections) {
  const code = section.slice(0, section.indexOf('\n'));
  const example = /```sh\n([\s\S]*?)\n```/.exec(section)?.[1];
  if (example === undefined) continue;
  test(`the example of ${code} in docs/opaque.md gives it`, () => {
    const codes = readCommandLine(example, code === 'shell-dialect' ? 'union' : 'bash').opaque.map((opaque) => opaque.code);
    assert.ok(codes.includes(code as OpaqueCode), codes.join(' '));
  });
}

test.run();
