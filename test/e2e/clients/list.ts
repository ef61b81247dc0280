/** The clients that `npm run e2e` tries, in the order of the page. */
import { type Client, versionsOf } from '../client.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { qwenCode } from './qwen-code.js';

export const CLIENTS: readonly Client[] = [
  ...versionsOf('claude-code').map((version) => claudeCode(version)),
  codex,
  geminiCli,
  copilotCli,
  opencode,
  qwenCode,
];
