// Properties that hold for every line, tried on generated ones; a failure prints its seed.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readWithParser } from '../../src/shell/parse/full.js';
import { readCommandLine } from '../../src/shell/read.js';
import type { CommandLine, ShellDialect } from '../../src/shell/syntax/types.js';

const SHELLS: readonly ShellDialect[] = ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'];
const anyShell = fc.constantFrom(...SHELLS);

/** Words of plain characters, among them every keyword and builtin that means more. */
const plainWord = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9\-_./=:,@%+]{1,8}$/),
  fc.constantFrom(
    'if',
    'time',
    'then',
    'in',
    'function',
    'select',
    'coproc',
    'case',
    'for',
    'while',
    'until',
    'do',
    'done',
    'fi',
  ),
  fc.constantFrom(
    'cd',
    'eval',
    'let',
    'set',
    'exit',
    'command',
    'exec',
    'A=b',
    '=a',
    '%1',
    '-',
    '--',
    'noglob',
    'alias',
    'git',
    '.',
  ),
);

test('the short way says what the parser says', () => {
  fc.assert(
    fc.property(fc.array(plainWord, { minLength: 1, maxLength: 6 }), anyShell, (words, shell) => {
      const line = words.join(' ');
      assert.equal(readCommandLine(line, shell), readWithParser(line, shell));
    }),
    { numRuns: 1500 },
  );
});

/** Words that are nearly plain: quotes, wildcards and tildes where the short way still reads them, and where it must not. */
const nearlyPlainWord = fc.oneof(
  { weight: 4, arbitrary: plainWord },
  fc.constantFrom(
    "'a b'",
    '"a b"',
    "a'b'c",
    '"x"y',
    "''",
    '""',
    "'$(x)'",
    '"$x"',
    '"a`b"',
    '"a\\b"',
    '"!"',
    "'!'",
    '"é"',
    "'a\tb'",
  ),
  fc.constantFrom('HEAD~1', '~', '~/x', 'a:~', 'a=~', '~a', "~'x'", "'~'", '"~/x"', '*', '*.ts', "'*'*", '?', 'a?b', "a'?'b*"),
  fc.constantFrom('HOME', 'PWD=x', '+1', '{a,b}', '$x', 'a\\ b', '#', 'a#b', '^', '!', '"a', "a'"),
  fc.stringMatching(/^[a~*?'":= ]{1,6}$/),
);
const redirection = fc.constantFrom(
  ...['2>/dev/null', '>/dev/null', '> out', '>> out', '< in', '<in', '2>&1', '>&2', '1>&2', '2> err', "> 'a b'", '>*', '>~/x'],
  ...[
    '>&x',
    '>&12',
    '2>&-',
    '&>x',
    '>|x',
    '<>x',
    '<<<x',
    '12>x',
    '2>3',
    '2>3>4',
    '>',
    '>!x',
    '<1-9',
    '<-',
    '>=x',
    '>%x',
    '> >',
    '2 >x',
  ],
);
const chainedCommand = fc
  .tuple(fc.array(nearlyPlainWord, { minLength: 1, maxLength: 4 }), fc.array(redirection, { maxLength: 2 }))
  .map(([words, redirections]) => [...words, ...redirections].join(' '));
const link = fc.constantFrom(
  ...[' && ', ' && ', ' && ', ' | ', ' | ', ' || ', ' ; ', '; '],
  ...[' & ', ' |& ', '&&', '|', ';', '  && ', ' &&', ' ;; ', ' && && ', '\n', ' &&\n', ' | | ', ' ; && '],
);

test('the short way says what the parser says, also of chains of commands', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(chainedCommand, link), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      anyShell,
      (parts, open, shell) => {
        const line = parts.map(([command, next], at) => (at + 1 < parts.length || open ? command + next : command)).join('');
        assert.equal(readCommandLine(line, shell), readWithParser(line, shell));
      },
    ),
    { numRuns: 3000 },
  );
});

test('the short way follows cd as the parser does', () => {
  const word = fc.constantFrom('cd', 'cd', 'ls', 'src', '..', '-', '~', '/x', "'a b'", '', 'HOME', '--');
  const command = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.filter((one) => one !== '').join(' '));
  fc.assert(
    fc.property(fc.array(fc.tuple(command, link), { minLength: 1, maxLength: 5 }), anyShell, (parts, shell) => {
      const line = parts.map(([first, next], at) => (at + 1 < parts.length ? first + next : first)).join('');
      assert.equal(readCommandLine(line, shell), readWithParser(line, shell));
    }),
    { numRuns: 1500 },
  );
});

