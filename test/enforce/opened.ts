/** Opens the workspace of a scratch folder that holds a home, a managed folder and a repository. */
import { join } from 'node:path';
import { type ProjectTrust, readTrustedLayers } from '../../src/project/trust.js';
import { type OpenedWorkspace, openWorkspace, type WorkspaceOptions } from '../../src/project/workspace.js';

/** The files that make `repo` a git repository. */
export const GIT: Readonly<Record<string, string>> = {
  'repo/.git/HEAD': 'ref: refs/heads/main\n',
  'repo/.git/config': '[core]\n\tbare = false\n',
  'repo/.git/objects/info/packs': '',
  'repo/.git/refs/heads/main': `${'0123456789'.repeat(4)}\n`,
};

/** Where everything lies below the scratch folder. */
export function placesIn(folder: string) {
  return {
    home: join(folder, 'home'),
    userDirectory: join(folder, 'home/.config/policy'),
    managedDirectory: join(folder, 'managed'),
    stateDirectory: join(folder, 'home/.local/state/policy'),
  };
}

export function openIn(folder: string, options: Partial<WorkspaceOptions> = {}): OpenedWorkspace {
  return openWorkspace({
    cwd: join(folder, 'repo'),
    platform: process.platform,
    environment: {},
    withAgents: true,
    ...placesIn(folder),
    ...options,
  });
}

/** How the project at `project` stands. */
export function trustIn(folder: string, project = join(folder, 'repo')): ProjectTrust {
  const { userDirectory, managedDirectory, stateDirectory } = placesIn(folder);
  return readTrustedLayers({
    project,
    cwd: null,
    userDirectory,
    managedDirectory,
    stateDirectory,
    extra: null,
    preset: null,
    trustProject: false,
  }).trust;
}
