/** Transcripts of Copilot CLI: `~/.copilot/session-state/SESSION/events.jsonl` (recorded from 1.0.102). */
import { join } from 'node:path';
import { isFields, own, text } from '../../call/fields.js';
import { outcomeOf, type SessionFormat, type SessionReader } from '../session/session-format.js';
import { object } from '../stream/stream-format.js';

export const session: SessionFormat = {
  folders: (home, { COPILOT_HOME: moved }) => [join(moved || join(home, '.copilot'), 'session-state')],
  files: /^events\.jsonl$/,
  wrote: (line) => line.type === 'session.start' && 'copilotVersion' in object(line, 'data'),
  reader,
};

function reader(fixed: string | null): SessionReader {
  let cwd = fixed;
  let id: string | null = null;
  /** The names of running subagents by the call that started them. */
  const agents = new Map<string, string>();
  return (line) => {
    const data = object(line, 'data');
    const call = text(data, 'toolCallId');
    switch (line.type) {
      case 'session.start':
        id = text(data, 'sessionId');
        cwd = text(object(data, 'context'), 'cwd') ?? cwd;
        return [];
      case 'subagent.started':
        if (call !== null && agents.size < MOST_AGENTS) agents.set(call, text(data, 'agentName') ?? 'unnamed subagent');
        return [];
      case 'tool.execution_start': {
        const [tool, input, parent] = [text(data, 'toolName'), own(data, 'arguments'), text(data, 'parentToolCallId')];
        if (tool === null || !isFields(input)) return [];
        const agent = parent === null ? null : (agents.get(parent) ?? 'unnamed subagent');
        return [{ kind: 'call', id: call, tool, input, cwd, agent, session: id, time: text(line, 'timestamp') }];
      }
      case 'tool.execution_complete': {
        const failure = text(object(data, 'error'), 'message');
        return call === null ? [] : [{ kind: 'result', id: call, outcome: outcomeOf(failure, data.success !== true) }];
      }
      default:
        return [];
    }
  };
}

const MOST_AGENTS = 10_000;
