/** Git's configuration syntax: what git would read, we read; what is unclear is said to be. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../../../src/disk/git/config.js';
import { withFiles } from '../../scratch.js';

const EVIL = '\tfsmonitor = evil\n';
const texts: readonly (readonly [string, string, readonly (readonly [string, string, number])[] | number])[] = [
  ['a backslash at the end of a comment joins nothing', `[core]\n# note \\\n${EVIL}`, [['core.fsmonitor', 'evil', 3]]],
  [
    'a backslash in a comment behind a value joins nothing',
    `[core]\nname = x # \\\n${EVIL}`,
    [
      ['core.name', 'x', 2],
      ['core.fsmonitor', 'evil', 3],
    ],
  ],
  ['a backslash in a comment behind a section joins nothing', `[core] ; c \\\n${EVIL}`, [['core.fsmonitor', 'evil', 2]]],
  [
    'an escaped backslash joins nothing',
    `[core]\neditor2 = C:\\\\\n${EVIL}`,
    [
      ['core.editor2', 'C:\\', 2],
      ['core.fsmonitor', 'evil', 3],
    ],
  ],
  ['an odd backslash joins', '[core]\nx = a \\\nfsmonitor = evil\n', [['core.x', 'a fsmonitor = evil', 2]]],
  ['a comment sign within quotes is text', '[a]\nx = "b # c" ; d\n', [['a.x', 'b # c', 2]]],
  [
    'a comment that starts behind a joined line',
    `[a]\nx = b \\\n# c \\\ny = d\n`,
    [
      ['a.x', 'b ', 2],
      ['a.y', 'd', 4],
    ],
  ],
  ['no value is true', '[a]\nx\n', [['a.x', 'true', 2]]],
  ['a name behind the section', '[A "B c"] X = 1\n', [['a.B c.x', '1', 1]]],
  ['an old subsection is lower case', '[A.B]\nx=1', [['a.b.x', '1', 2]]],
  ['line ends of Windows and a byte order mark', '\uFEFF[a]\r\nx = b\r\n', [['a.x', 'b', 2]]],
  ['pieces in quotes', '[a]\nx = b" # "c\n', [['a.x', 'b # c', 2]]],
  ['a backslash at the very end', '[a]\nx = b\\', [['a.x', 'b', 2]]],
  ['a section without an end', '[core\nx = 1\n', 1],
  ['a quote without an end', '[a]\nx = "b\ny = c\n', 3],
  ['an unknown escape', '[a]\nx = \\q\n', 2],
  ['a variable outside of any section', 'x = 1\n', 1],
  ['a variable with other signs', '[a]\nx_y = 1\n', 2],
  ['a zero byte', '[a]\nx = 1\0\n', 1],
];

for (const [why, text, expected] of texts) {
  test(`git configuration: ${why}`, () => {
    withFiles({ config: text }, (folder) => {
      const file = join(folder, 'config');
      const read = readConfig(file);
      if (typeof expected === 'number') assert.is(read.ok, false);
      else
        assert.equal(
          read.ok ? read.entries : read,
          expected.map(([key, value, line]) => ({ key, value, file, line })),
        );
    });
  });

  test(`git itself reads the same: ${why}`, () => {
    withFiles({ config: text }, (folder) => {
      const git = spawnSync('git', ['config', '-z', '-f', join(folder, 'config'), '--list'], {
        encoding: 'utf8',
        cwd: folder,
        // Nobody's own configuration takes part: git reads that first, and ends where it cannot.
        env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      });
      if (git.error || text.includes('\0') || text.startsWith('x')) return;
      if (typeof expected === 'number') assert.is.not(git.status, 0);
      else {
        const lines = expected.map(([key, value]) =>
          /\nx\n/.test(text) && value === 'true' ? `${key}\0` : `${key}\n${value}\0`,
        );
        assert.is(git.stdout, lines.join(''));
      }
    });
  });
}

test('a folder in place of the file cannot be read; a missing one is empty', () => {
  withFiles({ 'config/': '' }, (folder) => {
    assert.is(readConfig(join(folder, 'config')).ok, false);
    assert.equal(readConfig(join(folder, 'other')), { ok: true, entries: [] });
  });
});

test.run();
