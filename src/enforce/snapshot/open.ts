/** Opens the gate of a project: from its snapshot when that holds, else compiled anew. */

import type { CompiledPolicy } from '../../decide/compiled/policy-data.js';
import { readyPolicy } from '../../decide/compiled/policy-data.js';
import { storedPolicy } from '../../decide/compiled/stored-policy.js';
import type { PolicyProblem } from '../../policy/policy.js';
import { movedSettings } from '../facts/moved-settings.js';
import type { CompiledGate, Gate, GateData, GatePlaces } from './prepared-policy.js';
import { readSnapshot } from './read.js';

/** Compiles a gate and stores it; see store-gate.ts, which is loaded only then. */
export type CompileGate = (places: GatePlaces, build: string, now: () => number) => CompiledGate;

export interface GateOptions {
  readonly places: GatePlaces;
  /** The environment of the runner, as far as it can be seen. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Identifies the program that compiled. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called only when there is no snapshot to be had. */
  readonly compile: CompileGate;
}

/** `close` gives back what a gate holds open; a process that ends need not. */
export type OpenedGate =
  | { readonly ok: true; readonly gate: Gate; readonly close: () => void }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** The gate, or every problem of the files that it would be made from: then nothing may be allowed. */
export function openGate(options: GateOptions): OpenedGate {
  const stored = storedGate(options);
  if (stored !== null) return stored;
  const compiled = options.compile(options.places, options.build, options.now);
  if (!compiled.ok) return { ok: false, problems: compiled.problems };
  const { policy, ...data } = compiled.data;
  return { ok: true, gate: gateOf(readyPolicy(policy), data, options), close: () => {} };
}

/** The gate of the snapshot; one that cannot be read as such is as good as none. */
function storedGate(options: GateOptions): OpenedGate | null {
  try {
    const snapshot = readSnapshot(options.places, options.build);
    if (snapshot === null) return null;
    const { head, store, close } = snapshot;
    return { ok: true, gate: gateOf(storedPolicy(head.policy, store), head.gate, options), close };
  } catch {
    return null;
  }
}

function gateOf(compiled: CompiledPolicy, data: Omit<GateData, 'policy'>, { places, environment }: GateOptions): Gate {
  return {
    compiled,
    settings: data.settings,
    digest: data.digest,
    untrusted: data.untrusted,
    surroundings: {
      project: places.project,
      home: places.home,
      platform: places.platform,
      environment,
      ownDirectories: [...data.ownDirectories, ...movedSettings(places.runner, environment, places.project)],
      runner: places.runner,
      budget: null,
    },
  };
}
