/** Programs that a project has installed, and scripts that its package file lists: what preset `develop` lets run, with real files. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ scripts: { lint: 'eslint .', test: 'vitest', deploy: 'vercel', setup: 'x', link: 'x' } }),
  'packages/a/package.json': JSON.stringify({ scripts: { unit: 'vitest' } }),
  'composer.json': JSON.stringify({ scripts: { analyse: 'phpstan' } }),
  'src/index.ts': '',
  'tests/a.py': '',
  'node_modules/.bin/tsc': '',
  'node_modules/.bin/vitest': '',
  'node_modules/.bin/cowsay': '',
  '.venv/bin/pytest': '',
  'vendor/bin/phpunit': '',
  'bin/greeter': '',
  'tests/run.sh': '',
};

const RUNS = [
  'npx tsc --noEmit',
  'npx --no vitest run src',
  'npm exec -- tsc --noEmit',
  'pnpm exec vitest run',
  'bunx tsc --noEmit',
  'cd packages/a && npx tsc --noEmit',
  './node_modules/.bin/tsc --noEmit',
  '.venv/bin/pytest -q tests',
  '.venv/bin/python -m pytest -q',
  '.venv/bin/python tests/a.py',
  'vendor/bin/phpunit',
  'yarn lint',
  'pnpm lint --fix',
  'pnpm test',
  'cd packages/a && yarn unit',
  'composer analyse',
  'bash tests/run.sh greet --name world',
  'bash tests/run.sh init world --port 80 -d 127.0.0.1',
];

const ASKS: readonly (readonly [line: string, why: string])[] = [
  ['npx eslint .', 'not installed: it would be fetched'],
  ['npx cowsay hi', 'a program of which nothing is known'],
  ['npx -p evil tsc', 'another package'],
  ['npx tsc@5 --noEmit', 'another version is fetched'],
  ['npx -c "tsc"', 'a shell reads it'],
  ['pnpm dlx tsc', 'fetched each time'],
  ['npx tsc -p ../other', 'another project'],
  ['cd .. && npx tsc --noEmit', 'outside the project'],
  ['NODE_OPTIONS=--require=./x npx tsc', 'a variable that runs other code'],
  ['node_modules/.bin/cowsay', 'a program of which nothing is known'],
  ['node_modules/.bin/eslint .', 'it is not there'],
  ['.venv/bin/linked -q', 'a link out of the project'],
  ['.venv/bin/python -c "x()"', 'code in the line'],
  ['.venv/bin/pytest -p evil', 'another plugin'],
  ['.venv/bin/pytest ~/other', 'another place'],
  ['.venv/bin/pytest $X', 'a word that nobody sees'],
  ['../other/.venv/bin/pytest', 'of another project'],
  ['yarn deploy', 'a script that reaches out'],
  ['pnpm setup', 'the subcommand runs, and no script of that name'],
  ['yarn link', 'the same'],
  ['pnpm lint npm i evil', 'a program behind a script'],
  ['yarn nothing', 'no script of the project'],
  ['pnpm unit', 'a script of another package'],
  ['yarn --cwd .. lint', 'another folder'],
  ['pnpm -C .. lint', 'another folder'],
  ['composer require x', 'fetches packages'],
  ['bash tests/run.sh cowsay hi', 'a program behind a script'],
  ['bash tests/run.sh greeter', 'the same of one of the project'],
  ['bash tests/run.sh --then "greeter x"', 'the same in a text'],
  ['bash tests/run.sh exec x', 'the same of a word that shells know'],
  ['bash tests/run.sh init 0', 'a run level'],
  ['bash tests/run.sh -d 10.1.2.3 greet', 'an address of another machine'],
  ['bash tests/run.sh me@host greet', 'the same'],
];

function inProject(preset: string, work: (verdict: (command: string) => string) => void, deny: readonly string[] = []): void {
  withHookWorld({}, (world: HookWorld) => {
    const { project } = world;
    const policy = { version: 1, preset, trustedRepos: [project], deny };
    world.write('.config/policy/policy.json', JSON.stringify(policy));
    for (const [name, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
    rmSync(join(project, '.venv/bin/python'), { force: true });
    symlinkSync('/usr/bin/python3', join(project, '.venv/bin/python'));
    symlinkSync(join(world.home, 'evil'), join(project, '.venv/bin/linked'));
    work((command) => verdictOf(world.run(payload(world, 'Bash', { command }))));
  });
}

test('under develop they run', () => {
  inProject('develop', (verdict) => {
    for (const line of RUNS) assert.is(verdict(line), 'allow', line);
  });
});

test('under safe they are asked about', () => {
  inProject('safe', (verdict) => {
    for (const line of RUNS) assert.is(verdict(line), 'ask', line);
  });
});

test('what comes from elsewhere, or leads there, is asked about', () => {
  inProject('develop', (verdict) => {
    for (const [line, why] of ASKS) assert.is(verdict(line), 'ask', `${line}: ${why}`);
  });
});

test('a rule about a program holds for it wherever it is installed', () => {
  const denied = ['.venv/bin/pytest -q tests', 'node_modules/.bin/vitest run', 'npx vitest run'];
  inProject(
    'develop',
    (verdict) => {
      for (const line of denied) assert.is(verdict(line), 'deny', line);
    },
    ['Bash(pytest *)', 'Bash(vitest *)'],
  );
});

test.run();
