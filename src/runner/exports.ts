/** The runners whose own configuration a preset can be written in, by name. */
import type { RunnerId } from '../call/tool-call.js';
import type { PresetName } from '../policy/policy.js';
import type { ExportOptions, NativeExport } from './native/model.js';
import { partsOf } from './native/parts.js';
import { workLoss } from './native/sentences.js';
import { launches } from './registry/launch.js';
import { natives } from './registry/native.js';

export type NativeRunnerId = keyof typeof natives & RunnerId;

export const NATIVE_RUNNERS = Object.keys(natives) as readonly NativeRunnerId[];

/** Those that can be started without a person. */
export const LAUNCHED_RUNNERS = NATIVE_RUNNERS.filter((runner) => Object.hasOwn(launches, runner));

/**
 * A preset in the words of a runner. Without the hook nothing in it is looser than the preset, except for what its losses call
 * `built-in`: what the runner does whatever its configuration says.
 */
export function exportPreset(preset: PresetName, runner: NativeRunnerId, options: ExportOptions): NativeExport {
  const { program, express } = natives[runner]();
  const exported = express(preset, options);
  return { runner, preset, program, ...exported, losses: [...workLoss(partsOf(preset)), ...exported.losses] };
}
