// A rule that allows all of a program also allows each of its subcommands: no narrower rule may be judged more severely.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { data } from '../../src/generated/data.js';
import { lintTexts } from './linted.js';

const test = suite('wide commands');
const RANK = ['info', 'warning', 'error'];

const families = Object.values(data('wide-commands') as Readonly<Record<string, unknown>>);
const listed = families.flatMap((words) => (Array.isArray(words) ? words.map(String) : []));
const runners = 'npm pnpm yarn bun npx uvx uv pipx cargo go make poetry bundle deno mise just mix conda gem docker'.split(' ');
const narrow = [...new Set(listed)].filter((command) => runners.includes(command.split(' ', 1)[0] ?? ''));

/** How severely `Bash(COMMAND *)` is judged; -1: not at all. */
function severityOf(command: string): number {
  const text = JSON.stringify({ permissions: { allow: [`Bash(${command} *)`] } });
  const found = lintTexts({ '.claude/settings.json': text }).findings.filter(({ ruleId }) => ruleId.startsWith('permissions/'));
  return Math.max(-1, ...found.map(({ severity }) => RANK.indexOf(severity)));
}

for (const command of narrow.filter((one) => one.includes(' ')))
  test(`the program of ${command} is judged as severely`, () => {
    const [program = ''] = command.split(' ', 1);
    assert.ok(
      severityOf(program) >= severityOf(command),
      `${program}: ${severityOf(program)}, ${command}: ${severityOf(command)}`,
    );
  });

test('all of pnpm is an error, for its worst call', () => {
  const allow = ['Bash(pnpm *)'];
  const { findings } = lintTexts({ '.claude/settings.json': JSON.stringify({ permissions: { allow } }) });
  const said = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  assert.equal(said, ['"Bash(pnpm *)" allows any code: pnpm dlx runs whatever follows it.']);
});

test.run();
