/** Which files of a folder Python would load in the place of its own modules. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { moduleReader } from '../../../src/enforce/facts/python-modules.js';

const folder = mkdtempSync(join(tmpdir(), 'modules-'));

test.after(() => rmSync(folder, { recursive: true, force: true }));

test('files and packages with the name of one, but no other files and folders', () => {
  const read = moduleReader({ PATH: '/usr/bin', PYTHONUNBUFFERED: '1' });
  for (const name of ['email', 'platform', 'src']) mkdirSync(join(folder, name));
  for (const name of ['main.py', 'json.txt', 'code', 'email/a.py']) writeFileSync(join(folder, name), '');
  assert.equal(read(folder), []);
  writeFileSync(join(folder, 'platform/__init__.py'), '');
  symlinkSync('platform', join(folder, 're'));
  writeFileSync(join(folder, 'heapq.py'), '');
  assert.equal([...(read(folder) ?? [])].sort(), ['heapq.py', 'platform', 're']);
});

test('what the environment adds cannot be told', () => {
  for (const name of ['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONWARNINGS'])
    assert.is(moduleReader({ [name]: 'x' })(folder), null, name);
});

test.run();
