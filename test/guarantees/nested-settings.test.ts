/** "Keeping the gate" 6 below the top: a policy, or a runner's settings, of a nested folder go with the folder that holds them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

const PROGRAMS = ['rm', 'mv', 'cp', 'rsync -a', 'tar', 'unzip', 'find * -delete', 'git mv', 'git rm', 'install', 'ln'];
const RULES = PROGRAMS.map((program) => `"Bash(${program}${program.endsWith('delete') ? '' : ' *'})"`).join(', ');
const OPEN = { '.config/policy/policy.yaml': `version: 1\npreset: safe\nallow: [${RULES}]\n` };

/** Folders that hold something protected, directly or further down. */
const HOLDING = {
  own: 'own/.claude/settings.json',
  deep: 'deep/a/b/.codex/config.toml',
  hooked: 'hooked/.cursor/hooks/check.sh',
};
const PLAIN = 'plain/src/settings.json';

/** `D`: a folder that is there; they differ in nothing but what it holds. */
const CALLS = [
  'rm -rf D',
  'rm -rf ./D/',
  'rm -rf [D]*',
  'cd src && rm -rf ../D',
  'mv D other',
  'mv D src/',
  'git mv D other',
  'git rm -r D',
  'find D -delete',
  'find D -type f -delete',
  'cp -rT src D',
  'cp -r src/. D',
  'rsync -a src/ D/',
  'tar -xf a.tar -C D',
  'unzip a.zip -d D',
];

function fill(world: HookWorld): void {
  for (const file of [...Object.values(HOLDING), PLAIN, 'src/x.txt', 'D/keep']) {
    const path = join(world.home, 'project', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
}

const named = (line: string, folder: string) => line.replace('[D]*', `${folder.slice(0, -1)}*`).replace('D', folder);

for (const line of CALLS)
  test(`${line}: asked about where settings lie below, under a rule that allows it anywhere else`, () => {
    withHookWorld(OPEN, (world) => {
      fill(world);
      const verdict = (command: string) => verdictOf(world.run(payload(world, 'Bash', { command })));
      for (const folder of Object.keys(HOLDING)) assert.is(verdict(named(line, folder)), 'ask', folder);
      assert.is(verdict(named(line, 'plain')), 'allow', 'plain');
    });
  });

test('installed packages may go under a rule that names them', () => {
  const rule = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\nallow: ["Bash(rm -rf node_modules)"]\n' };
  withHookWorld({ ...rule, 'project/node_modules/a/.claude/settings.json': '', 'project/node_modules/.bin/x': '' }, (world) =>
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'rm -rf node_modules' }))), 'allow'),
  );
});

test('what a search would not delete is no reason to ask, and files beside the settings are not held', () => {
  withHookWorld(OPEN, (world) => {
    fill(world);
    const verdict = (command: string) => verdictOf(world.run(payload(world, 'Bash', { command })));
    for (const command of ["find deep -name '*.snap' -delete", 'rm -f deep/a/x', 'cp src/x.txt own/', 'mv src/x.txt own/y'])
      assert.is(verdict(command), 'allow', command);
    assert.is(verdict("find deep -name '*.toml' -delete"), 'ask');
  });
});

test.run();
