/** Which runners are installed here, and whether hooks were seen to work with their version. */

import type { Runner, WeakVersion } from '../../../runner/hook/runner.js';
import { isBelow } from '../../../runner/launch/client-version.js';
import { type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';

/** Returns the known weakness of this version of a runner; null when none is known. */
export function weaknessOf({ weakVersions = [] }: Runner, version: string): WeakVersion | null {
  return weakVersions.find(({ below }) => isBelow(version, below)) ?? null;
}

export const client: DoctorCheck = {
  id: 'client',
  examine: ({ examined }) =>
    examined.flatMap(({ runner, client: found }) => {
      const { id, evidence } = runner;
      if (found === null)
        return [
          worthKnowing(id, `${id} is not on PATH, so its version was not checked`, `install ${id}, or policy uninstall ${id}`),
        ];
      const { path, version } = found;
      const weak = version === null ? null : weaknessOf(runner, version);
      if (weak !== null) {
        const said = weak.runsNoHook ? problem : worthKnowing;
        return [said(id, `${id} ${version} (${path}) ${weak.lacks}`, updateLine(runner, weak))];
      }
      const tried =
        evidence.answers === 'documentation' ? 'never tested with the real program' : `tried with ${evidence.version}`;
      return [fine(id, `${id} ${version ?? 'of an unknown version'} (${path}); its hooks were ${tried}`)];
    }),
};

/** Names the version that we tested, or the first one without the weakness if that is newer. */
export function updateLine({ id, evidence }: Runner, { below }: WeakVersion): string {
  return `update ${id} to ${isBelow(evidence.version, below) ? below : evidence.version} or newer`;
}
