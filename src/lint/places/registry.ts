/** The files of every runner: one line here, one file beside this one. */
import { agentCodeFiles } from './agent-code.js';
import { anyRunnerFiles } from './any-runner.js';
import { claudeCodeFiles } from './claude-code.js';
import { codexFiles } from './codex.js';
import { copilotCliFiles } from './copilot-cli.js';
import { cursorFiles } from './cursor.js';
import { geminiCliFiles } from './gemini-cli.js';
import { openCodeFiles } from './opencode.js';
import type { RunnerFiles } from './place.js';
import { qwenCodeFiles } from './qwen-code.js';

export const runnerFiles: readonly RunnerFiles[] = [
  claudeCodeFiles,
  codexFiles,
  geminiCliFiles,
  copilotCliFiles,
  openCodeFiles,
  qwenCodeFiles,
  cursorFiles,
  agentCodeFiles,
  anyRunnerFiles,
];
