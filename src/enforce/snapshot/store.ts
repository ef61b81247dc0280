/** How the hook prepares a policy without a snapshot: compiles it from its files, and stores it for later calls. */
import { preparePolicy } from './compile.js';
import type { CompiledPreparation, PolicyPlaces } from './prepared-policy.js';
import { writeSnapshot } from './write.js';

/**
 * Compiles the policy of these places and stores its snapshot.
 * @param build identifies the program that compiles
 * @param now milliseconds since 1970
 */
export function compileAndStore(places: PolicyPlaces, build: string, now: () => number): CompiledPreparation {
  const startedAt = now();
  const compiled = preparePolicy(places);
  if (compiled.ok) writeSnapshot(places, build, compiled.sources, compiled.data, startedAt);
  return compiled;
}
