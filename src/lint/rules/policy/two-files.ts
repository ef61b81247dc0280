import { packageOf } from '../../places/file-kind.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const twoPolicies: LintRule = {
  id: 'policy/two-files',
  severity: 'error',
  docs: {
    what: 'A folder has two policy files of one layer.',
    why: 'Which one holds could only be guessed, so both are refused and every call of a hook is denied.',
    bad: 'policy.yaml and policy.json',
    good: 'policy.yaml',
    fix: 'Keep one of them.',
  },
  check: check,
};

function check({ policies }: LintProject): readonly Report[] {
  const first = new Map<string, string>();
  return policies
    .filter(({ foreign }) => !foreign)
    .flatMap(({ path, layer, source }) => {
      const key = `${layer} ${packageOf(path)}`;
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, path);
        return [];
      }
      return [{ at: source.lineSpan(1), message: `${other} is a policy of the same folder.` }];
    });
}
