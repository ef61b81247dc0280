/** What the schema of policies has against a document. */

import { validatePolicy } from '../generated/validators/policy.js';
import type { SchemaError } from '../generated/validators/validator.js';

/** Every mistake, with the schema and the data that it is about; empty when the document is in order. */
export function policyErrors(data: unknown): readonly SchemaError[] {
  return validatePolicy(data) ? [] : (validatePolicy.errors ?? []);
}
