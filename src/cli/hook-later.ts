/**
 * Starts the bundles of dist/ that only some calls need, and lends them what they share with dist/hook-main.cjs. The functions that
 * lead into them stand in it under the names of those that they start (.ci/lend.mjs). Without its bundle a call fails and is denied.
 */
import { DamagedProgram } from '../policy/damaged-program.js';
import { startCached } from './hook-cached.js';
import { lentTable } from './hook-lent.js';

const started: Record<string, object> = {};

/** The exports of `dist/NAME.cjs`, started by the first call that needs it; `wanted` is one of them. */
export function startLater(name: string, wanted: string): object {
  const found = started[name] ?? startCached(name, wanted, lender(name));
  started[name] = found;
  return found;
}

let table: Readonly<Record<string, unknown>> | null = null;

/** Gives a bundle by name what it shares with this one; another build's bundle may ask for what is not there. */
export function lender(bundle: string): (name: string) => unknown {
  table ??= lentTable();
  const lent = table;
  return (name) => {
    const one = lent[name];
    if (one === undefined) throw new DamagedProgram(`${__dirname}/${bundle}.cjs belongs to another build`);
    return one;
  };
}
