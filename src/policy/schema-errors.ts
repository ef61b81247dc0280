/** Checks a document against the schema of policies. */

import { validatePolicy } from '../generated/validators/policy.js';
import type { SchemaError } from '../generated/validators/validator.js';

/** Every mistake, with the schema and the data that it is about; empty if the document is valid. */
export function policyErrors(data: unknown): readonly SchemaError[] {
  return validatePolicy(data) ? [] : (validatePolicy.errors ?? []);
}
