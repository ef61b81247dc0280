// The help texts: complete for every command, true in every example, readable in every terminal.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { type CommandEntry, type CommandFile, type Example, GROUPS, nameOf } from '../../src/cli/words/command.js';
import { declaredBy } from '../../src/cli/words/declared.js';
import { commandHelp, overview } from '../../src/cli/words/help-text.js';
import { type Answer, CLEAN_REPOSITORY, COMMAND, insideAgent, policy, scratch } from './spawned.js';

const test = suite('help');
const empty = scratch({});
const files: readonly (readonly [entry: CommandEntry, file: CommandFile])[] = await Promise.all(
  commands.map(async (entry) => [entry, await entry.load()] as const),
);

/** A folder for PATH in which `policy` is the built command. */
const programs = scratch({ policy: `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n` });
chmodSync(join(programs, 'policy'), 0o755);

/** A copy of the demo repository and a home in which two decisions have been logged. */
function desk(): { readonly cwd: string; readonly home: string } {
  const cwd = scratch(Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/'))));
  cpSync('test/fixtures/demo-repo', cwd, { recursive: true });
  return { cwd, home: scratch({}) };
}

/** The state folder of somebody whose agent tried two calls; every example starts with a copy of it. */
function stateWithTwoDecisions(): string {
  const { cwd, home } = desk();
  for (const command of ['rm -rf build', 'git push']) {
    const call = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } };
    policy(['hook', 'claude-code'], { cwd, env: { HOME: home }, input: JSON.stringify(call) });
  }
  return join(home, '.local/state/policy');
}

const state = stateWithTwoDecisions();

/** The words behind `policy` in a line that is nothing else: bare ones, or quoted ones without anything in them that means more. */
function plainWords(line: string): readonly string[] | null {
  if (!/^policy(?: (?:[\w./:=@,+-]+|'[^'\n]*'|"[^"$`\\!\n]*"))*$/.test(line)) return null;
  const words = [...line.matchAll(/ (?:'([^']*)'|"([^"]*)"|([^ ]+))/g)];
  return words.map(([, single, double, bare]) => single ?? double ?? bare ?? '');
}

/** What the line of an example answers: typed into a shell where it needs one. */
async function typed({ line }: Example): Promise<Answer> {
  const { cwd, home } = desk();
  mkdirSync(join(home, '.local/state'), { recursive: true, mode: 0o700 });
  cpSync(state, join(home, '.local/state/policy'), { recursive: true });
  chmodSync(join(home, '.local/state/policy'), 0o700);
  const env = { PATH: `${programs}:${process.env.PATH ?? ''}`, HOME: home, LC_ALL: 'C.UTF-8' };
  const words = plainWords(line);
  if (words !== null) return policy(words, { cwd, env: { PATH: env.PATH, HOME: home } });
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', line], { cwd, env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const examples = files.flatMap(([entry]) => entry.help().examples.map((example) => ({ name: nameOf(entry), example })));
const CHANGES = /\bpolicy (?:trust|install|uninstall|mcp pin|log seal|observe on --yes)\b/;
const answers: Answer[] = [];
const waiting = examples.entries();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const [index, { example }] of waiting) answers[index] = await typed(example);
  }),
);
for (const [index, { name, example }] of examples.entries())
  (insideAgent && CHANGES.test(example.line) ? test.skip : test)(
    `${name}: ${example.line} prints what its help shows and ends with ${example.exit}`,
    () => {
      const answer = answers[index] ?? { status: null, stdout: '', stderr: '' };
      assert.is(answer.status, example.exit, answer.stderr);
      const printed = sample(answer.stdout);
      assert.ok(fits(printed, sample(example.prints.join('\n'))), `printed:\n${printed}\n${answer.stderr}`);
    },
  );

/** The lines without what differs from run to run. */
function sample(text: string): string {
  return text
    .trimEnd()
    .replace(/ · \d+\.\d s$/gm, ' · SECONDS')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
}

/** Whether the lines are those that were shown; `…` stands for any number of them. */
function fits(printed: string, shown: string): boolean {
  const parts = `\n${shown}\n`.split('\n…');
  let from = 0;
  const text = `\n${printed}\n`;
  for (const [index, part] of parts.entries()) {
    const at = index === parts.length - 1 ? text.lastIndexOf(part) : text.indexOf(part, from);
    if (at < from || (index === 0 && at !== 0)) return false;
    from = at + Math.max(0, part.length - 1);
  }
  return text.length - from <= 1 || shown.endsWith('…');
}

