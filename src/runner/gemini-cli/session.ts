/** Transcripts of Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-….jsonl`; a line repeats the message before it with what is new (recorded from 0.61). */
import { join } from 'node:path';
import { isFields, own, text } from '../../call/fields.js';
import { outcomeOf, type SessionEvent, type SessionFormat, type SessionReader } from '../session/session-format.js';
import { object, objects } from '../stream/stream-format.js';

export const session: SessionFormat = {
  folders: (home) => [join(home, '.gemini', 'tmp')],
  files: /\.jsonl$/,
  rootFile: '.project_root',
  wrote: (line) => 'sessionId' in line && 'projectHash' in line,
  reader,
};

function reader(fixed: string | null): SessionReader {
  let cwd = fixed;
  let agent: string | null = null;
  let id: string | null = null;
  const seen = new Set<string>();
  return (line) => {
    if ('projectHash' in line) {
      id = text(line, 'sessionId');
      agent = line.kind === 'subagent' ? 'unnamed subagent' : null;
      const [folder] = Array.isArray(line.directories) ? line.directories : [];
      cwd = typeof folder === 'string' ? folder : cwd;
    }
    return objects(line, 'toolCalls').flatMap((made): readonly SessionEvent[] => {
      const [call, tool] = [text(made, 'id'), text(made, 'name')];
      const input = own(made, 'args');
      if (call === null || tool === null || seen.has(call) || !isFields(input)) return [];
      seen.add(call);
      const time = text(made, 'timestamp') ?? text(line, 'timestamp');
      const [result = {}] = objects(made, 'result');
      const error = text(object(object(result, 'functionResponse'), 'response'), 'error');
      const outcome = made.status === 'cancelled' ? 'refused' : outcomeOf(error, made.status === 'error');
      return [
        { kind: 'call', id: call, tool, input, cwd, agent, session: id, time },
        { kind: 'result', id: call, outcome },
      ];
    });
  };
}
