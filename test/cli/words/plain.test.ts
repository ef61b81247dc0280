// Plain command lines give what yargs gives, and all others are left to it.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../../src/cli/commands.js';
import type { Arguments } from '../../../src/cli/words/arguments.js';
import { nameOf } from '../../../src/cli/words/command.js';
import { type Declared, declaredBy } from '../../../src/cli/words/declared.js';
import { parseByYargs } from '../../../src/cli/words/parse.js';
import { plainWords } from '../../../src/cli/words/plain.js';

async function declaredFor(name: string): Promise<Declared> {
  const entry = commands.find((command) => nameOf(command) === name);
  if (entry === undefined) throw new Error(`there is no command ${name}`);
  return declaredBy(entry, await entry.load());
}

const check = await declaredFor('check');
const log = await declaredFor('log');
const lint = await declaredFor('lint');

/** What commands ask for: their arguments and options, where they were given. */
function asked(args: Arguments, declared: Declared): Readonly<Record<string, unknown>> {
  const names = [...declared.arguments, ...declared.options].map(({ name }) => name);
  return Object.fromEntries(names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]));
}

const PLAIN: readonly (readonly [words: readonly string[], args: Readonly<Record<string, unknown>>])[] = [
  [[], {}],
  [['Bash'], { tool: 'Bash' }],
  [['Bash', 'git push --force'], { tool: 'Bash', input: 'git push --force' }],
  [['--json', 'Bash', 'ls'], { json: true, tool: 'Bash', input: 'ls' }],
  [['Bash', 'ls', '--json', '--no-color'], { json: true, 'no-color': true, tool: 'Bash', input: 'ls' }],
  [['--agent', 'rev', 'Bash', 'ls'], { agent: 'rev', tool: 'Bash', input: 'ls' }],
  [['--agent=rev=x', 'Bash', 'ls'], { agent: 'rev=x', tool: 'Bash', input: 'ls' }],
  [['--input-json', '{"command":"ls"}', 'Bash'], { 'input-json': '{"command":"ls"}', tool: 'Bash' }],
  [['Bash', '12'], { tool: 'Bash', input: '12' }],
];

for (const [words, args] of PLAIN)
  test(`plain: ${JSON.stringify(words)}`, async () => {
    assert.equal(plainWords(words, check), args);
    assert.equal(asked(await parseByYargs('check', words, check), check), args);
  });

const LISTS: readonly (readonly [words: readonly string[], args: Readonly<Record<string, unknown>>])[] = [
  [[], {}],
  [['a'], { paths: ['a'] }],
  [['a', '--exit-zero', 'b c', '--format', 'json', '7'], { paths: ['a', 'b c', '7'], 'exit-zero': true, format: 'json' }],
];

for (const [words, args] of LISTS)
  test(`plain, a list: ${JSON.stringify(words)}`, async () => {
    assert.equal(plainWords(words, lint), args);
    assert.equal(asked(await parseByYargs('lint', words, lint), lint), args);
  });

for (const words of [
  ['a', '-x'],
  ['a', ''],
  ['a', '"b"'],
  ['--fix=unsafe', 'a'],
  ['a', '--', 'b'],
  ['a', '--paths', 'b'],
])
  test(`left to yargs, a list: ${JSON.stringify(words)}`, () => {
    assert.is(plainWords(words, lint), null);
  });

const run = await declaredFor('run');

for (const [name, words, declared] of [
  ['run', ['reviewer', '--goal', 'do it', '--json'], run],
  ['run', ['--preset', 'safe', '--goal=a b'], run],
  ['lint', ['--fix'], lint],
  ['lint', [], lint],
] as const)
  test(`plain, with a list that is empty: ${name} ${words.join(' ')}`, async () => {
    const args = plainWords(words, declared);
    assert.ok(args);
    const listed = asked(await parseByYargs(name, words, declared), declared);
    const given = Object.fromEntries(Object.entries(listed).filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
    assert.equal(given, args);
  });

for (const [goal, words] of [
  ['- one', ['reviewer', '--goal', '- one']],
  ['--', ['reviewer', '--goal', '--']],
  ['--goal', ['reviewer', '--goal=--goal']],
  [`'it'`, ['--goal', `'it'`, 'reviewer']],
  ['', ['--goal=', 'reviewer']],
] as const)
  test(`a free text is taken as it is: ${JSON.stringify(words)}`, async () => {
    assert.is(plainWords(words, run), null);
    const { goal: read, agent } = await parseByYargs('run', words, run);
    assert.equal([read, agent], [goal, 'reviewer']);
  });

const LEFT: readonly (readonly [words: readonly string[], why: string])[] = [
  [['Bash', '"ls"'], 'yargs takes the quotes off'],
  [['Bash', "'ls'"], 'yargs takes the quotes off'],
  [['Bash', ''], 'an empty word'],
  [['Bash', '-x'], 'a short option'],
  [['Bash', '--', '-x'], 'words behind two dashes'],
  [['Bash', 'git', 'push'], 'a word too many'],
  [['--nope', 'Bash'], 'an unknown option'],
  [['--json', '--json', 'Bash'], 'an option that is given twice'],
  [['--json=false', 'Bash'], 'a switch with a value'],
  [['Bash', 'ls', '--agent'], 'an option without its value'],
  [['--agent', '--json', 'Bash'], 'an option in the place of a value'],
  [['--agent=', 'Bash'], 'an empty value'],
  [['--tool', 'Bash'], 'an argument as an option'],
  [['--__proto__', 'Bash'], 'a name that every object has'],
];

for (const [words, why] of LEFT)
  test(`left to yargs: ${why}`, () => {
    assert.is(plainWords(words, check), null);
  });

test('whatever is read without yargs is what yargs reads', async () => {
  const names = [...check.options, ...log.options, ...lint.options].map(({ name }) => `--${name}`);
  const word = fc.oneof(
    fc.constantFrom(...names, ...names.map((name) => `${name}=x`), '--', '-', '-h', '--json=true', 'true', 'false', '__proto__'),
    fc.constantFrom('Bash', 'git status', 'a=b', '{"command":"ls"}', '1', '0x1', '1e3', '~', '@x', '[x]', '(x)', 'constructor'),
    fc.string({ maxLength: 6 }),
  );
  let plain = 0;
  for (const [name, declared] of [
    ['check', check],
    ['log', log],
    ['lint', lint],
  ] as const)
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
        const args = plainWords(words, declared);
        if (args === null) return;
        plain += 1;
        assert.equal(asked(args, declared), asked(await parseByYargs(name, words, declared), declared));
      }),
      { numRuns: 1500 },
    );
  assert.ok(plain > 200, `only ${plain} of the lines were plain`);
});

test.run();
