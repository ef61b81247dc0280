/** Which protected files a finished `git pull` has changed: its content could not be examined beforehand. */

import { incomingOf } from '../../command/git/incoming.js';
import { flatten } from '../../command/model/called-commands.js';
import type { CallAnalysis } from '../../decide/flow/analysis.js';
import { directoryOf } from '../../decide/flow/directories.js';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import { AskingTime, gitIn } from '../../disk/git/ask.js';
import type { Surroundings } from '../../project/surroundings.js';

/** Maximum number of reflog entries that are read: a rebase makes one for each commit. */
const MOST_ENTRIES = 500;

/**
 * Returns the paths of protected files that the pulls of a call added, changed or removed, relative to the top of their repositories.
 * @param since seconds since 1970, when the call began
 */
export function protectedPulled(analysis: CallAnalysis, cwd: string, around: Surroundings, since: number): readonly string[] {
  const place = { cwd, home: around.home, project: around.project };
  const pulls = analysis.lines
    .flatMap(({ tree }) => flatten(tree.commands))
    .filter((command) => incomingOf(command)?.source?.kind === 'remote');
  return [...new Set(pulls.map((command) => directoryOf(command, place)))].flatMap((directory) =>
    directory === null ? [] : changedSince(directory, around, since),
  );
}

function changedSince(directory: string, { home, project, ownDirectories }: Surroundings, since: number): readonly string[] {
  const git = gitIn(directory, home, project, new AskingTime(() => performance.now()));
  const top = git?.ask(['rev-parse', '--show-toplevel'])?.replace(/\n$/, '');
  const log = git?.ask([
    'log',
    '-g',
    '--no-show-signature',
    '--no-patch',
    `-${MOST_ENTRIES}`,
    '--date=unix',
    '--format=%H %gd',
    'HEAD',
    '--',
  ]);
  if (git === null || top === undefined || log === undefined || log === null) return [];
  const entries = [...log.matchAll(/^([0-9a-f]+) HEAD@\{(\d+)\}$/gm)].map(([, commit = '', time]) => ({
    commit,
    time: Number(time),
  }));
  const before = entries.find(({ time }) => time < since);
  if (before === undefined || before === entries[0]) return [];
  const changed = git.ask(['diff-tree', '-r', '-z', '--no-renames', '--name-only', before.commit, 'HEAD']);
  return (changed ?? '')
    .split('\0')
    .filter((path) => path !== '' && protectedPath(`${top}/${path}`, home, ownDirectories) !== null);
}
