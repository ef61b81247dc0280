/** A shell call in the words of each runner's hook. */
import type { RunnerId } from '../../call/tool-call.js';

type Payload = Readonly<Record<string, unknown>>;

/** The payload of a shell call in `cwd`. */
export function canaryPayload(runner: RunnerId, command: string, cwd: string, session: string): Payload {
  return PAYLOADS[runner](command, cwd, session);
}

/** Claude Code's fields, which several runners took over. */
const common =
  (event: string, tool: string) =>
  (command: string, cwd: string, session: string): Payload => ({
    session_id: session,
    transcript_path: '',
    cwd,
    hook_event_name: event,
    permission_mode: 'default',
    tool_name: tool,
    tool_input: { command },
    tool_use_id: 'policy-doctor',
  });

const PAYLOADS: Readonly<Record<RunnerId, (command: string, cwd: string, session: string) => Payload>> = {
  'claude-code': common('PreToolUse', 'Bash'),
  codex: common('PreToolUse', 'Bash'),
  'qwen-code': common('PreToolUse', 'run_shell_command'),
  'gemini-cli': common('BeforeTool', 'run_shell_command'),
  'copilot-cli': (command, cwd, sessionId) => ({ sessionId, timestamp: 0, cwd, toolName: 'bash', toolArgs: { command } }),
  opencode: (command, cwd, sessionID) => ({
    hook: 'tool.execute.before',
    input: { tool: 'bash', sessionID, callID: 'policy-doctor' },
    output: { args: { command } },
    cwd,
  }),
  cursor: (command, cwd, conversation_id) => ({
    hook_event_name: 'preToolUse',
    conversation_id,
    workspace_roots: [cwd],
    cwd,
    tool_name: 'Shell',
    tool_input: { command },
  }),
  'agent-code': (command, cwd, session_id) => ({
    event: 'pre_tool_use',
    session_id,
    cwd,
    tool_name: 'Bash',
    tool_input: { command },
  }),
};
