/** Gathers the facts of a call from the file system and the environment: exactly what `factsNeeded` names, bounded. */
import type { CallAnalysis } from '../decide/analysis.js';
import type { BudgetFacts, Facts, PathFact } from '../decide/facts.js';
import { factsNeeded } from '../decide/facts-needed.js';
import { hazardousVariables } from './environment.js';
import { folderNames, indexNames, treeNames } from './file-names.js';
import { repositoryTop } from './git-directory.js';
import { gitFacts } from './git-facts.js';
import { isInside } from './inside.js';
import { pathFact, realPath } from './real-path.js';
import { secretTreeReader } from './secret-trees.js';

/** Where the tool runs: what the facts are relative to. */
export interface Surroundings {
  /** Real path of the project. */
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ownDirectories: readonly string[];
  readonly budget: BudgetFacts | null;
}

/** The facts of one call made in `cwd`. */
export function gatherFacts(analysis: CallAnalysis, cwd: string, around: Surroundings): Facts {
  const start = realPath(cwd) ?? cwd;
  const asked = factsNeeded(analysis, { cwd, home: around.home });
  const git = asked.gitDirectories.length > 0 ? gitFacts(start, asked.gitDirectories, around.project) : null;
  // Where git's top level is tells what else is needed.
  const needed =
    asked.tops.length > 0 && git !== null ? factsNeeded(analysis, { cwd, home: around.home, tops: git.directories }) : asked;
  const paths: Record<string, PathFact> = {};
  for (const path of needed.paths) {
    const fact = pathFact(path);
    if (fact !== null) paths[path] = fact;
  }
  const secretTrees: Record<string, readonly string[] | null> = {};
  const secretsBelow = secretTreeReader(around.home, around.project);
  for (const tree of needed.trees) secretTrees[tree] = secretsBelow(tree);
  const namesBelow = treeNames();
  const { platform } = around;
  return {
    project: around.project,
    cwd: start,
    elsewhere: isElsewhere(start, around.project),
    home: around.home,
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    paths,
    secretTrees,
    names: {
      trees: Object.fromEntries(needed.names.trees.map((tree) => [tree, namesBelow(tree)])),
      indexes: Object.fromEntries(needed.names.indexes.map((directory) => [directory, indexNames(directory)])),
      folders: Object.fromEntries(needed.names.folders.map((folder) => [folder, folderNames(folder)])),
    },
    git: needed === asked ? git : gitFacts(start, needed.gitDirectories, around.project),
    environment: needed.environment ? hazardousVariables(around.environment, platform) : [],
    budget: around.budget,
    ownDirectories: around.ownDirectories,
  };
}

/** Whether a directory belongs to another project: outside of this one, or the nearest repository is another. */
function isElsewhere(cwd: string, project: string): boolean {
  if (cwd === project) return false;
  return !isInside(cwd, project) || ![null, project].includes(repositoryTop(cwd));
}
