// `policy doctor` on what only looks like an installation: lines, handlers and plugins that start our hook and lose what it says.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent } from '../../cli/spawned.js';
import { problemsOf, SETTINGS, type World, world } from './doctor-world.js';

const test = suite('doctor-lookalikes');
const check = insideAgent ? test.skip : test;

const GEMINI = '.gemini/settings.json';
const COPILOT = '.copilot/hooks/policy.json';
const PLUGIN = '.config/opencode/plugins/policy.js';
const POLICY = '.config/policy/policy.yaml';

/** Puts words behind the last option of the hook, where the line goes on to turn failures into denials. */
const behind = (words: string) => (at: World) => at.change(SETTINGS, '--proof line', `--proof line${words}`);
const inLine = (from: string | RegExp, to: string) => (at: World) => at.change(SETTINGS, from, to);
const handler = (more: string) => (at: World) => at.change(SETTINGS, '"type": "command"', `${more}, "type": "command"`);

/** [what was planted, the runner, how, which check names it in which words] */
const planted: readonly (readonly [what: string, runner: string, plant: (at: World) => void, says: RegExp])[] = [
  [
    'a line whose questions go nowhere',
    'claude-code',
    behind(' >/dev/null'),
    /^line: .*differs from what `policy install` writes/,
  ],
  ['`|| true` behind the hook', 'claude-code', behind(' || true'), /^line: .*differs from what `policy install` writes/],
  ['`; exit 0` behind the hook', 'claude-code', behind(' ; exit 0'), /^line: .*differs from what `policy install` writes/],
  ['a timer that never ends', 'claude-code', inLine('-k 1 25', '-k 1 0'), /^line: .*differs from what `policy install` writes/],
  [
    'a timer that outlasts the client',
    'claude-code',
    inLine('-k 1 25', '-k 1 99'),
    /^line: .*differs from what `policy install` writes/,
  ],
  ['a timer that goes on', 'claude-code', inLine('-k 1 25', '-s CONT 25'), /^line: .*differs from what `policy install` writes/],
  ['an environment that is not seen', 'claude-code', inLine('--environment parent', '--environment own'), /^line: /],
  ['a managed policy elsewhere', 'claude-code', behind(' --managed-dir /nowhere'), /^line: /],
  ['an environment that is not emptied', 'claude-code', inLine(/\/usr\/bin\/env -i (?:[A-Z_]+=\S+ )+/, ''), /^line: /],
  ['no proof', 'claude-code', inLine(' --proof line', ''), /^line: /],
  ['another home', 'claude-code', inLine(/HOME=\S+/, 'HOME=/nowhere'), /^line: .*is for the home folder \/nowhere/],
  ['another policy', 'claude-code', inLine(/--config-dir \S+/, '--config-dir /nowhere'), /^line: .*uses --config-dir \/nowhere/],
  [
    'a hook of another kind',
    'claude-code',
    inLine('"type": "command"', '"type": "prompt", "prompt": "x"'),
    /^matcher: .*`type` is not "command"/,
  ],
  ['a line that no shell reads', 'claude-code', handler('"args": ["x"]'), /^matcher: .*`args` is not in the installed one/],
  [
    'a line that another shell reads',
    'claude-code',
    handler('"shell": "powershell"'),
    /^matcher: .*`shell` is not in the installed one/,
  ],
  [
    'a timeout that is no number',
    'gemini-cli',
    ({ change }) => change(GEMINI, '"timeout": 30000', '"timeout": "1"'),
    /^matcher: .*timeout of "1" is too short/,
  ],
  [
    'an event in other letters',
    'claude-code',
    inLine('"PreToolUse"', '"preToolUse"'),
    /^installed: No policy hook checks the calls of claude-code/,
  ],
  [
    "another runner's event",
    'gemini-cli',
    ({ change }) => change(GEMINI, '"BeforeTool"', '"PreToolUse"'),
    /^installed: No policy hook/,
  ],
  [
    'a name that is switched off',
    'gemini-cli',
    ({ change }) => change(GEMINI, '"name": "policy"', '"name": "x"'),
    /^matcher: .*`name` is not "policy"/,
  ],
  [
    'variables for the shell',
    'copilot-cli',
    ({ change }) => change(COPILOT, '"type"', '"env": {"BASH_ENV": "x"}, "type"'),
    /^matcher: .*`env` is not in the installed one/,
  ],
  [
    'a switch beside the hook',
    'copilot-cli',
    ({ change }) => change(COPILOT, '"version"', '"disableAllHooks": true, "version"'),
    /^switches: .*disableAllHooks/,
  ],
  [
    'a switch in local settings',
    'copilot-cli',
    ({ write }) => write('project/.github/copilot/settings.local.json', '{"disableAllHooks":true}'),
    /^switches: /,
  ],
  [
    "a switch in Claude Code's settings",
    'copilot-cli',
    ({ write }) => write('project/.claude/settings.local.json', '{"disableAllHooks":true}'),
    /^switches: copilot-cli .*disableAllHooks is set in .*\.claude\/settings\.local\.json/,
  ],
  [
    'a switch in what the system presets',
    'gemini-cli',
    ({ machine }) => presets(machine, 'gemini-cli'),
    /^switches: .*system-defaults/,
  ],
  ...['[]', 'null', '"x"'].map((value): (typeof planted)[number] => [
    `hooks of the project as ${value}`,
    'gemini-cli',
    ({ write }) => write('project/.gemini/settings.json', `{"hooks":${value}}`),
    /^switches: gemini-cli runs no hook: hooks \(no map\) is set in .*project/,
  ]),
  ...['"false"', '0', 'null'].map((value): (typeof planted)[number] => [
    `the person's own switch of hooks as ${value}`,
    'gemini-cli',
    ({ change }) => change(GEMINI, '"hooks"', `"hooksConfig": { "enabled": ${value} }, "hooks"`),
    /^switches: gemini-cli runs no hook: hooksConfig\.enabled is set in/,
  ]),
  [
    'an older name of a switch',
    'codex',
    ({ write }) => write('.codex/config.toml', '[features]\ncodex_hooks = false\n'),
    /^switches: .*codex_hooks/,
  ],
  [
    'a plugin that does not throw',
    'opencode',
    ({ change }) => change(PLUGIN, 'throw new Error', 'new Error'),
    /^matcher: .*not the installed plugin/,
  ],
  [
    'a plugin with more in it',
    'opencode',
    ({ write, read }) => write(PLUGIN, `${read(PLUGIN)}process.exit = () => {};\n`),
    /^matcher: .*not the installed plugin/,
  ],
  [
    'a home that everybody can write',
    'claude-code',
    ({ home }) => chmodSync(home, 0o777),
    /^settings: Everybody can write .*home, so/,
  ],
  [
    'copies that everybody can exchange',
    'claude-code',
    ({ home }) => chmodSync(join(home, '.local/share/policy'), 0o777),
    /^program: Everybody can write .*share\/policy, so/,
  ],
  [
    'a policy that everybody can write',
    'claude-code',
    ({ write, home }) => {
      write(POLICY, 'version: 1\n');
      chmodSync(join(home, POLICY), 0o666);
    },
    /^policy: Everybody can write .*policy\.yaml, so/,
  ],
];

