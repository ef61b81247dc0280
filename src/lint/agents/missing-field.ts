/** What the rules about a missing name and a missing description share: which of them the runner can do without. */
import { type Check, fromProblems } from '../project/rule.js';
import { declaredRoles } from './codex-roles.js';
import { miscasedField } from './field-case.js';

/** Not where the field is there in another case, and not for a role that Codex's configuration names and describes. */
export function missingField(field: 'name' | 'description'): Check {
  const reported = fromProblems(`schema/missing-${field}`, (_, file) =>
    // Cursor takes the file's name, and the docs do not say what it does without a description.
    file.kind === 'agent' && file.format === 'cursor' ? { severity: 'info' } : {},
  );
  return (project) => {
    const roles = declaredRoles(project);
    const excused = new Set(
      project.agents
        .filter(({ path, format, data }) =>
          format === 'codex' ? roles.has(path) : data !== null && miscasedField(data, field) !== null,
        )
        .map(({ path }) => path),
    );
    return reported(project).filter(({ at }) => !excused.has(at.file));
  };
}
