/** Payloads that are not what a client writes: nothing of this may pass. */
import { bytesOf, type Fault, type Group, withBytes } from '../fault.js';

const MEGABYTE = 1024 * 1024;

export const input: Group = {
  title: 'Standard input',
  faults: [
    { name: 'closed', start: () => ({ before: 'exec <&-' }) },
    { name: 'empty', start: () => withBytes('') },
    { name: 'a device that never ends', slow: true, start: () => ({ before: 'exec </dev/zero' }) },
    { name: 'a directory', start: () => ({ before: 'exec </' }) },
    { name: 'garbage', start: () => withBytes(Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 197) % 256))) },
    { name: 'cut off in the middle', start: (start) => withBytes(bytesOf(start).subarray(0, bytesOf(start).length / 2)) },
    { name: 'cut off at the last brace', start: (start) => withBytes(bytesOf(start).toString().trimEnd().slice(0, -1)) },
    { name: 'two payloads in a row', start: (start) => withBytes(Buffer.concat([bytesOf(start), bytesOf(start)])) },
    { name: '10 MB of content beside the command', slow: true, start: (start) => withBytes(padded(start.feed.bytes, 10)) },
    { name: '40 MB, more than any payload may be', slow: true, start: (start) => withBytes(padded(start.feed.bytes, 40)) },
    {
      name: 'never ends: the client does not close the pipe',
      ...{ slow: true, hangs: true },
      start: ({ feed }) => ({ feed: { kind: 'pieces', bytes: feed.bytes, size: MEGABYTE, pauseMs: 0, end: false } }),
    },
    {
      name: 'drips in, byte after byte, beyond the deadline',
      ...{ slow: true, hangs: true },
      start: ({ feed }) => ({ feed: { kind: 'pieces', bytes: feed.bytes, size: 1, pauseMs: 25, end: true } }),
    },
    {
      name: 'comes in pieces, within the deadline',
      start: ({ feed }) => ({ feed: { kind: 'pieces', bytes: feed.bytes, size: 100, pauseMs: 2, end: true } }),
    },
    { name: 'a byte order mark before it', start: (start) => withBytes(`\uFEFF${bytesOf(start)}`) },
    { name: 'UTF-16', start: (start) => withBytes(Buffer.from(bytesOf(start).toString(), 'utf16le')) },
    { name: 'bytes that are no UTF-8', start: (start) => withBytes(replaced(start.feed.bytes, 'touch', [0x74, 0xff, 0xfe])) },
    { name: 'a NUL in the command', start: (start) => withBytes(bytesOf(start).toString().replace('touch ', 'touch\\u0000 ')) },
    {
      name: 'a lone surrogate in the command',
      start: (start) => withBytes(bytesOf(start).toString().replace('touch ', 'touch \\ud800 ')),
    },
    { name: 'the event twice, the second one harmless', start: (start) => withBytes(withSecond(start.feed.bytes)) },
    { name: 'the input twice, the command in the second', start: (start) => withBytes(withHarmlessFirst(start.feed.bytes)) },
    { name: 'nested 100,000 deep', start: () => withBytes(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) },
    { name: 'deep nesting beside the command', start: (start) => withBytes(nested(start.feed.bytes)) },
    { name: 'an unknown event', start: (start) => withBytes(renamedEvent(bytesOf(start).toString(), 'PreToolExplosion')) },
    { name: 'no event', start: (start) => withBytes(renamedEvent(bytesOf(start).toString(), null)) },
    {
      name: 'an unknown tool that holds the command',
      start: (start) => withBytes(renamedTool(bytesOf(start).toString(), 'Shell2')),
    },
    { name: 'the tool in capitals', start: (start) => withBytes(renamedTool(bytesOf(start).toString(), 'BASH')) },
    { name: 'the tool is a list', start: (start) => withBytes(renamedTool(bytesOf(start).toString(), ['Bash'])) },
    {
      name: 'unknown fields',
      start: (start) => withBytes(bytesOf(start).toString().replace('{', '{"permissionDecision":"allow","x":{},')),
    },
    {
      name: 'a prototype among the fields',
      start: (start) => withBytes(bytesOf(start).toString().replace('{', '{"__proto__":{"default":"allow"},')),
    },
    {
      name: 'the command is no text',
      start: (start) =>
        withBytes(
          bytesOf(start)
            .toString()
            .replace(/"command": ?"/, '"command":7,"cmd":"'),
        ),
    },
    withField('no working directory', 'cwd', undefined),
    withField('a working directory that is not there', 'cwd', '/nonexistent/folder'),
    withField('a relative working directory', 'cwd', '..'),
    withField('a working directory with a NUL', 'cwd', '/tmp/\u0000/x'),
    withField('a working directory that is a device', 'cwd', '/dev/zero'),
    withField('a working directory of 100 KB', 'cwd', `/${'x/'.repeat(50_000)}`),
    withField('a working directory that is no text', 'cwd', { toString: 'x' }),
    withField('a session that climbs out of its folder', 'session_id', '../../../../project/MARKER'),
    withField('a session of 1 MB', 'session_id', 's'.repeat(MEGABYTE)),
    withField('a session that is a list', 'session_id', [['s']]),
    withField('a transcript that never ends', 'transcript_path', '/dev/zero'),
    withField('an id of the call that is an object', 'tool_use_id', { toString: null }),
    withField('an agent called __proto__', 'agent_type', '__proto__'),
    withField('an agent that climbs out of its folder', 'agent_type', '../../../../../etc/passwd'),
    withField('a permission mode that allows all', 'permission_mode', 'bypassPermissions'),
    {
      name: 'a pipe that does not wait (O_NONBLOCK), and the payload comes late',
      start: (start) => ({
        before: `perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK) or die'`,
        feed: { kind: 'pieces', bytes: start.feed.bytes, size: 200, pauseMs: 40, end: true },
      }),
    },
  ],
} satisfies { title: string; faults: readonly Fault[] };