for (const [entry, file] of files) {
  const name = nameOf(entry);

  test(`${name} belongs to a task and says what it does, answers and reads, with two examples at least`, () => {
    assert.ok(GROUPS.includes(entry.group));
    const [synopsis = '', ...paragraphs] = entry.help().usage.split('\n\n');
    for (const line of synopsis.split('\n')) assert.match(line, new RegExp(`^\\$0 ${name}\\b`));
    assert.ok(paragraphs.join(' ').length > 60, 'a few sentences');
    assert.ok(entry.help().examples.length >= 2, 'two examples');
    assert.ok(entry.help().exitCodes.some(([code]) => code === 0) && entry.help().exitCodes.length >= 2, 'exit codes');
    const codes = entry.help().exitCodes.map(([code]) => code);
    for (const { exit } of entry.help().examples) assert.ok(codes.includes(exit), `exit code ${exit} is explained`);
  });

  test(`${name} describes all it takes, and every option of its synopsis exists`, () => {
    const { options, arguments: declared } = declaredBy(entry, file);
    for (const { describe } of [...options, ...declared]) assert.ok(describe.length > 3);
    const flags = options.flatMap(({ name: flag, alias }) => [`--${flag}`, ...(alias === undefined ? [] : [`-${alias}`])]);
    for (const [flag] of entry
      .help()
      .usage.split('\n\n')[0]
      ?.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [])
      assert.ok(flags.includes(flag), flag);
  });

  for (const width of [28, 40, 80, 120])
    test(`${name}: the help in ${width} columns, examples aside`, () => {
      const text = commandHelp(entry, file, width);
      const [described = ''] = text.split('\nExamples\n');
      const widest = Math.max(...described.split('\n').map((line) => line.length));
      assert.ok(widest <= width, `${widest} columns:\n${described}`);
    });
}

test('the overview names every command once, by task, and fits', () => {
  for (const width of [30, 60, 80]) {
    const text = overview(commands, width);
    for (const line of text.split('\n')) assert.ok(line.length <= width, line);
    for (const name of commands.map(nameOf)) assert.is(text.match(new RegExp(`^ {2}${name}\\b`, 'gm'))?.length, 1, name);
    const titles = text.split('\n').filter((line) => (GROUPS as readonly string[]).includes(line));
    assert.equal(titles, [...GROUPS]);
  }
});

const same: readonly (readonly [args: readonly string[], other: readonly string[]])[] = [
  [['--help'], ['help']],
  [['-h'], ['help']],
  [
    ['check', '--help'],
    ['help', 'check'],
  ],
  [
    ['log', '-h'],
    ['help', 'log'],
  ],
  [
    ['log', 'show', '--help'],
    ['help', 'log'],
  ],
  [['--version'], ['-V']],
  [['--version'], ['-v']],
  [['--version'], ['version']],
  [['--version'], ['--no-color', 'version']],
];
for (const [args, other] of same)
  test(`policy ${args.join(' ')} is policy ${other.join(' ')}, on standard output, with exit code 0`, () => {
    const answer = policy(args, { cwd: empty });
    assert.equal(answer, policy(other, { cwd: empty }));
    assert.is(answer.status, 0);
    assert.is(answer.stderr, '');
    assert.ok(answer.stdout.length > 3);
  });

const mistakes: readonly (readonly [args: readonly string[], says: RegExp, why: string])[] = [
  [[], /^Name a command; `policy --help` lists them\.$/m, 'no command'],
  [['chekc'], /^Unknown command: chekc; did you mean check\?$/m, 'two letters swapped'],
  [['--verison'], /^Unknown option: --verison; did you mean --version\?$/m, 'a misspelt option'],
  [['frobnicate'], /`policy --help` lists the commands/, 'nothing like it'],
  [['help', 'ltin'], /did you mean lint\?/, 'a misspelt topic'],
  [['check', 'Bash', 'git', 'push'], /Unknown argument: push; put an input with spaces in quotes/, 'no quotes'],
  [['check', '--presett', 'safe', 'Bash', 'ls'], /did you mean --preset\?/, 'a misspelt option of a command'],
  [
    ['check', '--preset', 'sfae', 'Bash', 'ls'],
    /did you mean safe\? It has to be one of readOnly, inspect, safe, develop, all$/m,
    'a misspelt value',
  ],
  [['check', '--preset'], /preset/, 'a missing value'],
  [['overlay'], /^policy overlay needs ACTION, one of show, write; `policy overlay --help` explains it$/m, 'a missing argument'],
  [
    ['check', 'git push'],
    /^"git push" is not a tool; did you mean: policy check Bash "git push"$/m,
    'a command in the place of the tool',
  ],
  [['log', 'tial'], /did you mean tail\?/, 'a misspelt action'],
  [['tools', 'list', 'all'], /Unknown argument: all; `policy tools --help` explains what it takes/, 'one word too many'],
  [['completion'], /one of bash, zsh, fish/, 'a missing shell'],
];
for (const [args, says, why] of mistakes)
  test(`${why}: policy ${args.join(' ')} → exit 3 and one sentence on standard error`, () => {
    const { status, stdout, stderr } = policy(args, { cwd: empty });
    assert.is(status, 3, stdout);
    assert.is(stdout, '');
    assert.match(stderr, says);
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr);
  });

test.run();
