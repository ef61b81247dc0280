/** The top-level keys of schemas/policy.schema.json. */
import { readFileSync } from 'node:fs';

export function schemaKeys(): string[] {
  return Object.keys(JSON.parse(readFileSync('schemas/policy.schema.json', 'utf8')).properties);
}
