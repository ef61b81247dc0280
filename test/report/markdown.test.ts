// What a stranger wrote stays text in a Markdown document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { block, code, plain, table } from '../../src/report/printing/markdown.js';

const texts: readonly (readonly [what: string, text: string, markdown: string])[] = [
  ['a tag', '<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
  ['a link', '[allowed](javascript:x)', '\\[allowed\\](javascript:x)'],
  ['an address becomes no link', 'see https://evil.example', 'see https:/\\/evil.example'],
  ['nor does www', 'www.evil.example', 'www\\.evil.example'],
  ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
  ['emphasis and a table bar', '**a** | b', '\\*\\*a\\*\\* \\| b'],
  ['a heading on a second line', 'a\n# Confirmed', 'a\\\\n\\# Confirmed'],
];
for (const [what, text, markdown] of texts)
  test(`text: ${what}`, () => {
    assert.is(plain(text), markdown);
  });

const codes: readonly (readonly [what: string, text: string, markdown: string])[] = [
  ['plain', 'git status', '`git status`'],
  ['backticks get a longer fence', 'a`b``c', '```a`b``c```'],
  ['backticks at the ends', '`x`', '`` `x` ``'],
  ['empty', '', '`  `'],
  ['a line break', 'a\nb', '`a\\nb`'],
  ['an escape sequence', '\u001b[2J', '`\\x1b[2J`'],
];
for (const [what, text, markdown] of codes)
  test(`code: ${what}`, () => {
    assert.is(code(text), markdown);
  });

test('block: a fence inside cannot end it', () => {
  assert.is(block(['a', '```', '# Confirmed\nb']), '````text\na\n```\n# Confirmed\\nb\n````\n');
});

test('table: bars do not open a column, also when already escaped', () => {
  assert.is(table(['A'], [['`a|b`'], ['a\\|b'], ['`a\\\\|b`']]), '| A |\n| --- |\n| `a\\|b` |\n| a\\|b |\n| `a\\\\\\|b` |\n');
});

test.run();
