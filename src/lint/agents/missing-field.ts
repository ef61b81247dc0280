/** Shared by the rules about a missing name and a missing description: which of the two the runner can do without. */
import { formatTraits } from '../../agent/format.js';
import { type Check, fromProblems } from '../project/rule.js';
import { declaredRoles } from './codex-roles.js';
import { miscasedField } from './field-case.js';

/** Not reported if the field exists in another case, or for a role that Codex's configuration names and describes. */
export function missingField(field: 'name' | 'description'): Check {
  const reported = fromProblems(`schema/missing-${field}`, (_, file) => {
    if (file.kind !== 'agent') return {};
    const { fieldsAreOptional, syntax } = formatTraits(file.format);
    const key = syntax === 'yaml' && field === 'description' ? 'goal' : field;
    const line = syntax === 'toml' ? `${key} = "…"` : `${key}: …`;
    const isThere = file.data?.keys.includes(key) === true;
    const help = `${isThere ? 'Fill' : 'Add'} the line ${line}${field === 'name' ? '' : ', which says what the agent does and when to use it'}.`;
    return { help, ...(fieldsAreOptional && { severity: 'info' }) };
  });
  return (project) => {
    const roles = declaredRoles(project);
    const excused = new Set(
      project.agents
        .filter(({ path, format, data }) =>
          formatTraits(format).syntax === 'toml' ? roles.has(path) : data !== null && miscasedField(data, field) !== null,
        )
        .map(({ path }) => path),
    );
    return reported(project).filter(({ at }) => !excused.has(at.file));
  };
}
