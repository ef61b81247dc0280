/**
 * The modes of the terminal that a program is given. One that is killed leaves them as they suited it: the person sees nothing of what
 * they type, and Ctrl-C ends nothing.
 */
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';

const ENVIRONMENT = { PATH: '/usr/bin:/bin' };
const PATIENCE = 5_000;
/** Ours may not be the group in the foreground any more, and would be stopped for changing the terminal. */
const RESTORE = 'trap "" TTOU; exec stty "$1"';
/**
 * What a program may have switched on in the terminal itself, off again: alternate screen, mouse, focus, pastes, output in one go, keys
 * as numbers; the cursor is shown, text has no colour. Nothing changes where nothing of that is on.
 */
const PLAIN = [
  ...['?2026l', '?1047l', '?1000l', '?1002l', '?1003l', '?1006l', '?1004l', '?2004l'],
  ...['<u', '>4m', '?25h', '0m'],
]
  .map((what) => `\u001b[${what}`)
  .join('');

/** In the form of `stty -g`; null where standard input is no terminal. */
export function terminalModes(): string | null {
  const { status, stdout } = spawnSync('stty', ['-g'], {
    ...{ encoding: 'utf8', env: ENVIRONMENT, timeout: PATIENCE },
    stdio: ['inherit', 'pipe', 'ignore'],
  });
  const modes = (stdout ?? '').trim();
  return status === 0 && /^[\w:=]+$/.test(modes) ? modes : null;
}

/** @param clean the program has ended by itself, and has left the terminal's own switches as they were */
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
