// Files that a goal mentions with @: every reading of them is judged, or the client is kept from reading any.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mentionedPaths, mentionNote, withoutMentions } from '../../../src/runner/launch/mentions.js';

const test = suite('mentioned files');

/** A prompt, and paths that some client may read for it. */
const READINGS: readonly (readonly [prompt: string, paths: readonly string[]])[] = [
  ['look at @src/x.ts', ['src/x.ts']],
  ['@.env', ['.env']],
  ['see @src/x.ts:10, and @src/y.ts.', ['src/x.ts', 'src/y.ts']],
  ['see @src/x.ts#L10-20', ['src/x.ts', 'src/x.ts#L10-20']],
  ['see (@docs/a.md) and **@b.md**', ['docs/a.md', 'b.md']],
  ['@a.ts,@b.ts', ['a.ts', 'b.ts']],
  ['@"a b.txt"', ['a b.txt']],
  ['@a\\ b.txt', ['a b.txt']],
  ['@~/.ssh/id_rsa!', ['~/.ssh/id_rsa']],
  ['@/etc/passwd\n@../x', ['/etc/passwd', '../x']],
  ['node_modules/@types/node', ['types/node']],
  ['mail ann@corp.com', ['corp.com']],
];

for (const [prompt, paths] of READINGS)
  test(`of ${JSON.stringify(prompt)}`, () => {
    const found = mentionedPaths(prompt) ?? [];
    for (const path of paths) assert.ok(found.includes(path), `${path} is not in ${JSON.stringify(found)}`);
  });

test('nothing is mentioned', () => {
  for (const prompt of ['', 'x @ y', 'fix it', '@']) assert.equal(mentionedPaths(prompt), [], prompt);
});

test('hostile prompts end in an answer: too many mentions, and no path longer than a system takes', () => {
  assert.is(mentionedPaths('@a '.repeat(20_000)), null);
  for (const tail of ['.'.repeat(120_000), '1:'.repeat(60_000), '('.repeat(120_000)]) {
    const found = mentionedPaths(`${'@'.repeat(100)}${tail}x`) ?? [];
    assert.ok(found.length > 0);
    for (const path of found) assert.ok(path.length <= 4_096, `${path.length}`);
  }
});

/** What either client follows: read in Gemini CLI 0.61.0 (AT_COMMAND_PATH_REGEX_SOURCE) and Qwen Code 0.24.4 (parseAllAtCommands). */
const FOLLOWED = /(?<!\\)@(?:"[^"]*"|\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r]))/;

test('behind a backslash no @ is left that a client would follow', () => {
  for (const [prompt] of READINGS) {
    const escaped = withoutMentions(prompt);
    assert.not.match(escaped, FOLLOWED);
    assert.is(escaped.replaceAll('\\@', '@'), prompt);
  }
  for (const [prompt, expected] of [
    ['\\@x', '\\\\@x'],
    ['mail ann@corp.com', 'mail ann\\@corp.com'],
    ['see @\u00a0x, @"a b" and @.env', 'see \\@\u00a0x, \\@"a b" and \\@.env'],
    ['what is an @, (and @) or @?', 'what is an @, (and @) or @?'],
    ['@', '@'],
  ] as const) {
    assert.is(withoutMentions(prompt), expected);
    assert.not.match(expected, FOLLOWED);
  }
});

test('a note says so where a file seems to be meant', () => {
  assert.match(mentionNote('look at @src/x.ts', 'Gemini CLI') ?? '', /^Gemini CLI is kept from reading /);
  for (const prompt of ['mail ann@corp.com', 'fix it', 'x @ y']) assert.is(mentionNote(prompt, 'Gemini CLI'), null, prompt);
});

test.run();
