/** All runners, by name. */
import type { RunnerId } from '../call/tool-call.js';
import { agentCode } from './agent-code.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { cursor } from './cursor.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { qwenCode } from './qwen-code.js';
import type { Runner } from './runner.js';

const RUNNERS: readonly Runner[] = [claudeCode, codex, geminiCli, copilotCli, opencode, qwenCode, cursor, agentCode];

export const RUNNERS_BY_NAME: ReadonlyMap<string, Runner> = new Map(
  RUNNERS.map((runner): [RunnerId, Runner] => [runner.id, runner]),
);
