/** Hooks of single sessions that have stopped the call of their trial: a line counts as tried until it, its program or node changes. */
import { statSync } from 'node:fs';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory } from '../../log/files/directory.js';

/** The hook of one session: the line that stands in its settings, and the program that this starts. */
export interface SessionHook {
  readonly command: string;
  /** The bundle that the line names. */
  readonly program: string;
}

const MOST_LINES = 50;

export function wasTried(hook: SessionHook, stateDirectory: string): boolean {
  const known = readText(fileIn(stateDirectory), { follow: false });
  return known.ok && known.text.split('\n').includes(keyOf(hook));
}

/** Throws LogError when the folder cannot be made, or is not ours alone. */
export function rememberTried(hook: SessionHook, stateDirectory: string): void {
  ownDirectory(stateDirectory);
  ownDirectory(`${stateDirectory}/clients`);
  const file = fileIn(stateDirectory);
  const known = readText(file, { follow: false });
  const lines = known.ok ? known.text.split('\n') : [];
  try {
    replaceFile(file, known.ok ? known.text : null, [...lines.slice(-MOST_LINES), keyOf(hook)].join('\n'), 0o600);
  } catch {
    // Another run was quicker; the line is tried again the next time.
  }
}

function fileIn(stateDirectory: string): string {
  return `${stateDirectory}/clients/tried-hooks`;
}

function keyOf({ command, program }: SessionHook): string {
  const stamps = [program, process.execPath].map((file) => {
    const { size, ctimeMs, ino } = statSync(file);
    return [size, ctimeMs, ino];
  });
  // Of one line; to hash it would take longer than to read it.
  return JSON.stringify([command, stamps]);
}
