/** A compiled policy that went through a store, as the hook reads it from a snapshot. */
import type { CompiledPolicy, PolicyData } from '../../src/decide/policy/policy-data.js';
import { policyToStore, type StoredPolicy, storedPolicy } from '../../src/decide/policy/stored-policy.js';

/** Writes the data of a policy to a store in memory, as JSON, and reads it back. */
export function throughStore(data: PolicyData): CompiledPolicy {
  const texts = new Map<string, string>();
  const stored = policyToStore(data, (key, value) => {
    if (texts.has(key)) throw new Error(`${JSON.stringify(key)} is stored twice`);
    texts.set(key, JSON.stringify(value));
  });
  const get = (key: string): unknown => {
    const text = texts.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const damaged = (key: string): never => {
    throw new Error(`${JSON.stringify(key)} is damaged`);
  };
  return storedPolicy(JSON.parse(JSON.stringify(stored)) as StoredPolicy, { get, damaged });
}
