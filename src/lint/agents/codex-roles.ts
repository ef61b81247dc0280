/** Roles of Codex that `[agents.NAME]` of a configuration points at: there they get their name and description. */

import type { LintProject } from '../project/project.js';
import { isMap } from '../text/located-text.js';

/** Paths of the role files that configurations of the project name as `config_file`. */
export function declaredRoles({ configs }: LintProject): ReadonlySet<string> {
  const declared = configs.flatMap(({ config, path, data }) => {
    const roles = config === 'codex-config' ? data?.at('/agents') : undefined;
    if (!isMap(roles)) return [];
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return Object.values(roles).flatMap((role) => {
      const file = isMap(role) ? role.config_file : undefined;
      return typeof file === 'string' ? [folder + file.replace(/^\.\//, '')] : [];
    });
  });
  return new Set(declared);
}
