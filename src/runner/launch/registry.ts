/** The runners that `policy run` can start. */
import type { RunnerId } from '../../call/tool-call.js';
import { claudeCodeLauncher } from './claude-code.js';
import { codexLauncher } from './codex.js';
import type { Launcher } from './launcher.js';

const LAUNCHERS: Readonly<Partial<Record<RunnerId, Launcher>>> = {
  'claude-code': claudeCodeLauncher,
  codex: codexLauncher,
};

export const LAUNCHED_RUNNERS = Object.keys(LAUNCHERS) as readonly RunnerId[];

/** Null for a runner that cannot be started without a person. */
export function launcherOf(runner: RunnerId): Launcher | null {
  return LAUNCHERS[runner] ?? null;
}
