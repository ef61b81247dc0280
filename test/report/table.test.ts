// Tables, entries and folded lines in wide and narrow terminals.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { columns, entries } from '../../src/report/printing/table.js';
import { fold, wrap } from '../../src/report/printing/wrap.js';
import { markdownOnTerminal } from '../../src/report/terminal-markdown.js';

const ROWS = [
  ['policy/unused', 'warning', 'A suppression that suppresses nothing any more.'],
  ['tools/absent', 'info', 'No tools are named.'],
];

test('a table wraps its last column at words', () => {
  assert.is(
    columns(ROWS, 54),
    [
      'policy/unused  warning  A suppression that suppresses',
      '                        nothing any more.',
      'tools/absent   info     No tools are named.',
      '',
    ].join('\n'),
  );
});

test('a table with no room for its last column is a list', () => {
  assert.is(
    columns(ROWS, 40),
    [
      'policy/unused',
      '  warning',
      '  A suppression that suppresses nothing',
      '  any more.',
      'tools/absent',
      '  info',
      '  No tools are named.',
      '',
    ].join('\n'),
  );
});

test('a headed table with no room is a list that names its cells', () => {
  const head = ['Rule', 'Level', 'Sure', 'What it says'];
  const rows = [
    head,
    ['policy/unused', 'warning', 'high', 'A suppression that suppresses nothing.'],
    ['tools/absent', 'info', '', 'No tools.'],
  ];
  assert.is(
    columns(rows, 40, { headed: true }),
    [
      'policy/unused',
      '  Level: warning; Sure: high',
      '  What it says: A suppression that',
      '  suppresses nothing.',
      'tools/absent',
      '  Level: info; What it says: No tools.',
      '',
    ].join('\n'),
  );
  assert.match(columns(rows, 200, { headed: true }), /^Rule +Level +Sure +What it says\npolicy/);
});

test('a short last column needs little room', () => {
  assert.is(columns([['a'.repeat(30), 'read']], 40), `${'a'.repeat(30)}  read\n`);
});

test('entries stand beside their heads, or below them; a bounded one says that there is more', () => {
  const given = [{ head: 'codex', text: 'no hook, so its calls are not checked by anything' }];
  assert.equal(entries(given, 40), ['  codex  no hook, so its calls are not', '         checked by anything']);
  assert.equal(entries(given, 30), ['  codex', '    no hook, so its calls are', '    not checked by anything']);
  assert.equal(entries(given, 40, 1), ['  codex  no hook, so its calls are no…']);
  assert.equal(entries([{ head: 'a\u001b[2J', text: 'b\u202e' }], 80), ['  a\\x1b[2J  b\\u202e']);
});

const folded: readonly (readonly [why: string, text: string, width: number, lines: readonly string[]])[] = [
  ['what fits stays', 'ask  Bash', 9, ['ask  Bash']],
  ['below the text behind a first word', 'ask  one two three four', 15, ['ask  one two', '     three four']],
  [
    'below a mark with more words',
    '  note     one two three four five six',
    34,
    ['  note     one two three four five', '           six'],
  ],
  ['a sentence by two', 'one two three four', 9, ['one two', '  three', '  four']],
  ['lint help', '  = help: one two three four five six', 30, ['  = help: one two three four', '          five six']],
  ['a command to copy', '   fix: policy allow Bash', 10, ['   fix: policy allow Bash']],
  ['a path behind a slash', '/home/person/projects/desk', 15, ['/home/person/', '  projects/desk']],
  ['colours take no room', '\u001b[31mdeny\u001b[39m  one two', 13, ['\u001b[31mdeny\u001b[39m  one two']],
  [
    'colours and indentation',
    '\u001b[31mdeny\u001b[39m  one two three',
    18,
    ['\u001b[31mdeny\u001b[39m  one two', '      three'],
  ],
];
for (const [why, text, width, lines] of folded)
  test(`fold: ${why}`, () => {
    assert.equal(fold(text, width).split('\n'), lines);
  });

test('wrap cuts a word that is too long anywhere when it has no slash', () => {
  assert.equal(wrap('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
});

test('a report in Markdown is readable on a terminal', () => {
  const text =
    '# Title\n\nOne two three four five six seven.\n\n| A | B |\n| --- | --- |\n| one | two \\| 2 |\n\n```\ncode that is long stays as it is\n```\n';
  assert.equal(markdownOnTerminal(text, { color: false, width: 20 }).split('\n'), [
    ...['# Title', '', 'One two three four', '  five six seven.', ''],
    ...['A    B', 'one  two | 2', ''],
    ...['```', 'code that is long stays as it is', '```', ''],
  ]);
  assert.ok(markdownOnTerminal(text, { color: true, width: 20 }).startsWith('\u001b[1m# Title\u001b[22m\n'));
});

test.run();
