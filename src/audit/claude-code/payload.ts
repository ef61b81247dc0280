/** PreToolUse payloads as Claude Code 2.1.329 sends them, for calls that nobody made (their shapes come from recorded payloads). */

export interface SyntheticCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly permissionMode?: string;
  /** The type of the subagent that makes the call. */
  readonly agent?: string;
  readonly toolUseId: string;
}

/** A separate session, the same in every audit, so that a report can be compared with the previous one. */
const SESSION = '00000000-0000-4000-8000-00000000a0d1';
const PROMPT = '00000000-0000-4000-8000-00000000a0d2';
const AGENT = 'a0000000000000001';

/** Returns the payload as the one line that is written to the hook's standard input. */
export function preToolUse(call: SyntheticCall, project: string): string {
  return JSON.stringify({
    session_id: SESSION,
    transcript_path: `${project}/.claude/audit-probe.jsonl`,
    cwd: project,
    prompt_id: PROMPT,
    permission_mode: call.permissionMode ?? 'default',
    ...(call.agent !== undefined && { agent_id: AGENT, agent_type: call.agent }),
    hook_event_name: 'PreToolUse',
    tool_name: call.tool,
    tool_input: call.input,
    tool_use_id: call.toolUseId,
  });
}

/** Returns the variables that the runner sets for a hook (recorded), for this session. */
export function hookVariables(project: string): Readonly<Record<string, string>> {
  return {
    CLAUDE_PROJECT_DIR: project,
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SESSION_ID: SESSION,
    PWD: project,
  };
}
