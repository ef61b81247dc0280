/** The streams of all runners that write one. */
import type { RunnerId } from '../../call/tool-call.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { qwenCode } from './qwen-code.js';
import type { StreamFormat } from './stream-format.js';

const FORMATS: Readonly<Partial<Record<RunnerId, StreamFormat>>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode,
  'qwen-code': qwenCode,
};

/** The stream that this runner writes; undefined where none was recorded. */
export function streamFormatOf(runner: RunnerId): StreamFormat | undefined {
  return FORMATS[runner];
}
