/** The state directory, with log and snapshots in it, is not as it has to be. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, type Group, pause } from '../fault.js';
import { giveAll, mountable, onlyRoot, pipe, replacedBy, writeEmpty } from '../plant.js';
import { type FaultWorld, OWNER } from '../world.js';

/** The state directory on a file system of 1 MB that is full up to `left` bytes. */
function fullDisk(world: FaultWorld, left: number): () => void {
  mkdirSync(world.state, { recursive: true });
  const options = `size=1m,mode=700,uid=${OWNER?.uid ?? 0},gid=${OWNER?.gid ?? 0}`;
  // Else it would be the disk of the machine that is filled.
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', world.state]);
  if (status !== 0) throw new Error('the small file system could not be mounted');
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

/** The log of the calls before, which may have been made yesterday; without such calls that of today. */
function logFile(world: FaultWorld): string {
  const folder = join(world.state, 'log');
  const there = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.jsonl')) : undefined;
  return join(folder, there ?? `decisions-${new Date().toISOString().slice(0, 10)}.jsonl`);
}

export const state: Group = {
  title: 'State directory and log',
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
    { name: 'log: a file in place of its folder', warm: true, plant: replacedBy('log', writeEmpty) },
    { name: 'log: a pipe in place of its folder', warm: true, plant: replacedBy('log', pipe) },
    { name: 'log: a link in place of its folder', warm: true, plant: replacedBy('log', (path) => symlinkSync('/tmp', path)) },
    { name: 'digest key: a pipe', warm: true, plant: replacedBy('digest.key', pipe) },
    { name: 'digest key: a directory', warm: true, plant: replacedBy('digest.key', (path) => mkdirSync(path)) },
    {
      name: 'digest key: a link to a device',
      warm: true,
      plant: replacedBy('digest.key', (path) => symlinkSync('/dev/zero', path)),
    },
    {
      name: 'deleted again and again while the call is made',
      ...{ warm: true, random: true },
      start: (_start, world) => ({ during: () => again(() => rmSync(world.state, { recursive: true, force: true })) }),
    },
    {
      name: 'its log deleted again and again while the call is made',
      ...{ warm: true, random: true },
      start: (_start, world) => ({
        during: () => again(() => rmSync(join(world.state, 'log'), { recursive: true, force: true })),
      }),
    },
    { name: 'a pipe', plant: (world) => [makeParent(world), pipe(world.state)] },
    {
      name: 'log file: full, and so is its next part',
      warm: true,
      plant: (world) => {
        truncateSync(logFile(world), 65 * 1024 * 1024);
        copyFileSync(logFile(world), logFile(world).replace('.jsonl', '-1.jsonl'));
        giveAll(world);
      },
    },
    {
      name: 'log file: ends within a record',
      warm: true,
      plant: (world) => truncateSync(logFile(world), readFileSync(logFile(world)).length - 20),
    },
    {
      name: 'log file: immutable (chattr +i)',
      warm: true,
      missing: () => onlyRoot() ?? (spawnSync('chattr', ['-V']).error ? 'there is no chattr' : null),
      plant: (world) => {
        const file = logFile(world);
        spawnSync('chattr', ['+i', file]);
        return () => spawnSync('chattr', ['-i', file]);
      },
    },
    {
      name: 'a file system that is read-only (EROFS)',
      warm: true,
      missing: mountable,
      plant: ({ state: folder }) => {
        spawnSync('mount', ['--bind', folder, folder]);
        spawnSync('mount', ['-o', 'remount,bind,ro', folder]);
        return () => spawnSync('umount', [folder]);
      },
    },
    {
      name: 'a file system without room for one more file (no inodes)',
      missing: mountable,
      plant: ({ state: folder }) => {
        mkdirSync(folder, { recursive: true });
        const owner = `mode=700,uid=${OWNER?.uid ?? 0},gid=${OWNER?.gid ?? 0}`;
        spawnSync('mount', ['-t', 'tmpfs', '-o', `nr_inodes=2,${owner}`, 'tmpfs', folder]);
        return () => spawnSync('umount', [folder]);
      },
    },
    session('garbage', (path) => writeFileSync(path, Buffer.alloc(300, 0xa5))),
    session('empty', writeEmpty),
    session('a pipe', pipe),
    session('a directory', (path) => mkdirSync(path)),
    session('that names another project', (path) => writeFileSync(path, '{"version":1,"project":"/usr"}')),
  ],
};

/** The record of the session's project, as a line uses it that serves every project: made by one call, spoiled for the next. */
function session(what: string, make: (path: string) => unknown): Fault {
  return {
    name: `record of the session: ${what}`,
    start: ({ line, shell, environment, cwd, feed }, world, runner) => {
      const everywhere = line.replace(` --project ${world.project}`, '');
      const folder = join(world.state, 'sessions');
      spawnSync(shell, ['-c', everywhere], { cwd, env: environment, input: feed.bytes, ...OWNER });
      const records = existsSync(folder) ? readdirSync(folder) : [];
      if (records.length === 0 && runner === 'claude-code') throw new Error('there is no record to spoil');
      for (const name of records) {
        rmSync(join(folder, name));
        make(join(folder, name));
      }
      giveAll(world);
      return { line: everywhere };
    },
  };
}

/** Something that goes on while the hook works. */
async function again(disturb: () => void): Promise<void> {
  const end = performance.now() + 200;
  while (performance.now() < end) {
    try {
      disturb();
    } catch {
      // The hook was quicker, and made something in between.
    }
    await pause(Math.random() * 2);
  }
}

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
