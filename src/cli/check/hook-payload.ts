/**
 * Notices a hook payload on the standard input of a command that does not read it, so that a person who installed `policy check`
 * as a hook is told. Never waits, and never consumes another program's input: in
 * `… | while read f; do policy check Read "$f"; done` the pipe belongs to the loop.
 */
import { fstatSync, readlinkSync, readSync } from 'node:fs';

const MOST_BYTES = 65_536;

/** True if standard input already contains a hook payload. */
export async function stdinHoldsHookPayload(): Promise<boolean> {
  try {
    const kind = fstatSync(0);
    if (kind.isFile()) return isPayload(fileStart());
    if (kind.isSocket() || (kind.isFIFO() && !isSharedWithParent())) return isPayload(await whatIsReady());
    return false;
  } catch {
    // A closed or unreadable standard input contains no payload; this is a courtesy and must not fail a check.
    return false;
  }
}

/** Every runner's payload is a JSON object that names its event. */
function isPayload(text: string): boolean {
  return text.trimStart().startsWith('{') && text.includes('"hook_event_name"');
}

/** Returns the beginning of a file on standard input, without moving the position that a shell loop may share with this process. */
function fileStart(): string {
  const buffer = Buffer.alloc(MOST_BYTES);
  return buffer.toString('utf8', 0, readSync(0, buffer, 0, MOST_BYTES, 0));
}

/** Whether the parent process reads from the same pipe; assumed if that cannot be determined. */
function isSharedWithParent(): boolean {
  try {
    return readlinkSync('/proc/self/fd/0') === readlinkSync(`/proc/${process.ppid}/fd/0`);
  } catch {
    // No /proc (macOS), or no permission to read the parent's entry: leave the pipe alone.
    return true;
  }
}

/** Returns the data that a pipe or socket delivers within two turns of the event loop. */
async function whatIsReady(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  process.stdin.on('data', (chunk: Buffer) => {
    if (size < MOST_BYTES) chunks.push(chunk);
    size += chunk.length;
  });
  process.stdin.on('error', () => process.stdin.destroy());
  for (let turn = 0; turn < 2; turn++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  process.stdin.destroy();
  return Buffer.concat(chunks).toString('utf8', 0, MOST_BYTES);
}
