/** The state directory, with log and snapshots in it, is not as it has to be. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fault, Group } from '../fault.js';
import { type FaultWorld, OWNER } from '../world.js';

/** Needs a user that can give files away and mount. */
function onlyRoot(): string | null {
  return process.getuid?.() === 0 ? null : 'needs root';
}

function mountable(): string | null {
  if (onlyRoot() !== null) return onlyRoot();
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0 ? null : 'mount is not allowed here';
}

/** The state directory on a file system of 1 MB that is full up to `left` bytes. */
function fullDisk(world: FaultWorld, left: number): () => void {
  mkdirSync(world.state, { recursive: true });
  const options = `size=1m,mode=700,uid=${OWNER?.uid ?? 0},gid=${OWNER?.gid ?? 0}`;
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', world.state]);
  const chunk = Buffer.alloc(4096);
  const fill = join(world.state, 'fill');
  try {
    for (;;) writeFileSync(fill, chunk, { flag: 'a' });
  } catch {
    // Full.
  }
  if (left > 0) spawnSync('truncate', ['-s', `-${left}`, fill]);
  return () => spawnSync('umount', [world.state]);
}

/** Replaces every file of the snapshots' folder. */
function snapshots(world: FaultWorld, change: (text: Buffer, file: string) => void): void {
  const folder = join(world.state, 'snapshots');
  const files = readdirSync(folder);
  if (files.length === 0) throw new Error('there is no snapshot to break');
  for (const name of files) change(readFileSync(join(folder, name)), join(folder, name));
}

function snapshotFault(name: string, change: (text: Buffer, file: string) => void, missing?: () => string | null): Fault {
  return { name: `snapshot: ${name}`, warm: true, plant: (world) => snapshots(world, change), ...(missing && { missing }) };
}

/** What a snapshot without the rule would be, if it were taken. */
function withoutRule(text: Buffer): string {
  return text.toString().replaceAll('touch', 'never').replaceAll('"deny"', '"allow"');
}

function logFile(world: FaultWorld): string {
  return join(world.state, 'log', `decisions-${new Date().toISOString().slice(0, 10)}.jsonl`);
}

export const state: Group = {
  title: 'State directory, log, snapshots',
  faults: [
    { name: 'a full disk: no byte left on a tmpfs of 1 MB', missing: mountable, plant: (world) => fullDisk(world, 0) },
    { name: 'a full disk: a page left', missing: mountable, plant: (world) => fullDisk(world, 4096) },
    {
      name: 'read-only',
      warm: true,
      plant: (world) => {
        for (const folder of [world.state, join(world.state, 'log'), join(world.state, 'snapshots')]) chmodSync(folder, 0o500);
        chmodSync(logFile(world), 0o400);
      },
    },
    { name: 'cannot be made: its parent is read-only', plant: (world) => makeParent(world, 0o500) },
    { name: 'unreadable (mode 000)', warm: true, plant: (world) => chmodSync(world.state, 0o000) },
    { name: 'writable for everybody (mode 777)', warm: true, plant: (world) => chmodSync(world.state, 0o777) },
    { name: 'the log folder writable for everybody', warm: true, plant: (world) => chmodSync(join(world.state, 'log'), 0o777) },
    { name: 'a link to another folder', warm: true, plant: linkedState },
    { name: 'a link that leads nowhere', plant: (world) => [makeParent(world), symlinkSync('nowhere', world.state)] },
    { name: 'a file', plant: (world) => [makeParent(world), writeFileSync(world.state, '')] },
    { name: 'belongs to somebody else', missing: onlyRoot, warm: true, plant: (world) => chownSync(world.state, 12_345, 12_345) },
    {
      name: 'log file: belongs to somebody else',
      missing: onlyRoot,
      warm: true,
      plant: (world) => chownSync(logFile(world), 12_345, 12_345),
    },
    { name: 'log file: a directory', plant: (world) => mkdirSync(logFile(world), { recursive: true }) },
    { name: 'log file: a pipe that nobody reads', plant: pipeLog },
    {
      name: 'log file: a link to a device',
      plant: (world) => [makeLogFolder(world), symlinkSync('/dev/null', logFile(world))],
    },
    { name: 'digest key: cut off', warm: true, plant: (world) => spoilKeys(world, Buffer.alloc(3)) },
    { name: 'digest key: empty', warm: true, plant: (world) => spoilKeys(world, Buffer.alloc(0)) },
    snapshotFault('cut off', (text, file) => writeFileSync(file, text.subarray(0, text.length / 2))),
    snapshotFault('empty', (_text, file) => writeFileSync(file, '')),
    snapshotFault('garbage', (_text, file) => writeFileSync(file, Buffer.alloc(4096, 0xa5))),
    snapshotFault('JSON that is none of ours', (_text, file) => writeFileSync(file, '{"build":"x"}')),
    snapshotFault('null', (_text, file) => writeFileSync(file, 'null')),
    snapshotFault('of a newer version, without the rule', (text, file) =>
      writeFileSync(file, withoutRule(text).replace(/"build":"[^"]*"/, '"build":"99.0.0"')),
    ),
    snapshotFault(
      'without the rule, belongs to somebody else',
      (text, file) => {
        writeFileSync(file, withoutRule(text));
        chownSync(file, 12_345, 12_345);
      },
      onlyRoot,
    ),
    snapshotFault('without the rule, writable for everybody', (text, file) => {
      writeFileSync(file, withoutRule(text));
      chmodSync(file, 0o666);
    }),
    snapshotFault('without the rule, behind a link', (text, file) => {
      writeFileSync(`${file}.other`, withoutRule(text), { mode: 0o600 });
      rmSync(file);
      symlinkSync(`${file}.other`, file);
    }),
    snapshotFault('a directory', (_text, file) => {
      rmSync(file);
      mkdirSync(file);
    }),
    {
      name: 'snapshot: the policy changed under it and got its old time back',
      warm: true,
      plant: (world) => {
        const file = join(world.config, 'policy.yaml');
        const text = readFileSync(file, 'utf8');
        writeFileSync(
          file,
          text.replace('deny:', '# a:').replace('  - rule: Bash(touch *)\n    reason: Nothing is touched here.', ''),
        );
        writeFileSync(file, text);
        utimesSync(file, 1, 1);
      },
    },
  ],
};

function makeParent(world: FaultWorld, mode = 0o700): void {
  mkdirSync(dirname(world.state), { recursive: true });
  if (OWNER !== null)
    for (const folder of [dirname(dirname(world.state)), dirname(world.state)]) chownSync(folder, OWNER.uid, OWNER.gid);
  chmodSync(dirname(world.state), mode);
}

function makeLogFolder(world: FaultWorld): void {
  mkdirSync(join(world.state, 'log'), { recursive: true, mode: 0o700 });
  for (const folder of [dirname(dirname(world.state)), dirname(world.state), world.state, join(world.state, 'log')])
    if (OWNER !== null) chownSync(folder, OWNER.uid, OWNER.gid);
}

function pipeLog(world: FaultWorld): void {
  makeLogFolder(world);
  spawnSync('mkfifo', [logFile(world)]);
  if (OWNER !== null) chownSync(logFile(world), OWNER.uid, OWNER.gid);
}

function linkedState(world: FaultWorld): void {
  renameSync(world.state, `${world.state}.real`);
  symlinkSync(`${world.state}.real`, world.state);
}

function spoilKeys(world: FaultWorld, bytes: Buffer): void {
  for (const name of readdirSync(world.state)) if (name.includes('key')) writeFileSync(join(world.state, name), bytes);
}
