/**
 * What dist/cli/policy-preset-run.cjs has in place of the parsers that few projects need and that take long to load (.ci/bundle.mjs). Whoever
 * asks for one may go on without its answer, so that it was asked for has to be looked at: the whole program then does it all again.
 */
import type { createHash as CreateHash } from 'node:crypto';
import type { readYaml as ReadYaml } from '../../policy/read/yaml.js';
import type { readWithParser as ReadWithParser } from '../../shell/parse/full.js';

let missed = false;

/** Whether anything of this has been asked for. */
export function wasMissed(): boolean {
  return missed;
}

function miss(): never {
  missed = true;
  throw new Error('this part of the program is not loaded');
}

export const readYaml: typeof ReadYaml = miss;
export const readWithParser: typeof ReadWithParser = miss;
export const createHash: typeof CreateHash = miss;
