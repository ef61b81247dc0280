/** Commands do not read the package.json of the folder that they are run in: it is a stranger's, and may be no file at all. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND } from './spawned.js';

const MAKES: Readonly<Record<string, (file: string) => void>> = {
  'a pipe that nobody writes to': (file) => assert.is(spawnSync('mkfifo', [file]).status, 0),
  'a link to standard input': (file) => symlinkSync('/dev/stdin', file),
};

if (process.platform !== 'win32')
  for (const [what, make] of Object.entries(MAKES))
    test(`${what} in place of package.json neither hangs a command nor eats its input`, () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-package-')));
      try {
        make(join(folder, 'package.json'));
        const { status, stdout } = spawnSync(process.execPath, [COMMAND, 'check', '--batch'], {
          cwd: folder,
          input: '{"tool":"Bash","input":{"command":"rm -rf /"}}\n',
          env: { PATH: '/usr/bin:/bin', HOME: folder },
          encoding: 'utf8',
          timeout: 60_000,
        });
        assert.is(status, 0);
        assert.match(stdout, /"decision":"deny"/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

test.run();
