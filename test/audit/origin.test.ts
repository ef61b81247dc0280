// What a project is called by its remote: the same for every way to write the address, and without a credential.
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { originOf } from '../../src/audit/model/origin.js';
import { CLEAN_REPOSITORY, scratch } from '../cli/spawned.js';

const rows: readonly (readonly [address: string, name: string | null])[] = [
  ['https://git.example.com/team/shop.git', 'git.example.com/team/shop'],
  ['https://ann:s3cret-4711@Git.Example.com/team/shop', 'git.example.com/team/shop'],
  ['git@git.example.com:team/shop.git', 'git.example.com/team/shop'],
  ['git.example.com:/team/shop/', 'git.example.com/team/shop'],
  ['ssh://git@git.example.com:22/team/shop.git', 'git.example.com:22/team/shop'],
  ['/srv/git/shop.git', '/srv/git/shop'],
  ['file:///srv/git/shop.git', '/srv/git/shop'],
  ['', null],
];

for (const [address, name] of rows)
  test(`origin ${address}`, () => {
    const config = `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${address}\n[remote "fork"]\n\turl = x:y\n`;
    const top = realpathSync(scratch({ ...CLEAN_REPOSITORY, '.git/config': config }));
    assert.is(originOf(top), name);
    mkdirSync(join(top, 'packages', 'api'), { recursive: true });
    assert.is(originOf(join(top, 'packages', 'api')), name === null ? null : `${name}#packages/api`);
  });

test('no repository, and no remote', () => {
  assert.is(originOf(realpathSync(scratch({ a: '' }))), null);
  assert.is(originOf(realpathSync(scratch({ ...CLEAN_REPOSITORY, '.git/config': '' }))), null);
});

test.run();
