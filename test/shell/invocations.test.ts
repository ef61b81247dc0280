// What stands around an invocation, and what its redirections say.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';
import type { Invocation } from '../../src/shell/syntax/types.js';

/** One invocation in short: words, then its enclosures, `|` when piped, `&` when in the background. */
function brief(invocation: Invocation): string {
  const words = invocation.argv.map(({ text }) => text).join(' ') || '-';
  const around = invocation.enclosures.length > 0 ? ` in ${invocation.enclosures.join('/')}` : '';
  return `${words}${around}${invocation.piped ? ' |' : ''}${invocation.background ? ' &' : ''}`;
}

const ENCLOSURES: readonly (readonly [line: string, invocations: readonly string[]])[] = [
  ['a; b', ['a', 'b']],
  ['a | b | c', ['a in pipeline', 'b in pipeline |', 'c in pipeline |']],
  ['a && b | c', ['a', 'b in pipeline', 'c in pipeline |']],
  ['a & b', ['a &', 'b']],
  ['a && b & c', ['a &', 'b &', 'c']],
  ['(a; b)', ['a in subshell', 'b in subshell']],
  ['{ a; }', ['a in group']],
  ['a | (b; c)', ['a in pipeline', 'b in pipeline/subshell |', 'c in pipeline/subshell |']],
  ['(a) &', ['a in subshell &']],
  ['if a; then b; else c; fi', ['a in condition', 'b in condition', 'c in condition']],
  ['while a; do b; done', ['a in loop', 'b in loop']],
  ['for i in x; do a; done', ['a in loop']],
  ['for ((;;)); do a; done', ['a in loop']],
  ['case x in a) b;; *) c;; esac', ['b in case', 'c in case']],
  ['f() { a; }; f', ['a in function/group', 'f']],
  ['coproc a', ['a in coproc | &']],
  ['a $(b)', ['a $(b)', 'b in substitution']],
  ['a "$(b | c)" d', ['a "$(b | c)" d', 'b in substitution/pipeline', 'c in substitution/pipeline |']],
  ['a <(b) >(c)', ['a <(b) >(c)', 'b in process-substitution', 'c in process-substitution |']],
  ['a | b $(c)', ['a in pipeline', 'b $(c) in pipeline |', 'c in pipeline/substitution |']],
  ['a $(b) && c', ['a $(b)', 'b in substitution', 'c']],
  ['A=$(b) c', ['c', 'b in substitution']],
  ['a > $(b)', ['a', 'b in substitution']],
  ['a <<E | c\n$(b)\nE', ['a in pipeline', 'c in pipeline |', 'b in pipeline/substitution']],
  ['{ a; } > x', ['a in group', '-']],
  ['> x', ['-']],
  ['A=1', ['-']],
  ["eval 'a; b'", ["eval 'a; b'", 'a', 'b']],
];

for (const [line, invocations] of ENCLOSURES)
  test(`${JSON.stringify(line)} runs ${invocations.join(', ')}`, () => {
    assert.equal(readCommandLine(line, 'bash').invocations.map(brief), invocations);
  });

type RedirectionRow = readonly [
  line: string,
  descriptor: number | null,
  operator: string,
  direction: string,
  target: string | null,
  text: string | null,
];

