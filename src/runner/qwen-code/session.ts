/** Transcripts of Qwen Code: `~/.qwen/projects/PROJECT/chats/SESSION.jsonl`, its subagents included (recorded from 0.24.4). */
import { join } from 'node:path';
import { isFields, own, text } from '../../call/fields.js';
import { outcomeOf, type SessionEvent, type SessionFormat } from '../session/session-format.js';
import { object, objects } from '../stream/stream-format.js';

export const session: SessionFormat = {
  folders: (home) => [join(home, '.qwen', 'projects'), join(home, '.qwen', 'tmp')],
  files: /\.jsonl$/,
  wrote: (line) => 'sessionId' in line && 'parentUuid' in line && 'provenance' in line,
  reader: (fixed) => (line) =>
    objects(object(line, 'message'), 'parts').flatMap((part): readonly SessionEvent[] => {
      const made = object(part, 'functionCall');
      const tool = text(made, 'name');
      const input = own(made, 'args');
      if (tool !== null && isFields(input)) {
        const [id, session, time] = [text(made, 'id'), text(line, 'sessionId'), text(line, 'timestamp')];
        const agent = text(line, 'agentName') ?? (line.isSidechain === true ? 'unnamed subagent' : null);
        return [{ kind: 'call', id, tool, input, cwd: text(line, 'cwd') ?? fixed, agent, session, time }];
      }
      const answer = object(part, 'functionResponse');
      const id = text(answer, 'id');
      if (id === null) return [];
      const response = object(answer, 'response');
      const failure = text(response, 'error');
      return [{ kind: 'result', id, outcome: outcomeOf(failure ?? text(response, 'output'), failure !== null) }];
    }),
};
