// Variables with which a client starts no hook, wherever it takes them from, and versions that start none: a PROBLEM each.
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent, policy } from '../../cli/spawned.js';
import { problemsOf, type World, world } from './doctor-world.js';

const test = suite('doctor: variables that switch hooks off');
const check = insideAgent ? test.skip : test;

const env = (name: string, value: unknown = '1') =>
  `{\n  "env": {\n    "CI": "1",\n    "${name}": ${JSON.stringify(value)}\n  }\n}\n`;

/** Paths are below the home; the project is `project` in it. */
const switched: readonly (readonly [runner: string, file: string, text: string, says: string])[] = [
  ['claude-code', '.claude/settings.json', env('CLAUDE_CODE_SIMPLE'), ':4 sets CLAUDE_CODE_SIMPLE'],
  ['claude-code', '.claude/settings.json', env('CLAUDE_CODE_SAFE_MODE', 'True'), ':4 sets CLAUDE_CODE_SAFE_MODE'],
  ['claude-code', 'project/.claude/settings.json', env('CLAUDE_CODE_SIMPLE', 'on'), ':4 sets CLAUDE_CODE_SIMPLE'],
  ['claude-code', 'project/.claude/settings.local.json', env('CLAUDE_CODE_SIMPLE', ' yes '), ':4 sets CLAUDE_CODE_SIMPLE'],
  ['qwen-code', 'project/.env', 'A=1\nexport QWEN_CODE_SAFE_MODE=1\n', ':2 sets QWEN_CODE_SAFE_MODE'],
  ['qwen-code', 'project/.qwen/.env', "QWEN_CODE_SIMPLE = 'true' # x\r\n", ':1 sets QWEN_CODE_SIMPLE'],
  ['qwen-code', 'project/.env', "A=1\nQWEN_CODE_SIMPLE=\n'1'\n", ':2 sets QWEN_CODE_SIMPLE'],
  ['qwen-code', 'project/.qwen/settings.json', env('QWEN_CODE_SAFE_MODE'), ':4 sets QWEN_CODE_SAFE_MODE'],
  ['qwen-code', '.qwen/settings.json', env('QWEN_CODE_SAFE_MODE'), ':4 sets QWEN_CODE_SAFE_MODE'],
  ['qwen-code', '.env', 'QWEN_CODE_SAFE_MODE=1\n', ':1 sets QWEN_CODE_SAFE_MODE'],
];

/** Settings of the person have the hook in them, too. */
function withHook(runner: string, file: string, text: string): World {
  const here = world('none');
  const isOwn = !file.startsWith('project/') && file.endsWith('.json');
  if (isOwn) here.write(file, text);
  here.install(runner, '--user');
  if (!isOwn) here.write(file, text);
  return here;
}

for (const [runner, file, text, says] of switched)
  check(`${runner}: ${says} in ${file}`, async () => {
    const here = withHook(runner, file, text);
    const found = problemsOf(await here.examine()).filter((one) => one.startsWith('switches:'));
    assert.is(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', `${file}${says}, which makes ${runner} run no hook`);
    const { stderr } = policy(['install', runner, '--user', '--yes'], { cwd: here.project, env: { HOME: here.home } });
    assert.match(stderr, `PROBLEM: ${here.home}/${file}${says}`);
  });

const harmless: readonly (readonly [runner: string, file: string, text: string])[] = [
  ['claude-code', 'project/.claude/settings.json', env('CLAUDE_CODE_SIMPLE', '0')],
  ['claude-code', 'project/.claude/settings.json', env('CLAUDE_CODE_SIMPLE', ['1'])],
  ['claude-code', 'project/.env', 'CLAUDE_CODE_SIMPLE=1\n'],
  ['qwen-code', 'project/.env', '# QWEN_CODE_SAFE_MODE=1\nMY_QWEN_CODE_SAFE_MODE=1\nQWEN_CODE_SAFE_MODE=off\n'],
  ['gemini-cli', 'project/.env', 'QWEN_CODE_SAFE_MODE=1\n'],
];

for (const [runner, file, text] of harmless)
  check(`${runner}: nothing to say of ${JSON.stringify(text)} in ${file}`, async () => {
    const found = problemsOf(await withHook(runner, file, text).examine());
    assert.equal(
      found.filter((one) => one.startsWith('switches:')),
      [],
    );
  });

check('what the environment says: it counts by itself, and before the files of Qwen Code', async () => {
  const here = withHook('qwen-code', 'project/.env', 'QWEN_CODE_SAFE_MODE=1\n');
  const said = async (variables: Readonly<Record<string, string>>) => {
    const places = {
      home: here.home,
      project: here.project,
      machine: here.machine,
      environment: { HOME: here.home, ...variables },
    };
    return problemsOf(await here.examine({ places }))
      .filter((one) => one.startsWith('switches:'))
      .join();
  };
  assert.is(await said({ QWEN_CODE_SAFE_MODE: '0' }), '');
  assert.match(
    await said({ QWEN_CODE_SIMPLE: '1', QWEN_CODE_SAFE_MODE: '0' }),
    /^switches: QWEN_CODE_SIMPLE is set in the environment/,
  );
});

/** [program, package, version, whether it runs hooks] */
const versions: readonly (readonly [program: string, runner: string, version: string, runs: boolean])[] = [
  ['gemini', 'gemini-cli', '0.24.4', false],
  ['gemini', 'gemini-cli', '0.26.0', true],
  ['qwen', 'qwen-code', '0.12.9', false],
  ['qwen', 'qwen-code', '0.24.4', true],
];

for (const [program, runner, version, runs] of versions)
  check(`${runner} ${version} ${runs ? 'runs hooks' : 'runs no hook'}`, async () => {
    const here = world(program);
    const folder = join(dirname(here.machine), 'bin');
    writeFileSync(join(folder, 'lib/package.json'), JSON.stringify({ name: `@vendor/${runner}`, version }));
    unlinkSync(join(folder, program));
    symlinkSync('lib/cli.js', join(folder, program));
    here.install(runner, '--user');
    const found = problemsOf(await here.examine()).filter((one) => one.startsWith('client:'));
    assert.is(found.length, runs ? 0 : 1, found.join('\n'));
    if (!runs) assert.match(found[0] ?? '', new RegExp(`^client: ${runner} ${version} .* runs no hook`));
  });

test.run();
