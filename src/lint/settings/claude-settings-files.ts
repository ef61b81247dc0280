/** Claude Code settings files that apply together. */

import { type ClaudeEntry, claudeEntries } from '../claude-rules/entries.js';
import type { ConfigFile } from '../files/files.js';
import type { LintProject } from '../project/project.js';

/** The settings of one folder, such as a project's shared and local ones. */
interface SettingsFolder {
  /** The first file that allows something; the shared one if both do. */
  readonly granting: ConfigFile;
  readonly files: readonly ConfigFile[];
  /** The rules of all files. */
  readonly entries: readonly ClaudeEntry[];
}

/** Returns the folders whose settings allow something. */
export function grantingSettings(project: LintProject): readonly SettingsFolder[] {
  const folders = new Map<string, ConfigFile[]>();
  for (const file of project.configs) {
    if (file.config !== 'claude-settings') continue;
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders.values()].flatMap((files) => {
    const granting = files.filter(allows).sort((left, right) => left.path.length - right.path.length)[0];
    return granting === undefined ? [] : [{ granting, files, entries: files.flatMap(claudeEntries) }];
  });
}

function allows(file: ConfigFile): boolean {
  return claudeEntries(file).some(({ effect, reach }) => effect === 'allow' && reach.kind !== 'nothing');
}
