/** Opens the policy of a project: from its snapshot if that is valid, else compiled anew. */

import type { CompiledPolicy } from '../../decide/policy/policy-data.js';
import { readyPolicy } from '../../decide/policy/policy-data.js';
import { storedPolicy } from '../../decide/policy/stored-policy.js';
import type { PolicyProblem } from '../../policy/policy.js';
import { movedSettings } from '../../project/moved-settings.js';
import type { CompiledPreparation, PolicyPlaces, PreparedData, PreparedPolicy } from './prepared-policy.js';
import { readSnapshot } from './read.js';

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
    const snapshot = readSnapshot(options.places, options.build);
    if (snapshot === null) return null;
    const { head, store, close } = snapshot;
    return { ok: true, prepared: preparedFrom(storedPolicy(head.policy, store), head.prepared, options), close };
  } catch {
    return null;
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
