/** Roles of Codex to which `[agents.NAME]` of a configuration points: they get their name and description there. */

import { isFields } from '../../call/fields.js';
import type { LintProject } from '../project/project.js';

/** Returns the paths of the role files that configurations of the project name as `config_file`. */
export function declaredRoles({ configs }: LintProject): ReadonlySet<string> {
  const declared = configs.flatMap(({ config, path, data }) => {
    const roles = config === 'codex-config' ? data?.at('/agents') : undefined;
    if (!isFields(roles)) return [];
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return Object.values(roles).flatMap((role) => {
      const file = isFields(role) ? role.config_file : undefined;
      return typeof file === 'string' ? [folder + file.replace(/^\.\//, '')] : [];
    });
  });
  return new Set(declared);
}
