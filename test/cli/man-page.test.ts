// man/policy.1: what the help says, in roff that prints without a warning.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { manPage } from '../../src/cli/man-page.js';
import { type CommandEntry, type CommandFile, nameOf } from '../../src/cli/words/command.js';
import { declaredBy } from '../../src/cli/words/declared.js';
import { VERSION } from '../../src/generated/build.js';

const test = suite('manual page');
const files = await Promise.all(commands.map(async (entry) => [entry, await entry.load()] as const));

test('man/policy.1 is what the help says: else run node .ci/docs.mjs', () => {
  assert.ok(readFileSync('man/policy.1', 'utf8') === manPage(files, VERSION));
});

/** A command whose words are all that roff could take for its own. */
const odd: readonly [CommandEntry, CommandFile] = [
  {
    command: 'odd',
    group: 'Decide',
    describe: ".starts with a dot \\fBand\\fP a 'quote'",
    load: () => Promise.reject(new Error()),
    help: () => ({
      usage: '$0 odd --x "y"\n\n.TH is no request.\nNor is \\n.',
      exitCodes: [[0, '…']],
      files: [],
      examples: [{ says: '~', line: "echo '\\'", exit: 0, prints: ['.fi', "'br", ''] }],
    }),
  },
  {
    takes: { options: { x: { value: '"X"', describe: "'so" } } },
    run: () => Promise.resolve(0),
  },
];
const rows: readonly (readonly [line: string, why: string])[] = [
  ['\\&.starts with a dot \\efBand\\efP a \\(aqquote\\(aq.', 'a dot in front and backslashes'],
  ['.B "policy odd \\-\\-x \\(dqy\\(dq"', 'hyphens and quotes in an argument'],
  ['\\&.TH is no request. Nor is \\en.', 'a request at the start of a paragraph'],
  ['\\(aqso', 'an apostrophe in front'],
  ['\\[u2026]', 'beyond ASCII'],
  ['$ echo \\(aq\\e\\(aq', 'an example with a backslash'],
  ['\\&.fi', 'printed lines are no requests'],
];
const oddLines = manPage([odd], '1.0').split('\n');
for (const [line, why] of rows) test(`roff: ${why}`, () => assert.ok(oddLines.includes(line), oddLines.join('\n')));

const hasGroff = spawnSync('groff', ['--version'], { stdio: 'ignore' }).error === undefined;
const printed = (roff: string) => spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], { input: roff, encoding: 'utf8' });

(hasGroff ? test : test.skip)('groff prints it without a warning, with every command, option and example', () => {
  const { status, stdout, stderr } = printed(readFileSync('man/policy.1', 'utf8'));
  assert.is(status, 0);
  assert.is(stderr, '');
  const flat = stdout.replace(/\s+/g, ' ');
  for (const [entry, file] of files) {
    assert.ok(flat.includes(` policy ${nameOf(entry)} `), nameOf(entry));
    for (const { name } of declaredBy(entry, file).options) assert.ok(flat.includes(`--${name}`), name);
    for (const { line } of entry.help().examples) assert.ok(flat.includes(`$ ${line.replace(/\s+/g, ' ')}`), line);
  }
});

(hasGroff ? test : test.skip)('groff prints odd texts as they are', () => {
  const { stdout, stderr } = printed(manPage([odd], '1.0'));
  assert.is(stderr, '');
  for (const text of [
    ".starts with a dot \\fBand\\fP a 'quote'",
    '--x "y"',
    '.TH is no request. Nor is \\n.',
    "$ echo '\\'",
    '.fi',
  ])
    assert.ok(stdout.includes(text), text);
});

test.run();
