/**
 * "Keeping the gate" 2 and 4: what lies under a stored snapshot is exchanged behind its back, and the environment points elsewhere.
 * The answer is always that of the files as they are now, at the places that the installed command line names.
 */
import {
  copyFileSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

/** Both of the same length, so that sizes do not tell them apart. */
const OPEN = 'version: 1\nallow: ["Bash(frob *)"]\n';
const SHUT = 'version: 1\ndeny:  ["Bash(frob *)"]\n';
const USER = '.config/policy/policy.yaml';
const LONG_AGO = 1_700_000_000;

const frob = (world: HookWorld, more: object = {}) =>
  verdictOf(world.run(payload(world, 'Bash', { command: 'frob x' }, { ...more })));

/** Old times on everything that a snapshot rests on, as long as nothing was stored: young files get no snapshot. */
function age(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) age(path);
    lutimesSync(path, LONG_AGO, LONG_AGO);
  }
  utimesSync(folder, LONG_AGO, LONG_AGO);
}

/** Waits until nothing changed a moment ago any more, by the file system's own clock. */
function calm(world: HookWorld): void {
  const probe = join(dirname(world.home), 'probe');
  const since = statSync(world.project).ctimeMs;
  do writeFileSync(probe, '');
  while (statSync(probe).ctimeMs < since + 250);
}

function snapshotIn(world: HookWorld): string {
  const folder = join(world.state, 'snapshots');
  const [file] = readdirSync(folder);
  assert.ok(file, 'a snapshot was stored');
  return join(folder, file);
}

/** Replaces a file by another with the same name, size and times. */
function swap(path: string, text: string): void {
  const { mtime, atime } = statSync(path);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  utimesSync(path, atime, mtime);
}

const SWITCHES: readonly (readonly [what: string, change: (world: HookWorld) => void])[] = [
  [
    'the policy is rewritten in place, with the old times',
    ({ home }) => {
      const path = join(home, USER);
      const { atime, mtime } = statSync(path);
      writeFileSync(path, SHUT);
      utimesSync(path, atime, mtime);
    },
  ],
  ['the policy is replaced by a file of the same size and times', ({ home }) => swap(join(home, USER), SHUT)],
  [
    'the policy becomes a link to another file',
    ({ home }) => {
      writeFileSync(join(home, 'shut.yaml'), SHUT);
      rmSync(join(home, USER));
      symlinkSync(join(home, 'shut.yaml'), join(home, USER));
    },
  ],
  [
    "the policy's folder becomes a link to another folder",
    ({ home }) => {
      const folder = dirname(join(home, USER));
      mkdirSync(join(home, 'shut'));
      writeFileSync(join(home, 'shut/policy.yaml'), SHUT);
      renameSync(folder, `${folder}.old`);
      symlinkSync(join(home, 'shut'), folder);
    },
  ],
  [
    'a file that the policy is a link to changes, with the old times',
    ({ home }) => swap(join(home, 'dotfiles/policy.yaml'), SHUT),
  ],
  ['a local policy appears', (world) => world.write('project/policy.local.yaml', SHUT)],
  ['a policy of the project appears', (world) => world.write('project/policy.json', '{"version":1,"deny":["Bash(frob *)"]}')],
];

for (const [what, change] of SWITCHES)
  test(`after ${what}, the answer is the new one`, () => {
    withHookWorld({ [USER]: OPEN, 'dotfiles/policy.yaml': OPEN }, (world) => {
      if (what.includes('is a link to')) {
        rmSync(join(world.home, USER));
        symlinkSync(join(world.home, 'dotfiles/policy.yaml'), join(world.home, USER));
      }
      age(world.home);
      calm(world);
      assert.is(frob(world), 'allow');
      snapshotIn(world);
      change(world);
      assert.is(frob(world), 'deny');
      assert.is(frob(world), 'deny', 'and stays so');
    });
  });

