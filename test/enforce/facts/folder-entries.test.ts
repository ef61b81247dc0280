/** A folder that cannot be listed may hold what git and others open by name. */
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { folderEntries } from '../../../src/disk/folder-entries.js';
import { nestedRepositories } from '../../../src/disk/git/nested-repositories.js';
import { gitFacts } from '../../../src/disk/git/repository.js';
import { treeNames } from '../../../src/enforce/facts/file-names.js';
import { anyLeadsOutside, packedLinks } from '../../../src/enforce/facts/packed-links.js';
import { withFiles } from '../scratch.js';

const REPOSITORY = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/info/': '',
  '.git/refs/': '',
  '.git/config': '',
  '.git/info/exclude': '',
  '.git/worktrees/a/HEAD': 'ref: refs/heads/a\n',
  '.git/modules/a/config': '[core]\n\tbare = false\n',
  'node_modules/a/index.js': '',
};
const NOBODY = 65_534;

/** Runs as somebody whom modes stop: root lists every folder. */
function asOwner(root: string, run: () => void): void {
  if (process.geteuid?.() !== 0) {
    run();
    return;
  }
  for (const path of ['', ...(readdirSync(root, { recursive: true }) as string[])]) chownSync(join(root, path), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    run();
  } finally {
    process.seteuid?.(0);
  }
}

/** What is told of a repository, one of whose folders has another mode. */
function told<T>(folder: string, mode: number, tell: (root: string) => T): T {
  let answer: T | undefined;
  withFiles(REPOSITORY, (root) =>
    asOwner(root, () => {
      const path = join(root, folder);
      chmodSync(path, mode);
      try {
        answer = tell(root);
      } finally {
        chmodSync(path, 0o755);
      }
    }),
  );
  return answer as T;
}

const hazards = (root: string) => (gitFacts(root, [], root)?.hazards ?? []).map(({ key }) => key);
const UNLISTED = 'a folder that cannot be listed';

for (const folder of ['.git/info', '.git/objects/info', '.git/worktrees', '.git/worktrees/a', '.git/modules'])
  test(`${folder} that can be entered but not listed is a hazard`, () => {
    assert.equal(told(folder, 0o311, hazards), [UNLISTED]);
    assert.equal(told(folder, 0o755, hazards), []);
  });

const askedPackages: readonly (readonly [string, (root: string) => unknown, unknown])[] = [
  ['links in packages', (root) => packedLinks(root, root)(root), []],
  ['names of files', (root) => treeNames()(root)?.odd, false],
  ['a path in a package', (root) => anyLeadsOutside([join(root, 'node_modules/index.js')], root, root), false],
  [
    'repositories among packages',
    (root) => nestedRepositories({ trees: new Set(), packed: new Set([join(root, 'node_modules')]) }, root).hazards.length,
    0,
  ],
];

for (const [what, tell, listed] of askedPackages)
  test(`nobody can tell of ${what} where a folder cannot be listed`, () => {
    assert.equal(told('node_modules', 0o755, tell), listed);
    assert.not.equal(told('node_modules', 0o311, tell), listed);
  });

test('a file and something missing hold nothing, a path that is too long may', () => {
  withFiles({ a: '' }, (root) => {
    assert.equal(folderEntries(join(root, 'a')), []);
    assert.equal(folderEntries(join(root, 'b')), []);
    assert.is(folderEntries(join(root, 'd/'.repeat(4096))), null);
  });
});

test.run();
