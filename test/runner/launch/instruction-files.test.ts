// What instruction files import, as the clients read them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ImportSyntax, importsIn } from '../../../src/runner/launch/instruction-files.js';

const MARKDOWN: ImportSyntax = { form: 'markdown', code: 'blocks', outside: null };
const QWEN: ImportSyntax = { form: 'word', code: 'blocks', outside: null };
const GEMINI: ImportSyntax = { form: 'word', code: 'backticks', outside: null };

/** Whether the secret is imported. */
function isImported(text: string, syntax: ImportSyntax): boolean {
  return (importsIn(text, syntax) ?? []).some(({ paths }) => paths.includes('.env'));
}

const AS_MENTIONED: Readonly<Record<string, string>> = {
  alone: '@.env',
  'in a sentence': 'See @.env, and go on',
  'at its end': 'See @.env.',
  'in a list': '- @.env',
  'in brackets': 'as it says (@.env)',
  emphasized: 'read **@.env** first',
  'behind a colon': 'secrets:@.env',
  'with an anchor': '@.env#top',
  'before other text': '@.env**bold**',
  'behind a quotation mark': '\u201c@.env\u201d',
  'in a heading': '# @.env',
};

test('a mention in Markdown may end in signs of the sentence and of Markdown', () => {
  for (const [why, text] of Object.entries(AS_MENTIONED)) assert.ok(isImported(text, MARKDOWN), why);
});

test('an address and a package are none, and a blank may be a part of the path', () => {
  assert.equal(importsIn('ann@corp.com', MARKDOWN), []);
  assert.equal(importsIn('@types/node', MARKDOWN)?.[0]?.paths, ['types/node']);
  assert.ok(importsIn('@my\\ file.md', MARKDOWN)?.[0]?.paths.includes('my file.md'));
});

test('the line is that of the mention, with any ends of lines', () => {
  assert.equal(
    importsIn('a\r\nb\rc\n@x.md\n\n@y.md', MARKDOWN)?.map(({ line, paths }) => [line, paths[0]]),
    [
      [4, 'x.md'],
      [6, 'y.md'],
    ],
  );
});

test('a whole word is taken as it is', () => {
  for (const syntax of [QWEN, GEMINI]) {
    assert.equal(
      importsIn('see @docs/a.md, @./b.md and x@c.md @~/d.md', syntax)?.map(({ paths }) => paths),
      [['docs/a.md,'], ['./b.md']],
    );
  }
});

/** Code to every parser. */
const CODE: Readonly<Record<string, string>> = {
  'a span': 'never ` @.env ` here',
  'two spans': '`x` and ` @.env `',
  'a fence': '```\n @.env\n```\n',
  'a fence with a language': 'text\n```sh\n @.env\n```\n',
  'a fence of tildes': '~~~\n @.env\n```\n@.env\n~~~~\n',
  'a fence that nothing closes': '```\n@.env\n',
  'the second fence': '```\na\n```\n\ntext\n\n```\n@.env\n```\n',
};

test('code imports nothing', () => {
  for (const [why, text] of Object.entries(CODE))
    for (const syntax of [MARKDOWN, QWEN]) assert.not.ok(isImported(text, syntax), why);
});

/** Looks like code, and is none to some client. */
const NO_CODE: Readonly<Record<string, string>> = {
  'behind a fence': '```\na\n```\n@.env\n',
  'behind a span': '`a` @.env',
  'between spans': '`a` @.env `b`',
  'between escaped backticks': '\\` @.env \\`',
  'one backtick': 'a ` @.env',
  'backticks in two paragraphs': 'a `\n\n @.env `',
  'a span that began in the line before': 'a `b\nc` @.env `d`',
  'a fence in HTML': '<div>\n```\n @.env\n```\n</div>',
  'a fence in a comment': '<!--\n```\n-->\n @.env\n',
  'a fence in front matter': '---\n```\n---\n @.env\n',
  'a fence in a list, which ends before': '- ```\n @.env\n',
  'an indented fence in a list, which ends before': '- a\n  ```\n@.env\n',
  'behind a fence that only an indented one closes': '```\na\n   ```\n @.env\n```\n',
  'a fence with a backtick in its first line': '``` a`b\n @.env\n',
  'an address before the span': 'https://x.y/` @.env `',
  'struck text before the span': '~a ` b~ @.env `',
  'cells of a table': '| ` | @.env ` |\n|--|--|\n',
  'an attribute': 'x <a b="`"> @.env `',
};

test('what only looks like code is looked at', () => {
  for (const [why, text] of Object.entries(NO_CODE))
    for (const syntax of [MARKDOWN, QWEN]) assert.ok(isImported(text, syntax), why);
});

test('Gemini CLI takes for code what lies between as many backticks, over lines and paragraphs', () => {
  for (const text of [
    '` @.env `',
    '```\n @.env\n```',
    'a `\n\n @.env `',
    '<div>\n```\n @.env\n```',
    '`` ` @.env ``',
    '- ```\n @.env\n```',
  ])
    assert.not.ok(isImported(text, GEMINI), text);
  for (const text of ['` @.env', '`a` @.env `b`', '```\n``` @.env', '    @.env', '`` @.env `', '~~~\n @.env\n~~~'])
    assert.ok(isImported(text, GEMINI), text);
});

test('no text takes long', () => {
  const texts = [
    '`'.repeat(300_000),
    '` `` '.repeat(60_000),
    `@${'.'.repeat(400_000)}`,
    '@'.repeat(9000),
    '@a*'.repeat(9000),
    '~~~\n'.repeat(90_000),
  ];
  const began = performance.now();
  for (const text of texts) for (const syntax of [MARKDOWN, QWEN, GEMINI]) importsIn(`${text}\n@x`, syntax);
  assert.ok(performance.now() - began < 6000, `${performance.now() - began} ms`);
  assert.is(importsIn('@a '.repeat(10_001), MARKDOWN), null);
});

test.run();
