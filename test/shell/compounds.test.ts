// Compound commands: those that only enclose are no reason to stop, and every command in them is listed with its enclosures.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SHELLS } from '../../src/call/tool-call.js';
import { readCommandLine } from '../../src/shell/read.js';
import type { OpaqueCode } from '../../src/shell/syntax/types.js';

/** Line, and its invocations as `name:enclosures` (`-` for one without words). */
const LISTED: readonly (readonly [line: string, listed: string])[] = [
  ['(ls) && a', 'ls:subshell a:'],
  ['( ls ) && a', 'ls:subshell a:'],
  ['(ls; cat a)', 'ls:subshell cat:subshell'],
  ['( (ls) ) && a', 'ls:subshell,subshell a:'],
  ['{ ls; }', 'ls:group'],
  ['{ ls\n}', 'ls:group'],
  ['{ ls; cat a; } | wc', 'ls:pipeline,group cat:pipeline,group wc:pipeline'],
  ['{ ls; } 2>/dev/null', 'ls:group -:'],
  ['(ls; a) > out 2>&1', 'ls:subshell a:subshell -:'],
  ['ls | (cat)', 'ls:pipeline cat:pipeline,subshell'],
  ['! { ls; }', 'ls:group'],
  ['! (ls)', 'ls:subshell'],
  ['(cd src && ls)', 'cd:subshell ls:subshell'],
  ['(cd src && ls); pwd', 'cd:subshell ls:subshell pwd:'],
  ['if a; then b; fi', 'a:condition b:condition'],
  ['if a; then b; else c; fi', 'a:condition b:condition c:condition'],
  ['if a; then b; elif c; then d; else e; fi', 'a:condition b:condition c:condition d:condition e:condition'],
  ['if a\nthen b\nfi', 'a:condition b:condition'],
  ['if ! a; then b; fi', 'a:condition b:condition'],
  ['if a; then b; fi > out', 'a:condition b:condition -:'],
  ['if (a); then { b; }; fi', 'a:condition,subshell b:condition,group'],
  ['while a; do b; done', 'a:loop b:loop'],
  ['until a; do b; done', 'a:loop b:loop'],
  ['while a; do b; break; done', 'a:loop b:loop break:loop'],
  ['while a; do b; done < in', 'a:loop b:loop -:'],
  ['ls | while a; do b; done', 'ls:pipeline a:pipeline,loop b:pipeline,loop'],
  ["while a; do b; done <<'E'\n$(c)\nE", 'a:loop b:loop -:'],
  ['case a in a) b;; esac', 'b:case'],
  ['case a in a|b) c;; *.ts) d;; *) e;; esac', 'c:case d:case e:case'],
  ["case 'a b' in 'a b') c;; esac", 'c:case'],
  ['case a in (a) b;; esac', 'b:case'],
  ['case a in a) b;& c) d;; esac', 'b:case d:case'],
  ['case a in\n  a)\n    b\n    ;;\nesac', 'b:case'],
  ['[[ -f a ]] && ls', 'ls:'],
  ['[[ ! -d src ]] || ls', 'ls:'],
  ['[[ a == b ]] && ls', 'ls:'],
  ['[[ a != *.ts ]] && ls', 'ls:'],
  ['[[ 3 -gt 2 ]] && ls', 'ls:'],
  ['[[ a -nt b ]] && ls', 'ls:'],
  ['[[ v1 =~ ^v[0-9]+$ ]] && ls', 'ls:'],
  ["[[ -n 'x' ]] && ls", 'ls:'],
  ['if [[ -f a ]]; then cat a; fi', 'cat:condition'],
  ['true && { ls; } || (cat a)', 'true: ls:group cat:subshell'],
  ["{ awk '{print $1}' a; find . -name {}; }", 'awk:group find:group'],
];

for (const shell of SHELLS)
  for (const [line, listed] of LISTED)
    test(`${shell} reads ${JSON.stringify(line)} to its end`, () => {
      const { invocations, opaque } = readCommandLine(line, shell);
      assert.is(invocations.map(({ argv, enclosures }) => `${argv[0]?.value ?? '-'}:${enclosures.join()}`).join(' '), listed);
      assert.equal(opaque, []);
    });

/** In bash and zsh these are static tests; dash takes their operators for its own. */
for (const line of ['[[ -f a && -f b ]] && ls', '[[ ( -f a ) ]] && ls', '[[ a < b ]] && ls', '[[ a > b ]] && ls', '[[ a || b ]]'])
  test(`only bash and zsh read ${line} as one test`, () => {
    for (const shell of ['bash', 'zsh', 'bash-or-zsh'] as const) assert.equal(readCommandLine(line, shell).opaque, [], shell);
    for (const shell of ['sh', 'union'] as const) assert.ok(readCommandLine(line, shell).opaque.length > 0, shell);
  });

