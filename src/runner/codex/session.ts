/** Transcripts of Codex: `~/.codex/sessions/YEAR/MONTH/DAY/rollout-….jsonl`, one for each thread (recorded from 0.169 and 0.171). */
import { join } from 'node:path';
import { type Fields, own, text } from '../../call/fields.js';
import { outcomeOf, parsedField, type SessionFormat, type SessionReader, toldBy } from '../session/session-format.js';
import { object } from '../stream/stream-format.js';

export const session: SessionFormat = {
  folders: (home, { CODEX_HOME: moved }) => [join(moved || join(home, '.codex'), 'sessions')],
  files: /^rollout-.*\.jsonl$/,
  wrote: (line) => line.type === 'session_meta' && 'cwd' in object(line, 'payload'),
  reader,
};

function reader(fixed: string | null): SessionReader {
  let cwd = fixed;
  let agent: string | null = null;
  let id: string | null = null;
  return (line) => {
    const payload = object(line, 'payload');
    const kind = text(payload, 'type');
    if (line.type === 'session_meta') {
      id = text(payload, 'session_id') ?? text(payload, 'id');
      agent = payload.thread_source === 'subagent' ? (text(payload, 'agent_role') ?? 'unnamed subagent') : null;
    }
    if (line.type === 'session_meta' || line.type === 'turn_context') cwd = text(payload, 'cwd') ?? cwd;
    const call = text(payload, 'call_id');
    if (line.type !== 'response_item' || kind === null || call === null) return [];
    if (kind.endsWith('_call_output'))
      return [{ kind: 'result', id: call, outcome: outcomeOf(toldBy(own(payload, 'output')), false) }];
    const made = callOf(payload, kind);
    if (made === null) return [];
    const { workdir, ...rest } = made;
    return [{ kind: 'call', id: call, ...rest, cwd: workdir ?? cwd, agent, session: id, time: text(line, 'timestamp') }];
  };
}

interface Made {
  readonly tool: string;
  readonly input: Fields;
  readonly workdir?: string;
}

/** The call as the hook would be told of it: every tool that runs a command is `Bash`, and a patch is a command. */
function callOf(payload: Fields, kind: string): Made | null {
  const tool = text(payload, 'name');
  if (kind === 'custom_tool_call' && tool !== null) return { tool, input: { command: text(payload, 'input') ?? '' } };
  const isShell = kind === 'local_shell_call';
  const input = isShell ? object(payload, 'action') : parsedField(payload, 'arguments');
  if (input === null || (tool === null && !isShell)) return null;
  const command = lineOf(own(input, 'cmd') ?? own(input, 'command'));
  const workdir = text(input, 'workdir') ?? text(input, 'working_directory');
  if (command === null || (!isShell && !SHELLS.has(tool ?? ''))) return tool === null ? null : { tool, input };
  return { tool: 'Bash', input: { command }, ...(workdir !== null && { workdir }) };
}

const SHELLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'container.exec']);

/** A line, or the words of `bash -lc LINE`. */
function lineOf(command: unknown): string | null {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return null;
  const [, flag, line] = command as readonly string[];
  return command.length === 3 && /^-l?c$/.test(flag ?? '') && line !== undefined ? line : command.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
