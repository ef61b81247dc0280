/** The `lint:` settings that apply to a project: those of its trusted layers. */
import { homedir } from 'node:os';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import type { Severity } from '../../lint/text/finding.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { composePolicy } from '../../policy/compose.js';
import type { LintIgnore, Policy } from '../../policy/policy.js';
import { readTrustedLayers } from '../../project/trust.js';

export interface LintSettings {
  readonly levels: Readonly<Record<string, Severity | 'off'>>;
  readonly ignores: readonly LintIgnore[];
  /** Settings that do not apply, as sentences with their places. */
  readonly notes: readonly string[];
  readonly mode: Policy['mode'];
}

/** Never fails because of mistakes in policies: lint reports those of the project as findings. */
export function lintSettings(project: string, trustProject: boolean): LintSettings {
  const { layers, mayUseAll } = readTrustedLayers({
    project,
    cwd: null,
    userDirectory: defaultUserDirectory(process.env, homedir()),
    managedDirectory: '/etc/policy',
    stateDirectory: defaultStateDirectory(process.env, homedir()),
    extra: null,
    preset: null,
    trustProject,
  });
  const { policy } = composePolicy(layers, { repository: project, trustRepository: mayUseAll });
  const notes = policy.notes
    .filter(({ message }) => message.startsWith('lint.'))
    .map(({ message, source }) =>
      source === undefined ? message : `${source.file}:${source.line}:${source.column}: ${message}`,
    );
  return { levels: policy.lint.rules, ignores: policy.lint.ignores, notes, mode: policy.mode };
}
