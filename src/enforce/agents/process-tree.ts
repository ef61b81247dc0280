/** The ancestors of a process as the system reports them; no program is started where /proc has the answer. */
import { spawnSync } from 'node:child_process';
import { procLink, procStat, procText } from '../../run/proc-files.js';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process name as the system reports it; at most 15 characters on Linux. */
  readonly name: string;
  /** Path of its program; empty if it may not be read. */
  readonly program: string;
  readonly argv: readonly string[];
}

const MAX_DEPTH = 256;
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/**
 * Returns the ancestors of `pid`, nearest first, without `pid` itself. The list ends where the system reports no more (another
 * user's process under hidepid, Windows).
 */
export function ancestorsOf(pid: number, platform: NodeJS.Platform): ProcessEntry[] {
  const read = readerFor(platform);
  const ancestors: ProcessEntry[] = [];
  for (let next = read(pid)?.parent ?? 0; next > 0 && ancestors.length < MAX_DEPTH; ) {
    const entry = read(next);
    if (entry === null) break;
    ancestors.push(entry);
    next = entry.parent === next ? 0 : entry.parent;
  }
  return ancestors;
}

function readerFor(platform: NodeJS.Platform): (pid: number) => ProcessEntry | null {
  if (platform === 'linux') return fromProc;
  if (platform === 'win32') return () => null;
  const table = tableOfPs();
  return (pid) => table.get(pid) ?? null;
}

function fromProc(pid: number): ProcessEntry | null {
  const stat = procStat(pid);
  if (stat === null) return null;
  const { parent, name } = stat;
  const program = procLink(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  return { pid, parent, name, program, argv: procText(`/proc/${pid}/cmdline`).split('\0') };
}

/** Reads two process tables, since a name may contain spaces and therefore has to be the last column of each. */
function tableOfPs(): Map<number, ProcessEntry> {
  const programs = new Map(rowsOfPs('pid=,comm=').map((row) => [row.numbers[0] ?? 0, row.rest]));
  return new Map(
    rowsOfPs('pid=,ppid=,args=').map(({ numbers: [pid = 0, parent = 0], rest }) => {
      const program = programs.get(pid) ?? '';
      return [pid, { pid, parent, name: program.slice(program.lastIndexOf('/') + 1), program, argv: rest.split(' ') }];
    }),
  );
}

function rowsOfPs(columns: string): { readonly numbers: readonly number[]; readonly rest: string }[] {
  const count = columns.split(',').length - 1;
  const { stdout } = spawnSync('/bin/ps', ['-A', '-ww', '-o', columns], {
    encoding: 'utf8',
    env: {},
    maxBuffer: MAX_TABLE_BYTES,
    timeout: 5_000,
  });
  return (stdout ?? '').split('\n').map((line) => {
    const words = line.trim().split(/ +/);
    return { numbers: words.slice(0, count).map(Number), rest: words.slice(count).join(' ') };
  });
}
