/** Hooks of single sessions that stopped their trial call: a line stays tried until it, its program or node changes. */
import { statSync } from 'node:fs';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory } from '../../log/files/directory.js';

/** The hook of one session: the line in its settings, and the program that the line starts. */
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

/** Throws LogError when the folder cannot be created, or is not exclusively ours. */
export function rememberTried(hook: SessionHook, stateDirectory: string): void {
  ownDirectory(stateDirectory);
  ownDirectory(`${stateDirectory}/clients`);
  const file = fileIn(stateDirectory);
  const known = readText(file, { follow: false });
  const lines = known.ok ? known.text.split('\n') : [];
  try {
    replaceFile(file, known.ok ? known.text : null, [...lines.slice(-MOST_LINES), keyOf(hook)].join('\n'), 0o600);
  } catch {
    // Another run was faster; the line is tried again the next time.
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
  // The key is one line; hashing it would take longer than reading it.
  return JSON.stringify([command, stamps]);
}