function presets(machine: string, runner: string): void {
  mkdirSync(join(machine, 'etc', runner), { recursive: true });
  writeFileSync(join(machine, 'etc', runner, 'system-defaults.json'), '{ "hooksConfig": { "enabled": false } }');
}

for (const [what, runner, plant, says] of planted)
  check(`planted: ${what}`, async () => {
    const here = world('none');
    here.install(runner);
    plant(here);
    const problems = problemsOf(await here.examine());
    assert.ok(
      problems.some((one) => says.test(one)),
      problems.join('\n'),
    );
  });

/** [what was done, the runner, how, words of the installation]: nothing of it lets a call pass. */
const harmless: readonly (readonly [what: string, runner: string, plant: (at: World) => void, ...words: readonly string[]])[] = [
  ['a longer deadline', 'claude-code', () => {}, '--deadline', '20'],
  ['the shell is known', 'claude-code', () => {}, '--shell', 'bash'],
  ['for this project alone', 'claude-code', () => {}, '--project'],
  ['a word for the person', 'claude-code', handler('"statusMessage": "asking policy"')],
  ['other spellings of every tool', 'claude-code', inLine('"matcher": "*"', '"matcher": ""')],
  ['a line for Windows', 'copilot-cli', ({ change }) => change(COPILOT, '"type"', '"powershell": "exit 0", "type"')],
  ["Claude Code's event in Copilot CLI", 'copilot-cli', ({ change }) => change(COPILOT, '"preToolUse"', '"PreToolUse"')],
  [
    'a plugin with the line breaks of Windows',
    'opencode',
    ({ read, write }) => write(PLUGIN, read(PLUGIN).replaceAll('\n', '\r\n')),
  ],
  [
    'switches that are on',
    'gemini-cli',
    ({ write }) => write('project/.gemini/settings.json', '{ "hooksConfig": { "enabled": true } }'),
  ],
  ["a policy of one's own", 'claude-code', ({ write }) => write(POLICY, 'version: 1\ndeny: [Bash(frob *)]\n')],
  ['a folder in which everybody has their own', 'claude-code', ({ home }) => chmodSync(home, 0o1777)],
  [
    'settings of a runner that is not there',
    'claude-code',
    ({ home }) => rmSync(join(home, '.gemini'), { recursive: true, force: true }),
  ],
];

for (const [what, runner, plant, ...words] of harmless)
  check(`not in the way: ${what}`, async () => {
    const here = world('none');
    here.install(runner, ...words);
    plant(here);
    assert.equal(problemsOf(await here.examine()), []);
  });

check('not in the way: the deadline that ships, whether a busy machine keeps it or not', async () => {
  const here = world('none');
  here.install('claude-code', '--deadline', '1.5');
  assert.equal(
    problemsOf(await here.examine()).filter((text) => !/^canary: .*did not answer in time/.test(text)),
    [],
  );
});

check(
  'where Claude Code keeps its settings elsewhere, the switch in them counts, and one at the usual place does not',
  async () => {
    const here = world('none');
    const moved = join(here.home, 'claude');
    here.install('claude-code');
    here.write('claude/settings.json', here.read(SETTINGS));
    const { HOME, PATH } = { HOME: here.home, PATH: '/usr/bin:/bin' };
    const places = {
      home: here.home,
      project: here.project,
      machine: here.machine,
      environment: { HOME, PATH, CLAUDE_CONFIG_DIR: moved },
    };
    here.change(SETTINGS, '{', '{ "disableAllHooks": true,');
    assert.equal(problemsOf(await here.examine({ places })), []);
    here.change('claude/settings.json', '{', '{ "disableAllHooks": true,');
    assert.match(
      problemsOf(await here.examine({ places })).join('\n'),
      /switches: claude-code runs no hook: disableAllHooks is set in/,
    );
  },
);

test.run();
