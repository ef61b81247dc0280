/**
 * The way of the gate's compiler to what it rarely needs, in place of the files that these functions are from: JSON, TOML, unusual
 * YAML and unusual globs are in dist/compile-rare.cjs, sentences about a wrong policy in dist/compile-errors.cjs. Without them a
 * damagedProgram is thrown, and the call is denied.
 */
import { type SchemaError, validatePolicy } from '../generated/validators.js';
import type { Reading } from '../policy/read/result.js';
import { startCached } from './cached.js';

let rare: typeof import('./compile-rare.js') | null = null;

function rareBundle(): typeof import('./compile-rare.js') {
  rare ??= startCached('compile-rare', 'readToml') as typeof import('./compile-rare.js');
  return rare;
}

/** See src/policy/read/json.ts. */
export function readJson(source: string): Reading {
  return rareBundle().readJson(source);
}

/** See src/policy/read/toml.ts. */
export function readToml(source: string): Reading {
  return rareBundle().readToml(source);
}

/** See src/policy/read/yaml.ts. */
export function readYaml(source: string): Reading {
  return rareBundle().readYaml(source);
}

/** See src/rule/path/glob-source.ts. */
export function globSource(glob: string): string | null {
  return rareBundle().globSource(glob);
}

/** See src/policy/schema-errors.ts. The compiler's own validator only tells whether there are any. */
export function policyErrors(data: unknown): readonly SchemaError[] {
  if (validatePolicy(data)) return [];
  const errors = (startCached('compile-errors', 'policyErrors') as typeof import('../policy/schema-errors.js')).policyErrors(
    data,
  );
  if (errors.length === 0) throw new Error('the two validators of policies disagree');
  return errors;
}
