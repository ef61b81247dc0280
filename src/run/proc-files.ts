/** What Linux says of a process in /proc. */
import { readFileSync, readlinkSync } from 'node:fs';

interface ProcStat {
  readonly name: string;
  /** One letter; `Z` and `X` have ended. */
  readonly state: string;
  /** 0 for a process that has none. */
  readonly parent: number;
  /** The process that its session began with; 0 for one that has none. */
  readonly session: number;
  /** Clock ticks from the start of the machine. */
  readonly began: string;
}

/** `/proc/PID/stat`; null for a process that is not there or not ours to see. */
export function procStat(pid: number): ProcStat | null {
  const stat = procText(`/proc/${pid}/stat`);
  // `pid (name) state parent …`; the name may hold spaces and parentheses itself.
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const fields = stat.slice(close + 2).split(' ');
  const [state = '', parent = '', , session = ''] = fields;
  const name = stat.slice(open + 1, close);
  // Field 22 of the whole line.
  return { name, state, parent: Number(parent) || 0, session: Number(session) || 0, began: fields[19] ?? '' };
}

/** The text of a file of /proc; empty when the process is gone, not ours to see, or the system has no such file. */
export function procText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Where a link of /proc leads; empty as above. */
export function procLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