function padded(bytes: Uint8Array, megabytes: number): string {
  return Buffer.from(bytes)
    .toString()
    .replace('{', `{"content":"${'x'.repeat(megabytes * MEGABYTE)}",`);
}

function replaced(bytes: Uint8Array, text: string, by: readonly number[]): Buffer {
  const whole = Buffer.from(bytes);
  const at = whole.indexOf(text);
  return Buffer.concat([whole.subarray(0, at), Buffer.from(by), whole.subarray(at + text.length)]);
}

/** JSON with a key twice: the last one counts for us, and for every client that reads its own JSON alike. */
function withSecond(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString().trimEnd();
  return `${text.slice(0, -1)},"hook_event_name":"SessionStart","hook_event_name":"PreToolExplosion","event":"x","hook":"y","hookName":7,"toolName":7}`;
}

function withHarmlessFirst(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace(/"(tool_input|toolArgs|args)":/, '"$1":{"command":"true"},"$1":');
}

function nested(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace('{', `{"deep":${'['.repeat(5000)}${']'.repeat(5000)},`);
}

function renamedEvent(text: string, event: string | null): string {
  const payload = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['hook_event_name', 'event', 'hook']) if (name in payload) payload[name] = event ?? undefined;
  // Copilot CLI's own dialect names no event: there the session is what makes it a payload.
  if ('sessionId' in payload) payload[event === null ? 'sessionId' : 'hook_event_name'] = event ?? undefined;
  return JSON.stringify(payload);
}

/** One field of the payload's head with another value; clients that do not name it get it besides. */
function withField(name: string, field: string, value: unknown): Fault {
  const changed = (text: string) => JSON.stringify({ ...(JSON.parse(text) as Record<string, unknown>), [field]: value });
  return { name, start: (start) => withBytes(changed(bytesOf(start).toString())) };
}

function renamedTool(text: string, tool: unknown): string {
  const payload = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['tool_name', 'toolName']) if (name in payload) payload[name] = tool;
  const inner = payload.input as Record<string, unknown> | undefined;
  if (inner !== undefined && 'tool' in inner) inner.tool = tool;
  return JSON.stringify(payload);
}
