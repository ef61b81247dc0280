/** The slow road to a gate as the hook takes it: compiled from its files, and stored for the calls to come. */
import { compileGate } from './compile.js';
import type { CompiledGate, GatePlaces } from './prepared-policy.js';
import { writeSnapshot } from './write.js';

/**
 * Compiles the gate of these places and stores its snapshot.
 * @param build identifies the program that compiles
 * @param now milliseconds since 1970
 */
export function compileAndStore(places: GatePlaces, build: string, now: () => number): CompiledGate {
  const startedAt = now();
  const compiled = compileGate(places);
  if (compiled.ok) writeSnapshot(places, build, compiled.sources, compiled.data, startedAt);
  return compiled;
}