/** Texts that nobody knows, where they are only compared. */
for (const line of [
  'x=$(a); [[ "$x" == b ]] && ls',
  'x=$(a); [[ -n $x ]] && ls',
  'x=$(a); [[ -z "${x}" ]] && ls',
  'x=$(a); [[ -f $x ]] && ls',
  '[[ $? -eq 0 ]] && ls',
  'x=3; [[ $x -gt 2 ]] && ls',
  'for f in a b; do [[ -f "$f" ]] && cat "$f"; done',
])
  test(`every shell only compares in ${line}`, () => {
    for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const)
      assert.equal(readCommandLine(line, shell).opaque, [], shell);
  });

/** What stays opaque in every shell. */
const OPAQUE: readonly (readonly [line: string, code: OpaqueCode])[] = [
  ['x=$(a); [[ $x -eq 0 ]]', 'compound-command'],
  ['x=$(a); [[ "$x" -lt 3 ]]', 'compound-command'],
  ['x=y; [[ $x -eq 0 ]]', 'compound-command'],
  ['x=$(a); [[ -v $x ]]', 'compound-command'],
  ['x=$(a); [[ a$x == b ]]', 'compound-command'],
  ['[[ $TOKEN == a* ]]', 'compound-command'],
  ["[[ -v 'a[0]' ]]", 'compound-command'],
  ['[[ -v a ]]', 'compound-command'],
  ['[[ -R a ]]', 'compound-command'],
  ['[[ -o x ]]', 'compound-command'],
  ['[[ -t 1 ]]', 'compound-command'],
  ['[[ a -eq 0 ]]', 'compound-command'],
  ['[[ 0 -eq a ]]', 'compound-command'],
  ["[[ 'a[$(P)]' -eq 0 ]]", 'compound-command'],
  ['[[ a[0] -gt 0 ]]', 'compound-command'],
  ['[[ 1 -lt x+1 ]]', 'compound-command'],
  ['[[ -f $x ]]', 'compound-command'],
  ['[[ "$(P)" == a ]]', 'compound-command'],
  ['[[ `P` ]]', 'compound-command'],
  ['[[ a == @(x|$(P)) ]]', 'compound-command'],
  ['[[ "-v" x ]]', 'compound-command'],
  ['[[ -f "a b" ]]', 'compound-command'],
  ['[[ -f a\n ]]', 'compound-command'],
  ["[[ a == '$(P)' ]]", 'compound-command'],
  ['[[ -f ~/x ]]', 'compound-command'],
  ['(ls)', 'compound-command'],
  ['((ls); ls)', 'unknown-construct'],
  ['((ls))', 'arithmetic'],
  ['if ((x)); then ls; fi', 'arithmetic'],
  ['while ((x++ < 3)); do ls; done', 'arithmetic'],
  ['if ls; then cat a', 'parse-error'],
  ['while ls; do', 'parse-error'],
  ['{ ls', 'parse-error'],
  ['{ ls }', 'parse-error'],
  ['(ls', 'parse-error'],
  ['case a in a) ls', 'parse-error'],
  ['if ls; then fi', 'parse-error'],
  ['case a in "`P`") ls;; esac', 'command-substitution'],
  ['case $x in a*) ls;; esac', 'parameter-expansion'],
  ['case a in @(a|b)) ls;; esac', 'dynamic-word'],
  ['if $x; then ls; fi', 'dynamic-command'],
  ['(ls) >&file', 'double-expansion'],
  ['{ ls; } {fd}>x', 'unknown-construct'],
  ['(PATH=.; ls)', 'special-variable'],
  ['{ alias x=y; }', 'alias-definition'],
  ['if . f; then ls; fi', 'dynamic-script'],
  ['(ls &)', 'background-job'],
  ['while ls; do f() { cat a; }; done', 'function-definition'],
];

for (const shell of ['bash', 'union'] as const)
  for (const [line, code] of OPAQUE)
    test(`${shell} is not sure of ${JSON.stringify(line)}: ${code}`, () => {
      const codes = readCommandLine(line, shell).opaque.map((opaque) => opaque.code);
      assert.ok(codes.includes(code), codes.join(' '));
    });

/** Seen with zsh 5.9: a brace that closes nothing in its word ends a group there, so `always` and what follows runs. */
const ZSH_GROUPS: readonly string[] = [
  '{ echo a } always { P ; }',
  '{ echo a} always { P; }',
  '{ { echo a } ; P } ; } ; }',
  '(ls) ; echo }',
  '{ x=a} P; }',
  '{ ls > a} ; }',
  '{ ls a{b ; }',
  'if ls; then echo {; fi',
  '{echo a } always { P ; }',
];

for (const line of ZSH_GROUPS)
  test(`zsh may end the group elsewhere in ${JSON.stringify(line)}`, () => {
    for (const shell of ['zsh', 'union', 'sh'] as const) assert.ok(readCommandLine(line, shell).opaque.length > 0, shell);
  });

test('braces that are quoted or closed in their word end no group in zsh', () => {
  assert.equal(readCommandLine('{ echo \'}\' "{" \\} {a} {}; }', 'zsh').opaque, []);
});

test.run();
