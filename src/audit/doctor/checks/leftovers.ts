/** Remains of an installation or a seal that was killed: drafts beside the settings, and half-packed log files. */
import { existsSync, lstatSync } from 'node:fs';
import { leftoverDrafts } from '../../../disk/leftover-drafts.js';
import { realPath } from '../../../disk/real-path.js';
import { LogError } from '../../../log/files/log-error.js';
import { interruptedArchives } from '../../../log/tree/rotate.js';
import { type CheckResult, type DoctorCheck, worthKnowing } from '../found/check.js';
import { shellWord } from '../found/words.js';

export const leftovers: DoctorCheck = {
  id: 'leftovers',
  examine: ({ examined, stateDirectories, now }) => [
    ...examined.flatMap(({ runner, sources }) =>
      sources
        .flatMap(({ file }) => leftoverDrafts(realPath(file) ?? file))
        // The next installation removes the drafts that it recognizes.
        .map((draft) =>
          worthKnowing(
            runner.id,
            `${draft} looks like what an installation left that was ended midway`,
            `rm ${shellWord(draft)}`,
          ),
        ),
    ),
    ...stateDirectories.flatMap(packings).flatMap((file) => ofSeal(file, now)),
  ],
};

/** Empty for an unreadable log, which another check reports. */
function packings(state: string): ReturnType<typeof interruptedArchives> {
  try {
    return interruptedArchives(state);
  } catch (error) {
    if (error instanceof LogError) return [];
    throw error;
  }
}

/** No seal spends this long on packing. */
const OLD_MILLISECONDS = 3_600_000;

/** The next seal packs the file again, as long as the original exists. */
function ofSeal({ path, of }: { readonly path: string; readonly of: string }, now: number): readonly CheckResult[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || now - stat.mtimeMs < OLD_MILLISECONDS) return [];
  const fix = existsSync(of) ? 'policy log seal' : `rm ${shellWord(path)}`;
  return [worthKnowing(null, `${path} is half packed: a seal was ended midway, and nothing of the log is lost`, fix)];
}