const REDIRECTIONS: readonly RedirectionRow[] = [
  ['a > f', null, '>', 'write', 'f', null],
  ['a >f', null, '>', 'write', 'f', null],
  ['a>f', null, '>', 'write', 'f', null],
  ['a >> f', null, '>>', 'write', 'f', null],
  ['a >| f', null, '>|', 'write', 'f', null],
  ['a 2> f', 2, '>', 'write', 'f', null],
  ['a 2>f', 2, '>', 'write', 'f', null],
  ['a &> f', null, '&>', 'write', 'f', null],
  ['a &>> f', null, '&>>', 'write', 'f', null],
  ['a < f', null, '<', 'read', 'f', null],
  ['a 3< f', 3, '<', 'read', 'f', null],
  ['a <> f', null, '<>', 'read-write', 'f', null],
  ['a 3<> f', 3, '<>', 'read-write', 'f', null],
  ['a 2>&1', 2, '>&', 'duplicate', '1', null],
  ['a >&2', null, '>&', 'duplicate', '2', null],
  ['a >& 2', null, '>&', 'duplicate', '2', null],
  ['a 2>&-', 2, '>&', 'duplicate', '-', null],
  ['a 3>&1-', 3, '>&', 'duplicate', '1-', null],
  ['a <&3', null, '<&', 'duplicate', '3', null],
  ['a >& f', null, '>&', 'write', 'f', null],
  ['a > "f g"', null, '>', 'write', 'f g', null],
  ['a > ~/f', null, '>', 'write', '~/f', null],
  ['> f a', null, '>', 'write', 'f', null],
  ['a <<< "x y"', null, '<<<', 'here', 'x y', 'x y\n'],
  ["a <<'E'\nx $y\nE", null, '<<', 'here', null, 'x $y\n'],
  ['a <<E\nx\ny\nE', null, '<<', 'here', null, 'x\ny\n'],
  ['a <<E\nx\\$y \\\\ \\z\nE', null, '<<', 'here', null, 'x$y \\ \\z\n'],
  ['a <<-E\n\tx\n\t\ty\n\tE', null, '<<-', 'here', null, 'x\ny\n'],
  ['a <<\\E\n`x`\nE', null, '<<', 'here', null, '`x`\n'],
  ['a <<"E F"\nx\nE F', null, '<<', 'here', null, 'x\n'],
  ['a <<E\nE', null, '<<', 'here', null, ''],
  ['a 3<<E\nx\nE', 3, '<<', 'here', null, 'x\n'],
  ['a <<E\nx $y\nE', null, '<<', 'here', null, null],
  ['a <<E\nx\\\ny\nE', null, '<<', 'here', null, null],
];

for (const [line, descriptor, operator, direction, target, text] of REDIRECTIONS)
  test(`${JSON.stringify(line)} redirects as written`, () => {
    const [invocation] = readCommandLine(line, 'bash').invocations;
    assert.is(invocation?.redirections.length, 1);
    const [redirection] = invocation?.redirections ?? [];
    assert.equal(
      {
        descriptor: redirection?.descriptor,
        operator: redirection?.operator,
        direction: redirection?.direction,
        target: redirection?.target?.value ?? null,
        text: redirection?.text,
      },
      { descriptor, operator, direction, target, text },
    );
  });

test('spans are those of the source, also behind other text', () => {
  const source = 'cd src && FOO=1 git status -s > "a b" # end';
  const [, invocation] = readCommandLine(source, 'bash').invocations;
  const slice = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  assert.is(slice(invocation?.span ?? { start: 0, end: 0 }), 'FOO=1 git status -s > "a b"');
  assert.equal(
    invocation?.argv.map(({ span }) => slice(span)),
    ['git', 'status', '-s'],
  );
  assert.equal(
    invocation?.assignments.map(({ span }) => slice(span)),
    ['FOO=1'],
  );
  assert.equal(
    invocation?.redirections.map(({ span }) => slice(span)),
    ['> "a b"'],
  );
});

test('what stands in escaped backticks or in an evaluated text has the span of what encloses it', () => {
  const source = "x; echo `a \\`b\\``; eval 'c d'";
  const spans = readCommandLine(source, 'bash').invocations.map(({ argv, span }) => [
    argv[0]?.value,
    source.slice(span.start, span.end),
  ]);
  assert.equal(spans, [
    ['x', 'x'],
    ['echo', 'echo `a \\`b\\``'],
    ['a', '`a \\`b\\``'],
    ['b', '`a \\`b\\``'],
    ['eval', "eval 'c d'"],
    ['c', "eval 'c d'"],
  ]);
});

test.run();