/** Pieces that make shell lines more often than chance would. */
const pieces = fc.constantFrom(
  ...[
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    '&',
    '|',
    '&&',
    '||',
    '(',
    ')',
    '{',
    '}',
    '$(',
    '${',
    '$((',
    '))',
    '`',
    "'",
    '"',
    '\\',
    '\\\n',
    '#',
  ],
  ...[
    '<',
    '>',
    '>&',
    '<<E',
    '\nE\n',
    '<<<',
    '<(',
    '=',
    '[',
    ']',
    '[[',
    ']]',
    '((',
    '$',
    '~',
    '*',
    '!',
    "$'",
    'a',
    'b=',
    '1',
    '\t',
    ',',
  ],
  ...[
    'if ',
    'then ',
    'fi',
    'for ',
    'in ',
    'do ',
    'done',
    'case ',
    'esac',
    'function ',
    'while ',
    'time ',
    'coproc ',
    'eval ',
    'cd ',
  ],
);
const shellLike = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(''));
const anyLine = fc.oneof(shellLike, fc.string({ unit: 'binary', maxLength: 60 }));

function holds(read: CommandLine, line: string): void {
  assert.is(read.source, line);
  for (const { span } of [...read.invocations, ...read.opaque])
    assert.ok(span.start >= 0 && span.start <= span.end && span.end <= line.length);
  const words = read.invocations.flatMap(({ argv, redirections }) => [
    ...argv,
    ...redirections.flatMap(({ target }) => target ?? []),
  ]);
  // Nothing is left uncertain without a reason, unless its text cannot matter where the command takes it for one.
  if (words.some(({ value, data }) => value === null && data === undefined)) assert.ok(read.opaque.length > 0);
  for (const word of words)
    if (word.value !== null && read.opaque.length === 0) assert.is(word.text, line.slice(word.span.start, word.span.end));
}

test('no line makes it throw, and what is uncertain has a reason', () => {
  fc.assert(
    fc.property(anyLine, anyShell, (line, shell) => holds(readCommandLine(line, shell), line)),
    { numRuns: 2000 },
  );
});

test('what is opaque for bash is opaque for the union of all shells', () => {
  fc.assert(
    fc.property(shellLike, (line) => {
      if (readCommandLine(line, 'bash').opaque.length > 0) assert.ok(readCommandLine(line, 'union').opaque.length > 0);
    }),
    { numRuns: 1000 },
  );
});

const quotedWord = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9./-]{1,6}$/),
  fc.stringMatching(/^[A-Za-z ;&|<>()*?#]{0,6}$/).map((text) => `'${text}'`),
  fc.stringMatching(/^[A-Za-z ;&|<>()*?#']{0,6}$/).map((text) => `"${text}"`),
  fc.constantFrom('\\ ', '\\;', '\\$x', '*.ts', '~/a', '{}', '2>/dev/null', '>out', '<in'),
);
const simple = fc
  .tuple(fc.stringMatching(/^[a-z]{2}x$/), fc.array(quotedWord, { maxLength: 4 }))
  .map(([name, words]) => [name, ...words].join(' '));
const compound = fc
  .tuple(
    simple,
    fc.array(fc.tuple(fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' &&\n', ' # c\n', ';'), simple), { maxLength: 4 }),
  )
  .map(([first, rest]) => first + rest.map(([separator, command]) => separator + command).join(''));

test('the text of every invocation reads as the same command', () => {
  fc.assert(
    fc.property(compound, (line) => {
      const read = readCommandLine(line, 'bash');
      assert.equal(read.opaque, []);
      for (const { span, argv } of read.invocations) {
        const [again, ...others] = readCommandLine(line.slice(span.start, span.end), 'bash').invocations;
        assert.is(others.length, 0);
        assert.equal(
          again?.argv.map(({ value }) => value),
          argv.map(({ value }) => value),
        );
      }
    }),
    { numRuns: 800 },
  );
});

test('a command hidden in any nest of constructs is listed or the line is opaque', () => {
  const wrap = fc.constantFrom<(inner: string) => string>(
    (inner) => `echo $(${inner})`,
    (inner) => `echo "$(${inner})"`,
    (inner) => `cat <(${inner})`,
    (inner) => `ls && (${inner})`,
    (inner) => `{ ${inner}; }`,
    (inner) => `a=($(${inner}))`,
    (inner) => `X=$(${inner}) ls`,
    (inner) => `echo \${x:-$(${inner})}`,
    (inner) => `echo $((1 + $(${inner})))`,
    (inner) => `if ${inner}; then ls; fi`,
    (inner) => `for i in $(${inner}); do ls; done`,
    (inner) => `case $(${inner}) in x) ls;; esac`,
    (inner) => `[[ -n $(${inner}) ]]`,
    (inner) => `f() { ${inner}; }`,
    (inner) => `ls > $(${inner})`,
    (inner) => `ls <<< "$(${inner})"`,
    (inner) => `ls | ${inner}`,
    (inner) => `ls && ${inner}`,
    (inner) => `! ${inner}`,
    (inner) => `coproc { ${inner}; }`,
    (inner) => `cat <<E\n$(${inner})\nE\n`,
  );
  fc.assert(
    fc.property(fc.array(wrap, { minLength: 1, maxLength: 5 }), (wrappers) => {
      const line = wrappers.reduce((inner, next) => next(inner), 'payload now');
      const read = readCommandLine(line, 'bash');
      const listed = read.invocations.some(({ argv }) => argv[0]?.value === 'payload');
      assert.ok(listed || read.opaque.some(({ code }) => code === 'parse-error'), line);
    }),
    { numRuns: 1500 },
  );
});

test.run();
