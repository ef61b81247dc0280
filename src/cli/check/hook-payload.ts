/**
 * Notices a hook payload on the standard input of a command that does not read it, so that somebody who installed
 * `policy check` as a hook is told. Never waits, and never takes input away from somebody else: in
 * `… | while read f; do policy check Read "$f"; done` the pipe belongs to the loop.
 */
import { fstatSync, readlinkSync, readSync } from 'node:fs';

const MOST_BYTES = 65_536;

/** True when a hook payload lies ready on standard input. */
export async function stdinHoldsHookPayload(): Promise<boolean> {
  try {
    const kind = fstatSync(0);
    if (kind.isFile()) return isPayload(fileStart());
    if (kind.isSocket() || (kind.isFIFO() && !isSharedWithParent())) return isPayload(await whatIsReady());
    return false;
  } catch {
    // A closed or unreadable standard input holds no payload; this is a courtesy and must not fail a check.
    return false;
  }
}

/** Every runner's payload is a JSON object that names its event. */
function isPayload(text: string): boolean {
  return text.trimStart().startsWith('{') && text.includes('"hook_event_name"');
}

/** The beginning of a file on standard input, read without moving the position that a shell loop may share with us. */
function fileStart(): string {
  const buffer = Buffer.alloc(MOST_BYTES);
  return buffer.toString('utf8', 0, readSync(0, buffer, 0, MOST_BYTES, 0));
}

/** Whether the process that started us reads from the same pipe; where that cannot be told, it is assumed. */
function isSharedWithParent(): boolean {
  try {
    return readlinkSync('/proc/self/fd/0') === readlinkSync(`/proc/${process.ppid}/fd/0`);
  } catch {
    // No /proc (macOS) or not our parent's to look at: leave the pipe alone.
    return true;
  }
}

/** What a pipe or socket gives within two turns of the event loop. */
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
