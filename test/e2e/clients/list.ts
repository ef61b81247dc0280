/** The clients that `npm run e2e` tries, in the order of the page. */
import type { Client } from '../client.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { qwenCode } from './qwen-code.js';

export const CLIENTS: readonly Client[] = [
  claudeCode('2.1.197', '@anthropic-ai/claude-code@2.1.197', 'node_modules/.bin/claude'),
  claudeCode('2.1.332', '@anthropic-ai/claude-code@2.1.332', 'node_modules/.bin/claude'),
  codex,
  geminiCli,
  copilotCli,
  opencode,
  qwenCode,
];
