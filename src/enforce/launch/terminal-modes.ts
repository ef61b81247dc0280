/**
 * The modes of the terminal that a program gets. A killed program leaves them as it had set them: the person sees nothing of what
 * they type, and Ctrl-C has no effect.
 */
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';

const ENVIRONMENT = { PATH: '/usr/bin:/bin' };
const PATIENCE = 5_000;
/** Our process group may no longer be in the foreground, and would then be stopped for changing the terminal. */
const RESTORE = 'trap "" TTOU; exec stty "$1"';
/**
 * Switches off terminal features that a program may have switched on: alternate screen, mouse, focus, paste and key reports,
 * synchronized output; shows the cursor and resets the text color. Has no effect if none of these is on.
 */
const PLAIN = [
  ...['?2026l', '?1047l', '?1000l', '?1002l', '?1003l', '?1006l', '?1004l', '?2004l'],
  ...['<u', '>4m', '?25h', '0m'],
]
  .map((what) => `\u001b[${what}`)
  .join('');

/** Returns the modes in the form of `stty -g`; null if standard input is no terminal. */
export function terminalModes(): string | null {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    ...{ encoding: 'utf8', env: ENVIRONMENT, timeout: PATIENCE },
    stdio: ['inherit', 'pipe', 'ignore'],
  });
  const modes = (stdout ?? '').trim();
  return status === 0 && /^[\w:=]+$/.test(modes) ? modes : null;
}

/** @param clean the program has ended by itself, and has restored the terminal's own switches */
export function restoreTerminal(modes: string, clean: boolean): void {
  spawnSync('/bin/sh', ['-c', RESTORE, 'sh', modes], {
    ...{ env: ENVIRONMENT, timeout: PATIENCE },
    stdio: ['inherit', 'ignore', 'ignore'],
  });
  if (clean || process.stdout.isTTY !== true || process.env.TERM === 'dumb') return;
  try {
    writeSync(1, PLAIN);
  } catch {
    // The terminal is gone.
  }
}
