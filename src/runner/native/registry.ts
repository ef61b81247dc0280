/** The runners whose own configuration a preset can be written in, by name. */
import type { RunnerId } from '../../call/tool-call.js';
import type { PresetName } from '../../policy/policy.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { cursor } from './cursor.js';
import { geminiCli } from './gemini-cli.js';
import type { ExportOptions, NativeExport, NativeRunner } from './model.js';
import { opencode } from './opencode.js';
import { partsOf } from './parts.js';
import { qwenCode } from './qwen-code.js';
import { workLoss } from './sentences.js';

const NATIVE = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode,
  'qwen-code': qwenCode,
  cursor,
} as const satisfies Partial<Readonly<Record<RunnerId, NativeRunner>>>;

export type NativeRunnerId = keyof typeof NATIVE;

export const NATIVE_RUNNERS = Object.keys(NATIVE) as readonly NativeRunnerId[];

/** Those that can be started without a person; Cursor was never tried. */
export const LAUNCHED_RUNNERS = NATIVE_RUNNERS.filter((runner) => runner !== 'cursor');

/**
 * A preset in the words of a runner. Without the hook nothing in it is looser than the preset, except for what its losses call
 * `built-in`: what the runner does whatever its configuration says.
 */
export function exportPreset(preset: PresetName, runner: NativeRunnerId, options: ExportOptions): NativeExport {
  const { program, express } = NATIVE[runner];
  const exported = express(preset, options);
  return { runner, preset, program, ...exported, losses: [...workLoss(partsOf(preset)), ...exported.losses] };
}
