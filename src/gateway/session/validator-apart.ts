/** The gateway's access to validator.ts, in place of that file: a bundle of its own, started by the first call of a tool with a schema. */
import { startCached } from '../../hook/cached.js';

let validator: typeof import('./validator.js') | null = null;

/** See `argumentCheck` of validator.ts. */
export const argumentCheck: typeof import('./validator.js').argumentCheck = (schema) => {
  validator ??= startCached('gateway-validator', 'argumentCheck') as typeof import('./validator.js');
  return validator.argumentCheck(schema);
};
