/** Transcripts of Claude Code: `~/.claude/projects/PROJECT/SESSION.jsonl`, those of subagents below `SESSION/subagents` (recorded from 2.1.197 to 2.1.332). */
import { join } from 'node:path';
import { isFields, own, text } from '../../call/fields.js';
import { outcomeOf, type SessionEvent, type SessionFormat, toldBy } from '../session/session-format.js';
import { object, objects } from '../stream/stream-format.js';

export const session: SessionFormat = {
  folders: (home, { CLAUDE_CONFIG_DIR: moved }) => [join(moved || join(home, '.claude'), 'projects')],
  files: /\.jsonl$/,
  wrote: (line) => 'sessionId' in line && 'parentUuid' in line && 'isSidechain' in line,
  reader: (fixed) => (line) =>
    objects(object(line, 'message'), 'content').flatMap((block): readonly SessionEvent[] => {
      const tool = text(block, 'name');
      const input = own(block, 'input');
      const id = text(block, 'id');
      if (block.type === 'tool_use' && tool !== null && isFields(input)) {
        const isSubagent = line.isSidechain === true || text(line, 'agentId') !== null;
        const agent = isSubagent ? (text(line, 'attributionAgent') ?? 'unnamed subagent') : null;
        const [session, time] = [text(line, 'sessionId'), text(line, 'timestamp')];
        return [{ kind: 'call', id, tool, input, cwd: text(line, 'cwd') ?? fixed, agent, session, time }];
      }
      const of = text(block, 'tool_use_id');
      if (block.type !== 'tool_result' || of === null) return [];
      return [{ kind: 'result', id: of, outcome: outcomeOf(toldBy(own(block, 'content')), block.is_error === true) }];
    }),
};
