/** The form of a preset in a runner's own configuration, and what that configuration cannot express. */
import type { RunnerId } from '../../call/tool-call.js';
import type { PresetName } from '../../policy/policy.js';

/**
 * `not-expressible`: left out, so the runner asks or denies where the preset allows. `wider`: the native rule allows more than the preset;
 * it is written only for a runner that has the hook. `built-in`: the runner allows this on its own, and none of its rules can prevent it.
 */
export const LOSS_KINDS = ['not-expressible', 'wider', 'built-in'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

export interface Loss {
  readonly kind: LossKind;
  /** The preset's rule that is affected; null: the preset as a whole. */
  readonly rule: string | null;
  /** One sentence. */
  readonly why: string;
}

/** A file of the runner's own configuration. */
export interface NativeFile {
  /** The folder that `path` is relative to. */
  readonly below: 'project' | 'home';
  readonly path: string;
  readonly text: string;
}

export interface NativeExport {
  readonly runner: RunnerId;
  readonly preset: PresetName;
  /** The command that a person types to start the runner; the flags that go with the preset are in `flags`, and the prompt follows. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly files: readonly NativeFile[];
  /** What a person has to do before the files take effect, one sentence each. */
  readonly needs: readonly string[];
  readonly losses: readonly Loss[];
}

export interface ExportOptions {
  /** True if the hook is installed, so that native rules may allow more than the preset. */
  readonly withHook: boolean;
}

/** Expresses a preset for one runner; the registry adds the runner's name. */
export interface NativeRunner {
  readonly program: string;
  express(preset: PresetName, options: ExportOptions): Omit<NativeExport, 'runner' | 'preset' | 'program'>;
}

export function notExpressible(rule: string | null, why: string): Loss {
  return { kind: 'not-expressible', rule, why };
}

export function wider(rule: string | null, why: string): Loss {
  return { kind: 'wider', rule, why };
}

export function builtIn(why: string): Loss {
  return { kind: 'built-in', rule: null, why };
}
