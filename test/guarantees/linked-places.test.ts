/**
 * "Keeping the gate" 6 where protected files are links: people keep their settings in a repository and link them into the home, and
 * a project may come with a link. Where such a link leads, nothing is written; beside it everything is as ever.
 */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { linkablePaths } from '../../src/project/linked-places.js';
import { allRunners } from '../../src/runner/runners.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

const USER = '.config/policy/policy.yaml';
const OPEN = { [USER]: 'version: 1\npreset: safe\nallow: ["Edit(**)"]\n' };

const edit = (world: HookWorld, file: string) =>
  verdictOf(world.run(payload(world, 'Write', { file_path: join(world.home, file), content: 'x' })));
const shell = (world: HookWorld, command: string) => verdictOf(world.run(payload(world, 'Bash', { command })));

/** Moves a file or folder of the home (made if it is not there), or of the project, and leaves a link in its place. */
function link(world: HookWorld, from: string, to: string): void {
  const [old, now] = [join(world.home, from), join(world.home, to)];
  for (const path of [old, now]) mkdirSync(dirname(path), { recursive: true });
  try {
    renameSync(old, now);
  } catch {
    if (from.includes('.', 1) || from.endsWith('rc')) writeFileSync(now, '');
    else mkdirSync(now);
  }
  symlinkSync(now, old);
}

/** [what is a link, where it is, where it leads, what is written then, what may be written beside it] */
const linked: readonly (readonly [what: string, from: string, to: string, written: string, beside: string])[] = [
  ["the runner's settings", '.claude/settings.json', 'project/claude.json', 'project/claude.json', 'project/other.json'],
  ["the runner's folder", '.claude', 'project/dot/claude', 'project/dot/claude/settings.json', 'project/dot/readme'],
  ['a start file of the shell', '.bashrc', 'project/bashrc', 'project/bashrc', 'project/zshrc.txt'],
  ["git's own configuration", '.gitconfig', 'project/gitconfig', 'project/gitconfig', 'project/gitattr'],
  ['the policy', USER, 'project/mine.yaml', 'project/mine.yaml', 'project/yours.yaml'],
  ['the folder of the policy', '.config/policy', 'project/pol', 'project/pol/base.yaml', 'project/pol2/base.yaml'],
  ["another runner's settings", '.codex/hooks.json', 'project/codex.json', 'project/codex.json', 'project/other.json'],
  [
    "the project's settings",
    'project/.claude/settings.json',
    'project/conf/c.json',
    'project/conf/c.json',
    'project/conf/d.json',
  ],
  ["the project's hooks", 'project/.husky', 'project/tools', 'project/tools/pre-commit', 'project/tool'],
];

for (const [what, from, to, written, beside] of linked)
  test(`${what}: the file behind the link is protected, and what lies beside it is not`, () => {
    withHookWorld(OPEN, (world) => {
      link(world, from, to);
      assert.is(edit(world, written), 'deny');
      assert.is(shell(world, `echo x > ${written.replace('project/', '')}`), 'deny');
      assert.is(edit(world, beside), 'allow');
    });
  });

test('a link that came after the policy was compiled leads to protected settings, too', () => {
  withHookWorld(OPEN, (world) => {
    world.write('.claude/settings.json', '{}');
    const now = () => Date.now() + 60_000;
    const late = (file: string) =>
      verdictOf(world.run(payload(world, 'Write', { file_path: join(world.home, file), content: 'x' }), { now }));
    assert.is(late('project/claude.json'), 'allow');
    const { compiled } = world;
    link(world, '.claude/settings.json', 'project/claude.json');
    assert.is(late('project/claude.json'), 'deny');
    assert.is(world.compiled, compiled, 'by the stored policy');
  });
});

test('settings that are not there yet are protected where their link will find them', () => {
  withHookWorld(OPEN, (world) => {
    mkdirSync(join(world.project, '.claude'));
    symlinkSync('../conf/later.json', join(world.project, '.claude/settings.local.json'));
    assert.is(edit(world, 'project/conf/later.json'), 'deny');
    assert.is(edit(world, 'project/conf/sooner.json'), 'allow');
  });
});

test('where the home itself is a link, its files are protected by both names', () => {
  withHookWorld(OPEN, (world) => {
    const home = `${world.home}-link`;
    symlinkSync(world.home, home);
    const write = (file: string) =>
      verdictOf(
        world.run(payload(world, 'Write', { file_path: file, content: 'x' }), { environment: { HOME: home }, home: () => home }),
      );
    for (const file of ['.bashrc', '.ssh/authorized_keys', '.local/state/policy/trust/x', '.config/policy/x'])
      for (const top of [home, world.home]) assert.is(write(join(top, file)), 'deny', join(top, file));
    assert.is(write(join(world.project, 'a.txt')), 'allow');
  });
});

test('a folder that is linked into the home and holds the project does not close the project', () => {
  withHookWorld(OPEN, (world) => {
    mkdirSync(join(world.home, '.config'), { recursive: true });
    symlinkSync(world.project, join(world.home, '.config/fish'));
    assert.is(edit(world, 'project/config.txt'), 'allow');
    assert.is(edit(world, '.config/fish/config.txt'), 'deny');
  });
});

test('the settings of every runner are among the paths that are looked at', () => {
  const paths = linkablePaths();
  for (const { id, places } of allRunners()) {
    for (const { path } of [places?.user ?? []].flat()) assert.ok(paths.home.includes(path), `${id}: ${path}`);
    for (const { path } of [places?.project ?? []].flat()) assert.ok(paths.project.includes(path), `${id}: ${path}`);
  }
});

test.run();
