/** Reads a machine's own facts, to look for signs of a container or a virtual machine: bounded, from fixed places, without judging them. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';

/** The facts that were found; `signs.ts` interprets them. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  /** The places of EXISTING that exist. */
  readonly places: ReadonlySet<string>;
  /** The files of READ that could be read, at most their first 64 KiB. */
  readonly texts: ReadonlyMap<string, string>;
  /** The answer of `sysctl kern.hv_vmm_present` on macOS; null elsewhere, and when it does not answer. */
  readonly hypervisor: string | null;
  /** Names of variables that containers and their tools set. Any program can set them, so they prove nothing. */
  readonly variables: readonly string[];
}

/** Places that exist in containers and virtual machines, and not on other machines. */
export const EXISTING = [
  '/.dockerenv',
  '/run/.containerenv',
  '/var/run/secrets/kubernetes.io/serviceaccount',
  '/proc/device-tree/hypervisor',
  '/proc/sys/fs/binfmt_misc/WSLInterop',
] as const;

/** Files that describe the machine. Many are missing on each machine, and only root may read `/proc/1/environ`. */
export const READ = [
  '/run/systemd/container',
  '/run/host/container-manager',
  '/proc/1/environ',
  '/proc/1/cgroup',
  '/proc/self/cgroup',
  '/proc/self/mountinfo',
  '/proc/version',
  '/proc/cpuinfo',
  '/proc/device-tree/compatible',
  '/proc/sysinfo',
  '/proc/xen/capabilities',
  '/sys/hypervisor/type',
  '/sys/class/dmi/id/sys_vendor',
  '/sys/class/dmi/id/product_name',
] as const;

export type ReadPlace = (typeof READ)[number];
export type ExistingPlace = (typeof EXISTING)[number];

const VARIABLES = ['CODESPACES', 'REMOTE_CONTAINERS', 'DEVCONTAINER', 'KUBERNETES_SERVICE_HOST', 'container'];
const MOST = 65_536;
const PATIENCE = 2_000;

/** @param root put before each place; empty except in tests */
export function readMachine(
  root: string,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): MachineFacts {
  const texts = READ.flatMap((path) => {
    const text = startOf(root + path);
    return text === null ? [] : [[path, text] as const];
  });
  return {
    platform,
    places: new Set(EXISTING.filter((path) => existsSync(root + path))),
    texts: new Map(texts),
    hypervisor: platform === 'darwin' ? answerOf(`${root}/usr/sbin/sysctl`, ['-n', 'kern.hv_vmm_present']) : null,
    variables: VARIABLES.filter((name) => (environment[name] ?? '') !== ''),
  };
}

/** Returns the beginning of a file whose size the system does not report; null when it cannot be read. */
function startOf(path: string): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const room = Buffer.alloc(MOST);
    let length = 0;
    for (let got = -1; got !== 0 && length < MOST; length += got) got = readSync(descriptor, room, length, MOST - length, null);
    return room.toString('utf8', 0, length);
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Returns the output of a system program; null when it fails. */
function answerOf(program: string, words: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, words, { env: {}, encoding: 'utf8', timeout: PATIENCE, killSignal: 'SIGKILL' });
  return status === 0 ? stdout.trim() : null;
}