test("an agent's definition that is exchanged for one of the same size and times counts as it is now", () => {
  const agent = (tools: string) => `---\nname: helper\ndescription: d\ntools: ${tools}\n---\n`;
  withHookWorld({ [USER]: OPEN, 'project/.claude/agents/helper.md': agent('Bash') }, (world) => {
    age(world.home);
    calm(world);
    const by = { agent_id: 'a', agent_type: 'helper' };
    assert.is(frob(world, by), 'allow');
    swap(join(world.project, '.claude/agents/helper.md'), agent('Read'));
    assert.is(frob(world, by), 'deny');
  });
});

test('the snapshot of another project, put in the place of this one, counts for nothing', () => {
  withHookWorld({ [USER]: SHUT }, (world) => {
    const other = join(dirname(world.home), 'other');
    cpSync(world.home, other, { recursive: true });
    writeFileSync(join(other, USER), OPEN);
    for (const home of [world.home, other]) age(home);
    calm(world);
    assert.is(frob(world), 'deny');
    const mine = snapshotIn(world);
    const environment = { HOME: other, PATH: '/usr/bin:/bin' };
    const input = payload(world, 'Bash', { command: 'frob x' }, { cwd: join(other, 'project') });
    assert.is(verdictOf(world.run(input, { environment })), 'allow');
    const folder = join(other, '.local/state/policy/snapshots');
    copyFileSync(join(folder, readdirSync(folder)[0] ?? ''), mine);
    assert.is(frob(world), 'deny');
  });
});

for (const kind of ['file', 'folder'] as const)
  test(`a snapshot whose ${kind} is a link is not followed`, () => {
    withHookWorld({ [USER]: OPEN }, (world) => {
      age(world.home);
      calm(world);
      assert.is(frob(world), 'allow');
      const file = snapshotIn(world);
      const path = kind === 'file' ? file : dirname(file);
      renameSync(path, join(world.home, 'elsewhere'));
      symlinkSync(join(world.home, 'elsewhere'), path);
      world.write(USER, SHUT);
      assert.is(frob(world), 'deny');
    });
  });

test('a state directory that is a link denies', () => {
  withHookWorld({ [USER]: OPEN }, (world) => {
    mkdirSync(dirname(world.state), { recursive: true });
    mkdirSync(join(world.home, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(world.home, 'elsewhere'), world.state);
    assert.is(frob(world), 'deny');
  });
});

const HOSTILE: Readonly<Record<string, (world: HookWorld) => Record<string, string>>> = {
  HOME: ({ home }) => ({ HOME: join(home, 'open') }),
  XDG_CONFIG_HOME: ({ home }) => ({ XDG_CONFIG_HOME: join(home, 'open/.config') }),
  XDG_STATE_HOME: ({ home }) => ({ XDG_STATE_HOME: join(home, 'open/state') }),
  'all of them': ({ home }) => ({
    HOME: join(home, 'open'),
    XDG_CONFIG_HOME: join(home, 'open/.config'),
    XDG_STATE_HOME: join(home, 'open/state'),
    CLAUDE_PROJECT_DIR: join(home, 'open'),
    PWD: join(home, 'open'),
  }),
};

for (const [what, environmentOf] of Object.entries(HOSTILE))
  test(`${what} pointing elsewhere changes nothing for an installed command line`, () => {
    withHookWorld({ [USER]: SHUT, [`open/${USER}`]: OPEN, 'open/policy.yaml': OPEN }, (world) => {
      const places = ['--project', world.project, '--config-dir', join(world.home, '.config/policy'), '--state-dir', world.state];
      const environment = { HOME: world.home, PATH: '/usr/bin:/bin', ...environmentOf(world) };
      const words = ['claude-code', ...places, '--environment', 'own'];
      const input = payload(world, 'Bash', { command: 'frob x' });
      assert.is(verdictOf(world.run(input, { words, environment })), 'deny');
      const log = readdirSync(join(world.state, 'log'));
      assert.is(log.length, 1, 'and the log stays where it was');
      assert.match(readFileSync(join(world.state, 'log', log[0] ?? ''), 'utf8'), /frob/);
    });
  });

test.run();
