// `policy doctor` on lines of other versions, builds and nodes than the one that runs it.
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideAgent } from '../../cli/spawned.js';
import { problemsOf, SETTINGS, type World, world } from './doctor-world.js';

const test = suite('doctor: age');
const check = insideAgent ? test.skip : test;

/** Makes the installed copy one of another version, whole in itself; its digest is worked out here a second time. */
function becomes(here: World, edit: (manifest: { version: string; files: Record<string, string> }, copy: string) => void): void {
  const copy = here.copy();
  const file = join(copy, 'installed.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { version: string; files: Record<string, string> };
  const digest = () => {
    const lines = [manifest.version, ...Object.entries(manifest.files).map(([name, of]) => `${name} ${of}`)];
    return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
  };
  const before = basename(copy);
  edit(manifest, copy);
  writeFileSync(file, JSON.stringify(manifest));
  const after = `${manifest.version}-${digest()}`;
  renameSync(copy, join(dirname(copy), after));
  here.change(SETTINGS, new RegExp(before.replaceAll('.', '\\.'), 'g'), after);
}

const ageIn = async (here: World) => {
  const report = await here.examine();
  assert.equal(problemsOf(report), []);
  return report.results.filter(({ check: id }) => id === 'age');
};

check('a line of this very program says nothing', async () => {
  const here = world();
  here.install('claude-code');
  assert.equal(await ageIn(here), []);
});

check('a line of an older version is a note, with the command that renews it', async () => {
  const here = world();
  here.install('claude-code');
  becomes(here, (manifest) => {
    manifest.version = '0.0.9';
  });
  const [found] = await ageIn(here);
  assert.is(found?.level, 'note');
  assert.match(found?.message ?? '', /settings\.json:\d+ is older than this one \(0\.0\.9, this is \d+\.\d+\.\d+\)/);
  assert.is(found?.fix, 'policy install claude-code --user');
});

check('a line of a newer version is a note as well', async () => {
  const here = world();
  here.install('claude-code');
  becomes(here, (manifest) => {
    manifest.version = '999.0.0';
  });
  assert.match((await ageIn(here))[0]?.message ?? '', /is version 999\.0\.0, newer than this one/);
});

check('another build of the same version is older', async () => {
  const here = world();
  here.install('claude-code');
  becomes(here, (manifest, copy) => {
    const name = 'THIRD-PARTY-LICENSES.txt';
    const text = 'another text\n';
    chmodSync(join(copy, 'dist', name), 0o600);
    writeFileSync(join(copy, 'dist', name), text);
    manifest.files[name] = createHash('sha256').update(text).digest('hex');
  });
  assert.match((await ageIn(here))[0]?.message ?? '', /is older than this one, so it lacks later fixes/);
});

check('a line without the look for its program was installed by an older version', async () => {
  const here = world();
  here.install('claude-code');
  here.change(SETTINGS, /\[ -f \S+ \] && /g, '');
  assert.match((await ageIn(here))[0]?.message ?? '', /is older than this one/);
});

check('another node than the one that runs doctor is a note, and the line is not tried', async () => {
  const here = world();
  here.install('claude-code');
  const other = join(here.home, 'opt/node');
  here.write('opt/node', '');
  copyFileSync(process.execPath, other);
  chmodSync(other, 0o755);
  here.change(SETTINGS, new RegExp(` ${realpathSync(process.execPath)} `, 'g'), ` ${other} `);
  const report = await here.examine();
  assert.equal(problemsOf(report), []);
  const canary = report.results.find(({ check: id }) => id === 'canary');
  assert.is(canary?.level, 'note');
  assert.match(canary?.message ?? '', /was installed with a different node \(.*\/opt\/node\), so it was not tested/);
});

check('another program in the place of node, or a node that others can write, stays a problem', async () => {
  for (const [name, mode] of [
    ['sh', 0o755],
    ['node', 0o777],
  ] as const) {
    const here = world();
    here.install('claude-code');
    const other = join(here.home, 'opt', name);
    here.write(`opt/${name}`, '#!/bin/sh\n');
    chmodSync(other, mode);
    here.change(SETTINGS, new RegExp(` ${realpathSync(process.execPath)} `, 'g'), ` ${other} `);
    const problems = problemsOf(await here.examine()).join('\n');
    assert.match(problems, /^canary: .*may not be ours/m, name);
  }
});

test.run();
