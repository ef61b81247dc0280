// `policy doctor` on settings that are odd and real: what it cannot read, what was left over, and hooks of others.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent } from '../../cli/spawned.js';
import { LOCAL, SETTINGS, type World, world } from './doctor-world.js';

const test = suite('doctor: odd settings');
const check = insideAgent ? test.skip : test;

check('the line that removes a leftover means that file, whatever the folder is called', async () => {
  const here = world();
  here.install('claude-code');
  const odd = join(here.home, "odd $(touch X) 'é\n");
  mkdirSync(odd);
  const draft = join(odd, '.settings.json.999999999.12345678901.tmp');
  const kept = join(odd, '.settings.json.swp');
  const old = new Date(Date.now() - 3_600_000);
  for (const file of [draft, kept]) {
    writeFileSync(file, '{');
    utimesSync(file, old, old);
  }
  const { HOME, PATH } = { HOME: here.home, PATH: `${dirname(here.machine)}/bin:/usr/bin:/bin` };
  const places = {
    home: HOME,
    project: here.project,
    machine: here.machine,
    environment: { HOME, PATH, CLAUDE_CONFIG_DIR: odd },
  };
  const { results } = await here.examine({ places });
  const fix = results.find(({ check: id }) => id === 'leftovers')?.fix ?? '';
  assert.not.match(fix, /\n/);
  assert.is(spawnSync('/bin/bash', ['-c', fix], { cwd: odd }).status, 0, fix);
  assert.equal([existsSync(draft), existsSync(kept), existsSync(join(odd, 'X'))], [false, true, false]);
});

check('what a seal left that was killed is named, with the seal that packs it anew', async () => {
  const here = world();
  here.install('claude-code');
  await here.examine();
  const folder = join(here.home, '.local/state/policy/log/sealed');
  mkdirSync(folder, { mode: 0o700 });
  const names = ['decisions-2026-01-31.s1.jsonl.packing', 'decisions-2026-01-30.s2.jsonl.packing'];
  for (const name of [...names, 'decisions-2026-01-31.s1.jsonl']) writeFileSync(join(folder, name), '');
  const fixes = async (now: number) =>
    (await here.examine({ now })).results.filter(({ check: id }) => id === 'leftovers').map(({ fix }) => fix);
  assert.equal(await fixes(Date.now()), [], 'it may be at work');
  assert.equal((await fixes(Date.now() + 2 * 3_600_000)).sort(), ['policy log seal', `rm ${join(folder, names[1] ?? '')}`]);
});

/** [what, how it is done, what the client does with it] */
const unreadable: readonly (readonly [what: string, plant: (at: World) => void, file: RegExp])[] = [
  [
    'deeper than we read',
    ({ change }) => change(SETTINGS, '{', `{ "x": ${'['.repeat(60)}${']'.repeat(60)},`),
    /\/home\/\.claude\/settings\.json/,
  ],
  ['a key twice', ({ change }) => change(SETTINGS, '{', '{ "x": 1, "x": 2,'), /\/home\/\.claude\/settings\.json/],
  [
    'the settings of the project, which may switch hooks off',
    ({ write }) => write('project/.claude/settings.json', '{ "disableAllHooks": false, "disableAllHooks": true }'),
    /\/project\/\.claude\/settings\.json/,
  ],
];

