/** Something ends, stops or silences the hook while it works. */

import { writeFileSync } from 'node:fs';
import { type Fault, type Group, pause } from '../fault.js';
import { descendants, type LineStart } from '../run-line.js';

/** Milliseconds within which a hook does its work, and so the moments of interest lie. */
const SPAN = 90;

/** The hook, or what watches over it: `timeout`, on macOS perl. */
type Program = readonly string[];
const HOOK: Program = ['node'];
const WATCH: Program = ['timeout', 'perl'];

/** Sends a signal to a process of the line, a random while after the line began. */
function strikes(program: Program, signal: NodeJS.Signals): Pick<LineStart, 'during'> {
  return {
    during: async (shell) => {
      await pause(Math.random() * SPAN);
      for (let tries = 0; tries < 50; tries += 1) {
        const [hit] = descendants(shell, program);
        if (hit !== undefined) return strike(hit, signal);
        await pause(1);
      }
    },
  };
}

/** What a shell can still do something about. */
const SHELL_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGALRM', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE'] as const;

/** The shell itself is told to end while the hook works. Not before it has read the beginning of the line. */
function strikesShell(signal: NodeJS.Signals): Pick<LineStart, 'during'> {
  return {
    during: async (shell) => {
      for (let tries = 0; tries < 50 && descendants(shell, [...WATCH, ...HOOK]).length === 0; tries += 1) await pause(1);
      await pause(Math.random() * SPAN);
      strike(shell, signal);
    },
  };
}

/** The hook and what watches over it at once. */
function strikesAll(): Pick<LineStart, 'during'> {
  return {
    during: async (shell) => {
      await pause(Math.random() * SPAN);
      for (const id of descendants(shell, [...HOOK, ...WATCH])) strike(id, 'SIGKILL');
    },
  };
}

/** What follows starts with these signals blocked. */
function blocked(names: string): string {
  return `exec perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(${names})) or die; exec @ARGV' "$0" -c "$1"`;
}

function strike(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It ended before; then its answer counts.
  }
}

function struck(name: string, program: Program, signal: NodeJS.Signals, slow = false): Fault {
  return { name, random: true, slow, hangs: slow, missing: onlyOnLinux, start: () => strikes(program, signal) };
}

function onlyOnLinux(): string | null {
  return process.platform === 'linux' ? null : 'processes are found in /proc';
}

export const signals: Group = {
  title: 'Signals and channels',
  faults: [
    struck('kill -9 of the hook, at a random moment', HOOK, 'SIGKILL'),
    struck('kill -9 of what watches over the hook', WATCH, 'SIGKILL'),
    struck('SIGTERM', HOOK, 'SIGTERM'),
    struck('SIGINT', HOOK, 'SIGINT'),
    struck('SIGHUP', HOOK, 'SIGHUP'),
    struck('SIGSEGV', HOOK, 'SIGSEGV'),
    struck('SIGPIPE', HOOK, 'SIGPIPE'),
    struck('SIGALRM', HOOK, 'SIGALRM'),
    struck('SIGUSR1, which starts the debugger', HOOK, 'SIGUSR1'),
    struck('SIGSTOP: the hook hangs', HOOK, 'SIGSTOP', true),
    struck('SIGTERM of what watches over the hook', WATCH, 'SIGTERM'),
    ...SHELL_SIGNALS.map(
      (signal): Fault => ({ name: `${signal} of the shell`, random: true, start: () => strikesShell(signal) }),
    ),
    { ...struck('kill -9 of both', [...HOOK, ...WATCH], 'SIGKILL'), start: () => strikesAll() },
    {
      name: 'signals blocked by the client, and the hook hangs',
      ...{ slow: true, hangs: true },
      plant: ({ node }) => writeFileSync(node, '#!/bin/sh\nexec sleep 60\n'),
      start: () => ({ before: blocked('SIGALRM, SIGTERM, SIGCHLD, SIGINT, SIGHUP') }),
    },
    { name: 'signals blocked by the client', start: () => ({ before: blocked('SIGALRM, SIGTERM, SIGCHLD, SIGINT, SIGHUP') }) },
    { name: 'SIGCHLD ignored by the client', start: () => ({ before: "trap '' CHLD" }) },
    { name: 'standard output is closed', start: () => ({ before: 'exec >&-' }) },
    { name: 'standard output is full (/dev/full)', missing: noDevFull, start: () => ({ before: 'exec >/dev/full' }) },
    { name: 'standard output goes nowhere (/dev/null)', start: () => ({ before: 'exec >/dev/null' }) },
    { name: 'nobody reads standard output (SIGPIPE)', start: () => ({ closes: ['stdout'] }) },
    { name: 'standard error is closed', start: () => ({ before: 'exec 2>&-' }) },
    { name: 'standard error is full (/dev/full)', missing: noDevFull, start: () => ({ before: 'exec 2>/dev/full' }) },
    { name: 'standard error goes nowhere (/dev/null)', start: () => ({ before: 'exec 2>/dev/null' }) },
    { name: 'nobody reads standard error', start: () => ({ closes: ['stderr'] }) },
    { name: 'signals ignored by the client', start: () => ({ before: "trap '' TERM INT HUP PIPE ALRM USR1" }) },
  ],
};

function noDevFull(): string | null {
  return process.platform === 'linux' ? null : 'there is no /dev/full';
}
