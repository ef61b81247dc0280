/** Opens the gate of a project: from its snapshot when that holds, else compiled anew. */
import { readyPolicy } from '../decide/policy-data.js';
import type { PolicyProblem } from '../policy/policy.js';
import type { CompiledGate, Gate, GateData, GatePlaces } from './gate.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

export interface GateOptions {
  readonly places: GatePlaces;
  /** The environment of the runner, as far as it can be seen. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Identifies the program that compiled. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called only when there is no snapshot to be had. */
  readonly compile: (places: GatePlaces) => CompiledGate;
}

export type OpenedGate =
  | { readonly ok: true; readonly gate: Gate }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** The gate, or every problem of the files that it would be made from: then nothing may be allowed. */
export function openGate(options: GateOptions): OpenedGate {
  const { places, build } = options;
  const stored = storedGate(options);
  if (stored !== null) return { ok: true, gate: stored };
  const startedAt = options.now();
  const compiled = options.compile(places);
  if (!compiled.ok) return { ok: false, problems: compiled.problems };
  writeSnapshot(places, build, compiled.sources, compiled.data, startedAt);
  return { ok: true, gate: gateOf(compiled.data, options) };
}

/** The gate of the snapshot; one that is JSON and yet no gate is as good as none. */
function storedGate(options: GateOptions): Gate | null {
  try {
    const data = readSnapshot(options.places, options.build);
    return data && gateOf(data, options);
  } catch {
    return null;
  }
}

function gateOf(data: GateData, { places, environment }: GateOptions): Gate {
  return {
    compiled: readyPolicy(data.policy),
    settings: data.settings,
    digest: data.digest,
    untrusted: data.untrusted,
    surroundings: {
      project: places.project,
      home: places.home,
      platform: places.platform,
      environment,
      ownDirectories: data.ownDirectories,
      budget: null,
    },
  };
}
