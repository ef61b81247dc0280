/** Things that take the place of files, and what planting them needs. */
import { spawnSync } from 'node:child_process';
import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultWorld, OWNER } from './world.js';

/** Needs a user that can give files away and mount. */
export function onlyRoot(): string | null {
  return process.getuid?.() === 0 ? null : 'needs root';
}

/** The same, where a container may forbid it. */
export function mountable(): string | null {
  if (onlyRoot() !== null) return onlyRoot();
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0 ? null : 'mount is not allowed here';
}

/** Puts something in the place of a file or folder of the state directory. */
export function replacedBy(name: string, make: (path: string) => unknown): (world: FaultWorld) => void {
  return (world) => {
    renameSync(join(world.state, name), `${world.state}.${name.replaceAll('/', '-')}`);
    make(join(world.state, name));
    giveAll(world);
  };
}

/** A pipe: whoever opens it waits for somebody at the other end. */
export function pipe(path: string): void {
  rmSync(path, { force: true });
  spawnSync('mkfifo', ['-m', '600', path]);
  if (OWNER !== null) chownSync(path, OWNER.uid, OWNER.gid);
}

export function writeEmpty(path: string): void {
  writeFileSync(path, '', { mode: 0o600 });
}

/** What root planted below the state directory belongs to the owner. */
export function giveAll({ state }: FaultWorld): void {
  if (OWNER !== null) spawnSync('chown', ['-hR', `${OWNER.uid}:${OWNER.gid}`, state]);
}
