/** Asks the person at the terminal before something changes. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from './exit.js';
import { finishUnread } from './terminal.js';

/** Whether there is a person who can be asked. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * Returns true if the person says yes; the confirmed change is then completed even if no one reads the output. Throws UsageError
 * when there is no terminal to ask at: a script has to give --yes itself. See docs/guarantees.md, 5.
 */
export async function confirmed(question: string): Promise<boolean> {
  if (!isAtTerminal())
    throw new UsageError(
      'There is no terminal to ask at; nothing was changed. Add --yes to agree in advance, or --dry-run to see what would change',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const agreed = /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
    if (agreed) finishUnread();
    return agreed;
  } finally {
    terminal.close();
  }
}