for (const [what, plant, file] of unreadable)
  check(`settings that Claude Code reads and we cannot: ${what}`, async () => {
    const here = world();
    here.install('claude-code');
    plant(here);
    const { results } = await here.examine();
    const said = results.filter(({ level }) => level === 'problem');
    assert.equal(
      said.map(({ check: id }) => id),
      ['settings'],
    );
    assert.match(said[0]?.message ?? '', /^policy cannot read \//);
    assert.match(said[0]?.message ?? '', file);
    assert.match(said[0]?.fix ?? '', /yourself$/);
    assert.not.ok(results.some(({ message }) => /ignores all/.test(message)));
  });

/** [file below /etc/codex, what it says, what is off; null: nothing] */
const ofMachine: readonly (readonly [file: string, text: string, off: string | null])[] = [
  ['requirements.toml', 'allow_managed_hooks_only = true\n', 'allow_managed_hooks_only'],
  ['requirements.toml', 'allow_managed_hooks_only = false\n[features]\nhooks = true\n', null],
  ['requirements.toml', '[features]\nhooks = false\n', 'features.hooks'],
  ['managed_config.toml', '[features]\nhooks = false\n', 'features.hooks'],
  ['config.toml', 'features.hooks = false\n', 'features.hooks'],
  ['config.toml', 'allow_managed_hooks_only = true\n', null],
];

for (const [name, says, off] of ofMachine)
  check(`Codex on a managed machine: ${name} with ${says.split('\n')[0]}`, async () => {
    const here = world('codex');
    here.install('codex');
    const file = join(here.machine, 'etc/codex', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, says);
    const said = (await here.examine()).results.filter(({ check: id }) => id === 'switches');
    assert.equal(
      said.map(({ message, fix }) => [message, fix]),
      off === null ? [] : [[`codex runs no hook: ${off} is set in ${file}`, `take ${off} out of ${file}`]],
    );
  });

check('the fix of a switch names the whole file, whatever its folder is called', async () => {
  const here = world('codex');
  here.install('codex');
  const home = join(here.home, 'my folder');
  mkdirSync(home);
  writeFileSync(join(home, 'config.toml'), '[features]\nhooks = false\n');
  writeFileSync(join(home, 'hooks.json'), here.read('.codex/hooks.json'));
  const environment = { HOME: here.home, PATH: `${dirname(here.machine)}/bin:/usr/bin:/bin`, CODEX_HOME: home };
  const places = { home: here.home, project: here.project, machine: here.machine, environment };
  const said = (await here.examine({ places })).results.find(({ check: id }) => id === 'switches');
  assert.is(said?.fix, `take features.hooks out of ${join(home, 'config.toml')}`);
});

const OTHER = { matcher: 'Bash', hooks: [{ type: 'command', command: './rewrite.sh' }] };
const text = (value: unknown) => JSON.stringify(value, null, 2);

/** [what, agent, how it is done, the file of the other hook; null: nothing is said] */
const others: readonly (readonly [
  what: string,
  client: string,
  runner: string,
  plant: (at: World) => void,
  file: RegExp | null,
])[] = [
  ['none', 'claude', 'claude-code', () => undefined, null],
  [
    'beside ours',
    'claude',
    'claude-code',
    ({ read, write }) => {
      const settings = JSON.parse(read(SETTINGS));
      settings.hooks.PreToolUse.push(OTHER);
      write(SETTINGS, text(settings));
    },
    /\/home\/\.claude\/settings\.json/,
  ],
  [
    'of the project',
    'claude',
    'claude-code',
    ({ write }) => write('project/.claude/settings.json', text({ hooks: { PreToolUse: [OTHER] } })),
    /\/project\/\.claude\/settings\.json/,
  ],
  [
    'after calls',
    'claude',
    'claude-code',
    ({ write }) => write(LOCAL, text({ hooks: { PostToolUse: [OTHER], Stop: [OTHER] } })),
    null,
  ],
  ['of a plugin', 'claude', 'claude-code', (at) => plugin(at, true), /\/plugged\/hooks\/hooks\.json/],
  ['of a plugin that is switched off', 'claude', 'claude-code', (at) => plugin(at, false), null],
  [
    'in another file',
    'copilot',
    'copilot-cli',
    ({ write }) =>
      write('.copilot/hooks/x.json', text({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: './x' }] } })),
    /\/\.copilot\/hooks\/x\.json/,
  ],
  [
    'in its configuration',
    'codex',
    'codex',
    ({ write }) =>
      write(
        '.codex/config.toml',
        '[[hooks.PreToolUse]]\nmatcher = "*"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "./x"\n',
      ),
    /\/\.codex\/config\.toml/,
  ],
  [
    'of an agent that takes no other input',
    'qwen',
    'qwen-code',
    ({ write }) => write('project/.qwen/settings.json', text({ hooks: { PreToolUse: [OTHER] } })),
    null,
  ],
];

function plugin({ home, write, change }: World, on: boolean): void {
  change(SETTINGS, '{', `{ "enabledPlugins": { "a@b": ${on} },`);
  write(
    '.claude/plugins/installed_plugins.json',
    text({ version: 2, plugins: { 'a@b': [{ installPath: join(home, 'plugged') }] } }),
  );
  write('plugged/hooks/hooks.json', text({ hooks: { PreToolUse: [OTHER] } }));
}

for (const [what, client, runner, plant, file] of others)
  check(`a hook of others: ${what} (${runner})`, async () => {
    const here = world(client);
    here.install(runner);
    plant(here);
    const { results } = await here.examine();
    const said = results.filter(({ check: id }) => id === 'others');
    // Nobody trusted Codex's hook here.
    const wrong = results.filter(({ level, check: id }) => level === 'problem' && id !== 'trust' && id !== 'others');
    assert.equal(wrong, []);
    assert.is(said.length, file === null ? 0 : 1);
    if (file !== null) assert.match(said[0]?.message ?? '', file);
    if (file !== null) assert.is(said[0]?.level, what === 'of the project' ? 'problem' : 'note');
  });

test.run();
