/** The runners that `policy run` can start, and the output streams of those that write one. */
import type { RunnerId } from '../call/tool-call.js';
import type { Launcher } from './launch/launcher.js';
import { launches } from './registry/launch.js';
import { streams } from './registry/stream.js';
import type { StreamFormat } from './stream/stream-format.js';

const LAUNCHERS: Readonly<Partial<Record<RunnerId, () => Launcher>>> = launches;
const STREAMS: Readonly<Partial<Record<RunnerId, () => StreamFormat>>> = streams;

export const LAUNCHED_RUNNERS = Object.keys(LAUNCHERS) as readonly RunnerId[];

/** Returns the runner's launcher; null for a runner that cannot be started without a person. */
export function launcherOf(runner: RunnerId): Launcher | null {
  return LAUNCHERS[runner]?.() ?? null;
}

/** Returns the format of the stream that this runner writes; undefined if none was recorded. */
export function streamFormatOf(runner: RunnerId): StreamFormat | undefined {
  return STREAMS[runner]?.();
}
