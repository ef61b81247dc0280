/**
 * Identifies the process of a record and whether it still runs. Its number alone is not enough, because numbers are reused: the
 * start time of the process is needed too, and the origin of the number (a container has numbers of its own).
 */
import { procLink, procStat, procText } from './proc-files.js';

export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time as reported by the system; empty if unknown. */
  readonly began: string;
  /** The boot of the machine and the namespace of process numbers. */
  readonly where: string;
}

/** Programs that run a hook's command line and end with it: none of them is the runner. */
const WRAPPERS: ReadonlySet<string> = new Set(['timeout', 'perl', 'env', 'sh', 'bash', 'dash', 'zsh', 'ash', 'ksh', 'busybox']);
const MOST_ANCESTORS = 64;

interface ProcessStatus {
  readonly parent: number;
  readonly name: string;
  readonly began: string;
  /** It has ended, and only its parent still has to collect it. */
  readonly ended: boolean;
}

/** Looks up processes by the means of this system; `status` returns `null` if no process has that number. */
export interface ProcessTable {
  readonly where: string;
  /** Whether the system provides any information. */
  readonly readable: boolean;
  status(pid: number): ProcessStatus | null;
}

export function processTable(platform: NodeJS.Platform): ProcessTable {
  if (platform === 'linux') return linuxProcessTable();
  return platform === 'darwin' ? psTable() : { where: '', readable: false, status: () => null };
}

/** The identity of a process; null if the system reports nothing about it. */
export function identityOf(pid: number, table: ProcessTable): ProcessIdentity | null {
  const status = table.readable ? table.status(pid) : null;
  return status && { pid, began: status.began, where: table.where };
}

/**
 * The program that started the hook: its nearest ancestor that is neither a shell nor one of the programs of the installed
 * command line. Null if none is visible; then only age ends what it started.
 * @param parent the hook's own parent
 */
export function runnerProcess(parent: number, table: ProcessTable): ProcessIdentity | null {
  if (!table.readable) return null;
  for (let pid = parent, step = 0; pid > 0 && step < MOST_ANCESTORS; step += 1) {
    const status = table.status(pid);
    if (status === null) return null;
    if (!WRAPPERS.has(status.name)) return { pid, began: status.began, where: table.where };
    pid = status.parent;
  }
  return null;
}

/** Whether a value that was read is an identity. */
export function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, began, where } = value as Readonly<Record<string, unknown>>;
  return typeof pid === 'number' && typeof began === 'string' && typeof where === 'string';
}

/** `unknown` for a process of another container, or if the system cannot be asked. */
export function isAlive(process: ProcessIdentity, table: ProcessTable): 'yes' | 'no' | 'unknown' {
  if (!table.readable) return 'unknown';
  if (process.where !== table.where) return bootOf(process.where) === bootOf(table.where) ? 'unknown' : 'no';
  const status = table.status(process.pid);
  return status !== null && !status.ended && status.began === process.began ? 'yes' : 'no';
}

/** Whether any process has that number: it may belong to another user, or have got the number since. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

const bootOf = (where: string) => where.split(' ', 1)[0];

/** Looks up processes in /proc, each with its start time, which distinguishes processes with the same number. */
function linuxProcessTable(): ProcessTable {
  const boot = procText('/proc/sys/kernel/random/boot_id').trim();
  const space = procLink('/proc/self/ns/pid');
  return {
    where: `${boot} ${space}`,
    readable: boot !== '' && procText('/proc/self/stat') !== '',
    status: (pid) => {
      const stat = procStat(pid);
      return stat && { ...stat, ended: 'ZX'.includes(stat.state) };
    },
  };
}

/** macOS: reads all processes once. The machine has only one table of process numbers. */
function psTable(): ProcessTable {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('/bin/ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,lstart=,comm='], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
    maxBuffer: 16 * 1024 * 1024,
    timeout: 5_000,
  });
  const rows = new Map<number, ProcessStatus>();
  for (const line of (stdout ?? '').split('\n')) {
    const [, pid, parent, state = '', began = '', name = ''] =
      /^ *(\d+) +(\d+) +(\S+) +(\S+ +\S+ +\d+ +[\d:]+ +\d+) +(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    rows.set(Number(pid), {
      parent: Number(parent),
      name: name.slice(name.lastIndexOf('/') + 1),
      began: began.replaceAll(/ +/g, ' '),
      ended: state.startsWith('Z'),
    });
  }
  return { where: 'machine', readable: rows.size > 0, status: (pid) => rows.get(pid) ?? null };
}
