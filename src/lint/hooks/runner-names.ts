/** What runners are called in messages about their hooks. */
import type { RunnerId } from '../../call/tool-call.js';

const NAMES: Readonly<Record<RunnerId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  opencode: 'OpenCode',
  'qwen-code': 'Qwen Code',
  cursor: 'Cursor',
  'agent-code': 'agent-code',
};

export function runnerName(runner: RunnerId): string {
  return NAMES[runner];
}
