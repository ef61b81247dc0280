/** Which runners are installed here, and whether hooks were seen to work with their version. */

import type { Runner, WeakVersion } from '../../../runner/hook/runner.js';
import { isBelow } from '../../../runner/launch/client-version.js';
import { knownFlags } from '../../../runner/launch/launcher.js';
import { launcherOf } from '../../../runner/launched.js';
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import { printed } from '../found/client.js';

/** Returns the known weakness of this version of a runner; null when none is known. */
export function weaknessOf({ weakVersions = [] }: Runner, version: string): WeakVersion | null {
  return weakVersions.find(({ below }) => isBelow(version, below)) ?? null;
}

export const client: DoctorCheck = {
  id: 'client',
  examine: ({ examined, places, patience }) =>
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
      const known = fine(id, `${id} ${version ?? 'of an unknown version'} (${path}); its hooks were ${tried}`);
      return [known, ...missingFlag(runner, path, places.home, patience)];
    }),
};

/** Returns a note when the help of a client does not name a flag that `policy run` needs. A client without a help says nothing. */
function missingFlag({ id, evidence }: Runner, path: string, home: string, patience: number): readonly CheckResult[] {
  const { needed, help = [] } = launcherOf(id) ?? {};
  if (needed === undefined) return [];
  const text = printed(path, help, home, patience);
  if (!/\s--\w/.test(text) || knownFlags(text).has(needed.flag)) return [];
  return [worthKnowing(id, `${needed.missing}: ${needed.effect}`, `update ${id} to ${evidence.version} or newer`)];
}

/** Names the version that we tested, or the first one without the weakness if that is newer. */
export function updateLine({ id, evidence }: Runner, { below }: WeakVersion): string {
  return `update ${id} to ${isBelow(evidence.version, below) ? below : evidence.version} or newer`;
}
