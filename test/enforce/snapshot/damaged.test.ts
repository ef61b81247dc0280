/** A damaged snapshot is compiled anew or denies; it never lets pass what the whole one does not. */
import { closeSync, openSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSnapshot, slotOf } from '../../../src/enforce/snapshot/file.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../../hook/world.js';

const POLICY = 'version: 1\nallow: ["Bash(frob *)", "Bash(zap *)"]\ndeny: ["Bash(frob --wipe *)", "Bash(zap --all)"]\n';
const CALLS = ['frob x', 'frob --wipe x', 'zap --all', 'zap x', '/bin/frob --wipe y', 'frob "--wipe" z'] as const;
const EXPECTED = ['allow', 'deny', 'deny', 'allow', 'deny', 'deny'];

const ask = (world: HookWorld, command: string) => verdictOf(world.run(payload(world, 'Bash', { command })));

/** Waits until nothing in the world is younger than a snapshot may rest on, by the clock of the file system. */
function calm(world: HookWorld): void {
  const probe = join(dirname(world.home), 'probe');
  writeFileSync(probe, '');
  const since = statSync(probe).ctimeMs;
  while (statSync(probe).ctimeMs < since + 250) utimesSync(probe, 1, 1);
}

function snapshotOf(world: HookWorld): string {
  const folder = join(world.state, 'snapshots');
  const [file] = readdirSync(folder);
  assert.ok(file, 'a snapshot was stored');
  return join(folder, file);
}

/** Runs `damage` on the bytes of a stored snapshot, which it changes or replaces. */
function withDamage(damage: (bytes: Buffer) => Buffer, check: (world: HookWorld) => void): void {
  withHookWorld({ '.config/policy/policy.yaml': POLICY }, (world) => {
    calm(world);
    assert.is(ask(world, 'frob x'), 'allow');
    const file = snapshotOf(world);
    writeFileSync(file, damage(readFileSync(file)));
    calm(world);
    check(world);
  });
}

test('the world decides as expected, from its snapshot', () => {
  withDamage(
    (bytes) => bytes,
    (world) => {
      assert.equal(
        CALLS.map((command) => ask(world, command)),
        EXPECTED,
      );
      assert.is(world.compiled, 1);
    },
  );
});

function withSlots(bytes: Buffer, other: (slots: number) => number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(other(bytes.readUInt32LE(12)), 12);
  return changed;
}

const SHAPES: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['is empty', () => Buffer.alloc(0)],
  ['is cut off in its numbers', (bytes) => bytes.subarray(0, 10)],
  ['is cut off in its head', (bytes) => bytes.subarray(0, 300)],
  ['lacks its last byte', (bytes) => bytes.subarray(0, -1)],
  ['is longer than it says', (bytes) => Buffer.concat([bytes, Buffer.from(' ')])],
  ['is of zeros', (bytes) => Buffer.alloc(bytes.length)],
  ['has a head of zeros', (bytes) => Buffer.from(bytes).fill(0, 24, 400)],
  ['says that it has half as many slots', (bytes) => withSlots(bytes, (slots) => slots / 2)],
  ['says that it has twice as many slots', (bytes) => withSlots(bytes, (slots) => slots * 2)],
  ['says that it has no slots', (bytes) => withSlots(bytes, () => 0)],
  ['is JSON, as older versions wrote it', () => Buffer.from('{"build":"x"}')],
];
for (const [what, damage] of SHAPES) {
  test(`a snapshot that ${what} is compiled anew`, () => {
    withDamage(damage, (world) => {
      assert.equal(
        CALLS.map((command) => ask(world, command)),
        EXPECTED,
      );
      assert.is(world.compiled, 2);
    });
  });
}

/** Where the table of the slots begins, and where it ends. */
function tableOf(bytes: Buffer): [number, number] {
  const from = 24 + bytes.readUInt32LE(8);
  return [from, from + bytes.readUInt32LE(12) * 8];
}

const HOLES: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['whose slots are zeros', (bytes) => Buffer.from(bytes).fill(0, ...tableOf(bytes))],
  ['whose values are zeros', (bytes) => Buffer.from(bytes).fill(0, tableOf(bytes)[1])],
  ['whose values are blanks', (bytes) => Buffer.from(bytes).fill(' ', tableOf(bytes)[1])],
  [
    'whose slots are those of their neighbours',
    (bytes) => {
      const [from, to] = tableOf(bytes);
      const moved = Buffer.from(bytes);
      bytes.copy(moved, from, from + 8, to);
      bytes.copy(moved, to - 8, from, from + 8);
      return moved;
    },
  ],
];
for (const [what, damage] of HOLES) {
  test(`a snapshot ${what} denies once and is put away, or is seen through before`, () => {
    withDamage(damage, (world) => {
      const output = world.run(payload(world, 'Bash', { command: 'frob x' }));
      // A text of zeros is no text of the policy: that is seen before anything is decided.
      if (world.compiled === 2) assert.is(verdictOf(output), 'allow');
      else {
        assert.is(verdictOf(output), 'deny');
        assert.match(output.stderr, 'damaged and was removed');
        assert.equal(readdirSync(join(world.state, 'snapshots')), []);
      }
      assert.is(ask(world, 'zap --all'), 'deny');
      assert.is(ask(world, 'frob x'), 'allow');
    });
  });
}

test('a byte that is changed anywhere in the values never makes an answer looser', () => {
  withHookWorld({ '.config/policy/policy.yaml': POLICY }, (world) => {
    calm(world);
    assert.is(ask(world, 'frob x'), 'allow');
    const file = snapshotOf(world);
    const whole = readFileSync(file);
    const [, from] = tableOf(whole);
    const denials = CALLS.filter((_, at) => EXPECTED[at] === 'deny');
    const step = Math.ceil((whole.length - POLICY.length - from) / 200);
    for (let at = from; at < whole.length - POLICY.length; at += step) {
      const bytes = Buffer.from(whole);
      bytes[at] = 0;
      writeFileSync(file, bytes);
      const command = denials[at % denials.length] ?? '';
      assert.is(ask(world, command), 'deny', `${command} with byte ${at} damaged`);
    }
  });
});

test('a large snapshot is read in pieces, and one that is cut short meanwhile denies', () => {
  const rules = Array.from({ length: 1500 }, (_, at) => `"Bash(frob${at} *)"`).join(', ');
  withHookWorld({ '.config/policy/policy.yaml': `${POLICY}ask: [${rules}]\n` }, (world) => {
    calm(world);
    for (const [at, command] of CALLS.entries()) assert.is(ask(world, command), EXPECTED[at]);
    assert.is(ask(world, 'frob77 x'), 'ask');
    assert.is(world.compiled, 1);
    const file = snapshotOf(world);
    const opened = openSnapshot(dirname(file), basename(file));
    assert.ok(opened);
    const { size } = statSync(file);
    assert.ok(size > 192 * 1024);
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(size - 150_000), 0, size - 150_000, 150_000);
    closeSync(descriptor);
    const { slots } = { slots: readFileSync(file).readUInt32LE(12) };
    assert.ok(slotOf('rr1', slots) < slots);
    const damages = Array.from({ length: 1504 }, (_, at) => {
      try {
        return opened.store.get(`rr${at}`) === undefined ? 'absent' : 'there';
      } catch (error) {
        return error instanceof Error && error.message.includes('damaged') ? 'damaged' : 'other';
      }
    });
    opened.close();
    assert.ok(damages.includes('damaged'));
    assert.not.ok(damages.includes('absent'));
    assert.not.ok(damages.includes('other'));
  });
});

test.run();
