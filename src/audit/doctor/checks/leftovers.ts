/**
 * Remains of an installation or a seal that was killed: drafts beside the settings, and half-packed log files; old copies of the program, and
 * old files of the log.
 */
import { existsSync, lstatSync } from 'node:fs';
import { leftoverDrafts } from '../../../disk/leftover-drafts.js';
import { realPath } from '../../../disk/real-path.js';
import { unusedCopies } from '../../../install/receipt.js';
import { LogError } from '../../../log/files/log-error.js';
import { prunable } from '../../../log/tree/prune.js';
import { interruptedArchives } from '../../../log/tree/rotate.js';
import { userVersions } from '../../../program/program-copy.js';
import { type CheckResult, type DoctorCheck, worthKnowing } from '../found/check.js';
import { shellWord } from '../found/words.js';

export const leftovers: DoctorCheck = {
  id: 'leftovers',
  examine: ({ examined, places, stateDirectory, stateDirectories, now }) => [
    ...examined.flatMap(({ runner, sources }) =>
      sources
        .flatMap(({ file }) => leftoverDrafts(realPath(file) ?? file))
        // The next installation removes the drafts that it recognizes.
        .map((draft) =>
          worthKnowing(runner.id, `${draft} looks like the remains of an interrupted installation`, `rm ${shellWord(draft)}`),
        ),
    ),
    ...stateDirectories.flatMap(packings).flatMap((file) => ofSeal(file, now)),
    ...oldCopies(unusedCopies(userVersions(places.environment, places.home), stateDirectory, now)),
    ...stateDirectories.flatMap((state) => oldLog(state, now)),
  ],
};

function oldCopies(copies: readonly string[]): readonly CheckResult[] {
  if (copies.length === 0) return [];
  const some = copies.length === 1 ? 'One old copy' : `${copies.length} old copies`;
  return [worthKnowing(null, `${some} of the program that no known hook starts`, 'policy uninstall --old')];
}

/** Days for which the log is kept without a note. */
const KEPT_DAYS = 90;

function oldLog(state: string, now: number): readonly CheckResult[] {
  const files = withoutLogErrors(() => prunable(state, now - KEPT_DAYS * 86_400_000));
  if (files.length === 0) return [];
  const bytes = files.reduce((sum, { path }) => sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  const what = `The decision log has sealed files older than ${KEPT_DAYS} days: ${files.length}, ${Math.ceil(bytes / 1e6)} MB (${state})`;
  return [worthKnowing(null, what, `policy log prune --before ${KEPT_DAYS}d`)];
}

function packings(state: string): ReturnType<typeof interruptedArchives> {
  return withoutLogErrors(() => interruptedArchives(state));
}

/** Empty for an unreadable log, which another check reports. */
function withoutLogErrors<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
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
  return [worthKnowing(null, `${path} is partly compressed: a seal was interrupted, but no log data is lost`, fix)];
}
