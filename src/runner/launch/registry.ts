/** The runners that `policy run` can start. */
import type { RunnerId } from '../../call/tool-call.js';
import { claudeCodeLauncher } from './claude-code.js';
import { codexLauncher } from './codex.js';
import { copilotCliLauncher } from './copilot-cli.js';
import { geminiCliLauncher } from './gemini-cli.js';
import type { Launcher } from './launcher.js';
import { opencodeLauncher } from './opencode.js';
import { qwenCodeLauncher } from './qwen-code.js';

const LAUNCHERS: Readonly<Partial<Record<RunnerId, Launcher>>> = {
  'claude-code': claudeCodeLauncher,
  codex: codexLauncher,
  'gemini-cli': geminiCliLauncher,
  'copilot-cli': copilotCliLauncher,
  opencode: opencodeLauncher,
  'qwen-code': qwenCodeLauncher,
};

export const LAUNCHED_RUNNERS = Object.keys(LAUNCHERS) as readonly RunnerId[];

/** Null for a runner that cannot be started without a person. */
export function launcherOf(runner: RunnerId): Launcher | null {
  return LAUNCHERS[runner] ?? null;
}
