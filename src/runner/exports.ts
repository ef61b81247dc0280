/** The runners for whose own configuration a preset can be exported. */
import type { RunnerId } from '../call/tool-call.js';
import type { PresetName } from '../policy/policy.js';
import type { ExportOptions, NativeExport } from './native/model.js';
import { partsOf } from './native/parts.js';
import { workLoss } from './native/sentences.js';
import { launches } from './registry/launch.js';
import { natives } from './registry/native.js';

export type NativeRunnerId = keyof typeof natives & RunnerId;

export const NATIVE_RUNNERS = Object.keys(natives) as readonly NativeRunnerId[];

/** Those of them that can be started without a person. */
export const LAUNCHED_RUNNERS = NATIVE_RUNNERS.filter((runner) => Object.hasOwn(launches, runner));

/**
 * Returns a preset as a runner's own configuration. Without the hook, nothing in it is looser than the preset, except what its
 * losses list as `built-in`: what the runner allows whatever its configuration.
 */
export function exportPreset(preset: PresetName, runner: NativeRunnerId, options: ExportOptions): NativeExport {
  const { program, express } = natives[runner]();
  const exported = express(preset, options);
  return { runner, preset, program, ...exported, losses: [...workLoss(partsOf(preset)), ...exported.losses] };
}
