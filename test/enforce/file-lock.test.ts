/** The lock of commands that change a file: whole from its first moment, taken over from the dead, gone in the end. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withLock } from '../../src/enforce/file-lock.js';
import { withFiles } from './scratch.js';

test('while it is held it names its holder, and nothing stays of it', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    withLock(lock, (held) => {
      assert.ok(held());
      assert.match(readFileSync(lock, 'utf8'), new RegExp(`^${process.pid} `));
      assert.equal(readdirSync(folder), ['lock']);
    });
    assert.equal(readdirSync(folder), []);
  });
});

test('it is let go when the work throws', () => {
  withFiles({}, (folder) => {
    const work = () => {
      throw new TypeError('no');
    };
    assert.throws(() => withLock(join(folder, 'lock'), work), /no/);
    assert.equal(readdirSync(folder), []);
  });
});

test('nobody else gets it meanwhile', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    withLock(lock, () => assert.throws(() => withLock(lock, () => {}, 0), /is held by another/));
  });
});

test('that of a process that is gone is taken over, and so is a draft that it left', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeFileSync(lock, `${pid} ${hostname()} 1\n`);
    writeFileSync(`${lock}.${process.pid}`, '');
    assert.is(
      withLock(lock, () => 'mine'),
      'mine',
    );
    assert.equal(readdirSync(folder), []);
  });
});

test('a folder that is not there is told', () => {
  withFiles({}, (folder) => {
    assert.throws(() => withLock(join(folder, 'none', 'lock'), () => {}), /cannot be made \(ENOENT\)/);
  });
});

test.run();
