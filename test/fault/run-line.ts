/** Starts an installed command line as a client does (through its shell, a payload on standard input), with one thing broken. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Outcome } from './client.js';
import { OWNER } from './world.js';

/** What a client writes to the hook's standard input. */
export type Feed =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** All of it, in pieces with pauses; `end` false: and then nothing, but the pipe stays open. */
  | {
      readonly kind: 'pieces';
      readonly bytes: Uint8Array;
      readonly size: number;
      readonly pauseMs: number;
      readonly end: boolean;
    };

export interface LineStart {
  /** The program that reads the line: `/bin/sh`, dash or bash. */
  readonly shell: string;
  readonly line: string;
  readonly feed: Feed;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Shell text that runs before, in the same process: limits, closed descriptors. */
  readonly before?: string;
  /** Shell text that runs in the shell that reads the line, just before it: limits under which no shell could start. */
  readonly within?: string;
  /** Called once when the line has started: signals, files that vanish. */
  readonly during?: (shell: number) => Promise<void>;
  /** The other ends that the client itself closes at once. */
  readonly closes?: readonly ('stdout' | 'stderr')[];
  /** Milliseconds after which the client ends the hook, instead of 30,000. */
  readonly patience?: number;
}

/** Milliseconds; ours ask for 30 s, and most clients then run the call. */
const CLIENT_PATIENCE = 30_000;
const GRACE = 1000;

/** Runs it to its end. */
export function runLine({
  shell,
  line,
  feed,
  cwd,
  environment,
  before,
  during,
  within,
  closes = [],
  patience = CLIENT_PATIENCE,
}: LineStart): Promise<Outcome> {
  const whole = within === undefined ? line : `${within}\n${line}`;
  const words = before === undefined ? ['-c', whole] : ['-c', `${before}\nexec "$0" -c "$1"`, shell, whole];
  return new Promise((resolve, reject) => {
    const child = spawn(shell, words, { cwd, env: environment, stdio: 'pipe', detached: true, ...OWNER });
    const outcome = { stdout: '', stderr: '', timedOut: false };
    for (const name of ['stdout', 'stderr'] as const) {
      if (closes.includes(name)) child[name].destroy();
      else child[name].on('data', (chunk: Buffer) => (outcome[name] += chunk.toString()));
    }
    let grace: NodeJS.Timeout | undefined;
    // Where we were stopped ourselves, the end of the hook may be there already, only unheard: then it comes before the grace is over.
    const timer = setTimeout(() => {
      grace = setTimeout(() => {
        outcome.timedOut = true;
        if (child.pid !== undefined) endGroup(child.pid);
      }, GRACE);
    }, patience);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      clearTimeout(grace);
      resolve({ status, signal, ...outcome });
    });
    // A hook that ended without reading is its own business.
    child.stdin.on('error', () => child.stdin.destroy());
    write(child.stdin, feed);
    if (during !== undefined && child.pid !== undefined) during(child.pid).catch(reject);
  });
}

function write(stdin: NodeJS.WritableStream, feed: Feed): void {
  if (feed.kind === 'bytes') {
    stdin.end(feed.bytes);
    return;
  }
  let at = 0;
  const next = () => {
    if (at >= feed.bytes.length) {
      if (feed.end) stdin.end();
      return;
    }
    stdin.write(feed.bytes.subarray(at, at + feed.size));
    at += feed.size;
    setTimeout(next, feed.pauseMs);
  };
  next();
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}

/** Ids of the processes below one whose program has one of these names. Linux. */
export function descendants(of: number, names: readonly string[]): number[] {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of readdirSync('/proc')) if (/^\d+$/.test(entry)) addProcess(parents, Number(entry));
  const below = (id: number): boolean => {
    const parent = parents.get(id)?.parent;
    return parent !== undefined && (parent === of || below(parent));
  };
  return [...parents].filter(([id, found]) => names.includes(found.name) && below(id)).map(([id]) => id);
}

function addProcess(parents: Map<number, { parent: number; name: string }>, id: number): void {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    parents.set(id, { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) });
  } catch {
    // It ended while we looked.
  }
}
