/** Opens the policy of a project: from its snapshot if that is valid, else compiled anew. */

import type { CompiledPolicy } from '../../decide/policy/policy-data.js';
import { readyPolicy } from '../../decide/policy/policy-data.js';
import { storedPolicy } from '../../decide/policy/stored-policy.js';
import type { PolicyProblem } from '../../policy/policy.js';
import { movedSettings } from '../../project/moved-settings.js';
import type { CompiledPreparation, PolicyPlaces, PreparedData, PreparedPolicy } from './prepared-policy.js';
import { readSnapshot, type Snapshot, snapshotName } from './read.js';

/** Prepares a policy and stores it; see store.ts, which is loaded only if needed. */
export type PreparePolicy = (places: PolicyPlaces, build: string, now: () => number) => CompiledPreparation;

export interface OpenOptions {
  readonly places: PolicyPlaces;
  /** The environment of the runner, as far as it can be seen. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Identifies the build of this program. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called only when there is no valid snapshot. */
  readonly compile: PreparePolicy;
  /** The snapshots that a process with many calls keeps open; absent: none. Each is looked at as if it had just been read. */
  readonly kept?: KeptSnapshots;
}

/** Open snapshots by their names, each with the policy that was made from it. */
export type KeptSnapshots = Map<string, { readonly snapshot: Snapshot; readonly compiled: CompiledPolicy }>;

/** More packages with policies of their own are opened for each call. */
const MOST_KEPT = 16;

/** Closes all snapshots that are kept: a call failed, and one of them may be why. */
export function forgetSnapshots(kept: KeptSnapshots): void {
  for (const { snapshot } of kept.values()) snapshot.close();
  kept.clear();
}

/** `close` releases the file that a prepared policy holds open; a process that ends need not call it. */
export type OpenedPolicy =
  | { readonly ok: true; readonly prepared: PreparedPolicy; readonly close: () => void }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Returns the policy, or all problems of the files that it is made from: then nothing may be allowed. */
export function openPolicy(options: OpenOptions): OpenedPolicy {
  const stored = fromSnapshot(options);
  if (stored !== null) return stored;
  const compiled = options.compile(options.places, options.build, options.now);
  if (!compiled.ok) return { ok: false, problems: compiled.problems };
  const { policy, ...data } = compiled.data;
  return { ok: true, prepared: preparedFrom(readyPolicy(policy), data, options), close: () => {} };
}

/** Returns the policy of the snapshot; null if it cannot be read. */
function fromSnapshot(options: OpenOptions): OpenedPolicy | null {
  try {
    const { places, build, kept } = options;
    const known = keptSnapshot(options);
    if (known !== null)
      return { ok: true, prepared: preparedFrom(known.compiled, known.snapshot.head.prepared, options), close: () => {} };
    const snapshot = readSnapshot(places, build);
    if (snapshot === null) return null;
    const { head, store } = snapshot;
    const compiled = storedPolicy(head.policy, store);
    const isKept = kept !== undefined && kept.size < MOST_KEPT;
    if (isKept) kept.set(snapshotName(places), { snapshot, compiled });
    return { ok: true, prepared: preparedFrom(compiled, head.prepared, options), close: isKept ? () => {} : snapshot.close };
  } catch {
    return null;
  }
}

/** Returns a kept snapshot if it is still valid; else it is no longer kept. */
function keptSnapshot({ places, kept }: OpenOptions) {
  const name = kept === undefined ? '' : snapshotName(places);
  const known = kept?.get(name);
  if (known === undefined) return null;
  let isValid = false;
  try {
    isValid = known.snapshot.isValid(places);
    return isValid ? known : null;
  } finally {
    if (!isValid) {
      kept?.delete(name);
      known.snapshot.close();
    }
  }
}

function preparedFrom(
  compiled: CompiledPolicy,
  data: Omit<PreparedData, 'policy'>,
  { places, environment }: OpenOptions,
): PreparedPolicy {
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
      trustedFiles: data.trustedFiles,
      runner: places.runner,
      budget: null,
    },
  };
}
