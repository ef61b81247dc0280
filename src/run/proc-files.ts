/** What Linux reports about a process in /proc. */
import { readFileSync, readlinkSync } from 'node:fs';

interface ProcStat {
  readonly name: string;
  /** One letter; `Z` and `X` mean that it has ended. */
  readonly state: string;
  /** 0 for a process without a parent. */
  readonly parent: number;
  /** The first process of its session; 0 for a process without a session. */
  readonly session: number;
  /** Clock ticks since boot. */
  readonly began: string;
}

/** Reads `/proc/PID/stat`; null for a process that does not exist or is not visible to us. */
export function procStat(pid: number): ProcStat | null {
  const stat = procText(`/proc/${pid}/stat`);
  // `pid (name) state parent …`; the name may itself contain spaces and parentheses.
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const fields = stat.slice(close + 2).split(' ');
  const [state = '', parent = '', , session = ''] = fields;
  const name = stat.slice(open + 1, close);
  // Field 22 of the whole line.
  return { name, state, parent: Number(parent) || 0, session: Number(session) || 0, began: fields[19] ?? '' };
}

/** The text of a file in /proc; empty if the process has ended, is not visible to us, or the system has no such file. */
export function procText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The target of a link in /proc; empty in the same cases as for `procText`. */
export function procLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
