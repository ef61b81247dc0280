/** What is remembered of a file, and when it is read again. */
import { linkSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gitFacts } from '../../../src/disk/git/repository.js';
import { FileMemory } from '../../../src/disk/memory.js';
import { withFiles } from '../scratch.js';

/** Runs `use` at another time. */
function at<Result>(time: () => number, use: () => Result): Result {
  const { now } = Date;
  Date.now = time;
  try {
    return use();
  } finally {
    Date.now = now;
  }
}

/** Runs `use` as if so much time had gone by that the files have settled. */
function later<Result>(use: () => Result): Result {
  const { now } = Date;
  return at(() => now() + 60_000, use);
}

/** Waits until what changes in a folder gets another time than its file has: file systems count in steps. */
function nextTick(file: string): void {
  const probe = `${file}.probe`;
  const last = statSync(file, { bigint: true }).ctimeNs;
  do writeFileSync(probe, '');
  while (statSync(probe, { bigint: true }).ctimeNs <= last);
  rmSync(probe);
}

/** How often a file is read when it is asked for twice, changed, and asked for again. */
function reads(change: (file: string, folder: string) => void): number {
  return withFiles({ a: 'one', b: 'two' }, (folder) =>
    later(() => {
      const memory = new FileMemory<number>();
      const file = join(folder, 'a');
      let count = 0;
      const ask = () => memory.of(file, () => ++count);
      ask();
      ask();
      nextTick(file);
      change(file, folder);
      ask();
      return count;
    }),
  );
}

for (const [what, change, expected] of [
  ['nothing changed', () => {}, 2],
  ['its text changed, not its size', (file: string) => writeFileSync(file, 'two'), 3],
  ['its text changed and its times were set back', (file: string) => setBack(file, () => writeFileSync(file, 'two')), 3],
  ['another file of the same size took its place', (file: string, folder: string) => renameSync(join(folder, 'b'), file), 3],
  ['a link took its place', (file: string, folder: string) => replaceBy(file, () => symlinkSync(join(folder, 'b'), file)), 3],
  [
    'another name of another file took its place',
    (file: string, folder: string) => replaceBy(file, () => linkSync(join(folder, 'b'), file)),
    3,
  ],
  ['it is gone', (file: string) => rmSync(file), 3],
] as const) {
  test(`${what}: read ${expected} times`, () => assert.is(reads(change), expected));
}

function setBack(file: string, change: () => void): void {
  const { atime, mtime } = statSync(file);
  change();
  utimesSync(file, atime, mtime);
}

function replaceBy(file: string, make: () => void): void {
  rmSync(file);
  make();
}

test('what is asked for once is not remembered: a hook does not ask again', () => {
  withFiles({ a: 'x' }, (folder) =>
    later(() => {
      const memory = new FileMemory<number>();
      const ask = (value: number) => memory.of(join(folder, 'a'), () => value);
      assert.equal([ask(1), ask(2), ask(3)], [1, 2, 2]);
    }),
  );
});

test('a file that changed just now is read each time', () => {
  withFiles({ a: 'x' }, (folder) => {
    const changed = Number(statSync(join(folder, 'a')).ctimeMs);
    const readsAfter = (milliseconds: number) =>
      at(
        () => changed + milliseconds,
        () => {
          const memory = new FileMemory<number>();
          let count = 0;
          for (let times = 0; times < 4; times += 1) memory.of(join(folder, 'a'), () => ++count);
          return count;
        },
      );
    assert.equal([2_900, 3_100].map(readsAfter), [4, 2]);
  });
});

test('what is not there, or is a folder, is looked for each time', () => {
  withFiles({ 'd/a': '' }, (folder) =>
    later(() => {
      const memory = new FileMemory<number>();
      let count = 0;
      for (const name of ['x', 'x', 'd', 'd']) memory.of(join(folder, name), () => ++count);
      assert.is(count, 4);
    }),
  );
});

test('64 files are remembered, the one asked for longest ago makes room', () => {
  const names = Array.from({ length: 65 }, (_, index) => `f${index}`);
  withFiles(Object.fromEntries(names.map((name) => [name, name])), (folder) =>
    later(() => {
      const memory = new FileMemory<string>();
      const read: string[] = [];
      const note = (name: string) => {
        read.push(name);
        return name;
      };
      const ask = (name: string) => memory.of(join(folder, name), () => note(name));
      for (const name of names.flatMap((one) => [one, one])) ask(name);
      ask('f64');
      ask('f1');
      ask('f0');
      assert.equal(read.slice(130), ['f0']);
    }),
  );
});

test('a configuration that turns evil is seen, also at the same size', () => {
  const files = {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/objects/': '',
    '.git/refs/': '',
    '.git/config': '[core]\n\tfsmonitop = evil\n',
  };
  withFiles(files, (folder) => {
    const hazards = () => later(() => gitFacts(folder, [folder], folder)?.hazards.map(({ key }) => key));
    for (let times = 0; times < 3; times += 1) assert.equal(hazards(), []);
    nextTick(join(folder, '.git/config'));
    writeFileSync(join(folder, '.git/config'), '[core]\n\tfsmonitor = evil\n');
    assert.equal(hazards(), ['core.fsmonitor']);
  });
});

test.run();
