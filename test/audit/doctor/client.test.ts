// The version of a client: from its package, from its folder, or as it says it; a kit that holds it counts its own builds.
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent } from '../../cli/spawned.js';
import { type World, world } from './doctor-world.js';

const test = suite('doctor: client');
const check = insideAgent ? test.skip : test;

/** [name and version of the package, what the program prints, level, what is said] */
const rows: readonly (readonly [name: string, version: string, prints: string, level: string, says: RegExp])[] = [
  ['@anthropic-ai/claude-code', '2.1.400', '9.9.9', 'ok', /^claude-code 2\.1\.400 /],
  ['@anthropic-ai/claude-code', '2.1.197', '9.9.9', 'note', /^claude-code 2\.1\.197 .* passes over onFailure/],
  ['@anthropic-ai/claude-agent-sdk-linux-x64', '0.3.330', '2.1.330 (Claude Code)', 'ok', /^claude-code 2\.1\.330 /],
  [
    '@anthropic-ai/claude-agent-sdk',
    '0.3.197',
    '2.1.197 (Claude Code)',
    'note',
    /^claude-code 2\.1\.197 .* passes over onFailure/,
  ],
  ['@anthropic-ai/claude-code', '2.1.330-sdk.5', '9.9.9', 'ok', /^claude-code 2\.1\.330-sdk\.5 /],
];

function becomes({ machine }: World, name: string, version: string, prints: string): void {
  const folder = join(dirname(machine), 'bin');
  writeFileSync(join(folder, 'lib/package.json'), JSON.stringify({ name, version }));
  writeFileSync(join(folder, 'lib/cli.js'), `#!/bin/sh\necho '${prints}'\n`);
  chmodSync(join(folder, 'lib/cli.js'), 0o755);
  unlinkSync(join(folder, 'claude'));
  symlinkSync('lib/cli.js', join(folder, 'claude'));
}

for (const [name, version, prints, level, says] of rows)
  check(`${name} ${version}`, async () => {
    const here = world();
    becomes(here, name, version, prints);
    const { results } = await here.examine();
    const found = results.find(({ check: id }) => id === 'client');
    assert.is(found?.level, level, found?.message);
    assert.match(found?.message ?? '', says);
  });

for (const [flags, notes] of [
  ['--sandbox', 1],
  ['--json', 0],
  ['says nothing', 0],
] as const)
  check(`a codex whose help for exec lists ${flags}: ${notes} notes (R115, R123)`, async () => {
    const here = world('codex');
    const lines = `#!/bin/sh\n[ "$1 $2" = 'exec --help' ] && echo 'Options:\n  ${flags}  a flag'\n`;
    writeFileSync(join(dirname(here.machine), 'bin/lib/cli.js'), lines);
    const { results } = await here.examine({ runners: ['codex'] });
    const found = results.filter(({ check: id, level }) => id === 'client' && level === 'note');
    assert.is(found.length, notes, JSON.stringify(found));
    for (const { message } of found)
      assert.match(message, /^codex exec --help does not name --json \(openai\/codex#4351\): a run with a goal reads/);
  });

check('a program of the project is not started to say its version, also where PATH leads to it by a link', async () => {
  const here = world();
  const bin = join(dirname(here.machine), 'bin');
  const own = join(here.project, 'node_modules/.bin');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'claude'), '#!/bin/sh\ntouch "$(dirname "$0")/STARTED"; echo 2.1.400\n');
  chmodSync(join(own, 'claude'), 0o755);
  rmSync(bin, { recursive: true });
  symlinkSync(own, bin);
  const { results } = await here.examine({ runners: ['claude-code'] });
  assert.not.ok(existsSync(join(own, 'STARTED')));
  assert.match(results.find(({ check: id }) => id === 'client')?.message ?? '', /is not on PATH/);
});

test.run();
