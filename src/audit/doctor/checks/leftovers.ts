/** What an installation or a seal left that was killed: drafts beside the settings, and log files that are half packed. */
import { existsSync, lstatSync } from 'node:fs';
import { leftoverDrafts } from '../../../disk/leftover-drafts.js';
import { realPath } from '../../../disk/real-path.js';
import { LogError } from '../../../log/files/log-error.js';
import { interruptedArchives } from '../../../log/tree/rotate.js';
import { type CheckResult, type DoctorCheck, note } from '../found/check.js';
import { shellWord } from '../found/words.js';

export const leftovers: DoctorCheck = {
  id: 'leftovers',
  examine: ({ examined, stateDirectories, now }) => [
    ...examined.flatMap(({ runner, sources }) =>
      sources
        .flatMap(({ file }) => leftoverDrafts(realPath(file) ?? file))
        // The next installation removes those that it knows.
        .map((draft) =>
          note(runner.id, `${draft} looks like what an installation left that was ended midway`, `rm ${shellWord(draft)}`),
        ),
    ),
    ...stateDirectories.flatMap(packings).flatMap((file) => ofSeal(file, now)),
  ],
};

/** None in a log that cannot be read, which another check says. */
function packings(state: string): ReturnType<typeof interruptedArchives> {
  try {
    return interruptedArchives(state);
  } catch (error) {
    if (error instanceof LogError) return [];
    throw error;
  }
}

/** No seal packs for so long. */
const OLD_MILLISECONDS = 3_600_000;

/** The next seal packs the file anew, while there is one. */
function ofSeal({ path, of }: { readonly path: string; readonly of: string }, now: number): readonly CheckResult[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || now - stat.mtimeMs < OLD_MILLISECONDS) return [];
  const fix = existsSync(of) ? 'policy log seal' : `rm ${shellWord(path)}`;
  return [note(null, `${path} is half packed: a seal was ended midway, and nothing of the log is lost`, fix)];
}
