/** Which runners are here, and whether their version is one that hooks were seen to work with. */

import type { Runner, WeakVersion } from '../../../runner/hook/runner.js';
import { isBelow } from '../../../runner/launch/client-version.js';
import { type DoctorCheck, fine, note, problem } from '../found/check.js';

/** In what a version of a runner is known to be weak; null when nothing is known against it. */
export function weaknessOf({ weakVersions = [] }: Runner, version: string): WeakVersion | null {
  return weakVersions.find(({ below }) => isBelow(version, below)) ?? null;
}

export const client: DoctorCheck = {
  id: 'client',
  examine: ({ examined }) =>
    examined.flatMap(({ runner, client: found }) => {
      const { id, evidence } = runner;
      if (found === null)
        return [note(id, `${id} is not on PATH, so its version was not looked at`, `install ${id}, or policy uninstall ${id}`)];
      const { path, version } = found;
      const weak = version === null ? null : weaknessOf(runner, version);
      if (weak !== null) {
        const said = weak.runsNoHook ? problem : note;
        return [said(id, `${id} ${version} (${path}) ${weak.lacks}`, updateLine(runner, weak))];
      }
      const tried = evidence.answers === 'documentation' ? 'never tried with the real program' : `tried with ${evidence.version}`;
      return [fine(id, `${id} ${version ?? 'of an unknown version'} (${path}); its hooks were ${tried}`)];
    }),
};

/** To the version that we tried, which is newer than the first without the weakness. */
export function updateLine({ id, evidence }: Runner, { below }: WeakVersion): string {
  return `update ${id} to ${isBelow(evidence.version, below) ? below : evidence.version} or newer`;
}
