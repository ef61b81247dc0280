// Rules of Claude Code's settings are read as the client reads them: recorded tables of 2.1.329, what each rule did to each call.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerOf } from '../../../src/lint/claude-rules/answer.js';
import { readClaudeRule } from '../../../src/lint/claude-rules/read.js';
import { CWD, HOME, type RecordedRow, recordedTables } from './recorded.js';

const test = suite('rules of Claude Code: recorded tables');

/** The rules of the tables came from the command line, so that `/` begins at no folder of the project. */
const PLACES = { cwd: CWD, home: HOME };
const SETTINGS = '/opt/work/settings';

/** How many rows there are at least; of the first table exactly. */
const ROWS: Readonly<Record<string, number>> = {
  'bash-wildcards': 44 * 19 * 2,
  'path-rules-write': 29 * 9 * 2,
  'other-rules': 700,
};

function readOtherwise({ rule, effect, call, label, matches }: RecordedRow): string[] {
  const ours = answerOf([{ ...readClaudeRule(rule, effect), settings: SETTINGS }], call, PLACES)?.effect === effect;
  return ours === matches ? [] : [`${effect} ${rule} | ${label}: ${ours ? 'matches' : 'does not match'} here`];
}

for (const [name, rows] of Object.entries(recordedTables))
  test(`${name}: every rule against every call, as allow and as deny (${rows.length} rows)`, () => {
    assert.ok(rows.length >= (ROWS[name] ?? 0), `${rows.length}`);
    assert.equal(rows.flatMap(readOtherwise), [], `${name}: rows read otherwise`);
  });

test('each command of a line may have its own rule, and every one needs one', () => {
  const rules = ['Bash(zz a)', 'Bash(yy:*)'].map((text) => ({ ...readClaudeRule(text, 'allow'), settings: SETTINGS }));
  const answer = (command: string) =>
    answerOf(rules, { tool: 'Bash', input: { command }, cwd: CWD, headless: false, shell: 'bash' }, PLACES)?.effect ?? null;
  assert.is(answer('zz a && yy b'), 'allow');
  assert.is(answer('zz a | yy b 2>&1'), 'allow');
  assert.is(answer('zz a && xx'), null);
  for (const command of [
    'zz a > f',
    'zz a &',
    'yy $(zz a)',
    'yy `xx`',
    '(zz a)',
    'yy <(zz a)',
    'X=1 zz a',
    'for i in 1; do zz a; done',
  ])
    assert.is(answer(command), null, command);
});

test('the words before a command that are programs of their own', () => {
  for (const [rule, command, effect] of [
    ['Bash(time:*)', 'time touch x', 'allow'],
    ['Bash(timeout:*)', 'timeout 5 touch x', 'allow'],
    ['Bash(command:*)', 'command touch x', 'allow'],
    ['Bash(command:*)', 'command touch x', 'deny'],
    ['Bash(time:*)', 'touch x', null],
  ] as const) {
    const call = { tool: 'Bash', input: { command }, cwd: CWD, headless: false, shell: 'bash' } as const;
    const answer = answerOf([{ ...readClaudeRule(rule, effect ?? 'allow'), settings: SETTINGS }], call, PLACES);
    assert.is(answer?.effect ?? null, effect, `${rule} | ${command}`);
  }
});

test.run();
