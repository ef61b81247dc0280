import type { LintRule, Report } from '../../project/rule.js';

export const foreignPolicy: LintRule = {
  id: 'policy/foreign-file',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A file with the name of a policy belongs to another program.',
    why: 'It is ignored, since it has no `version` and no rules. If it was meant as a policy, nothing of it holds.',
    bad: '{"Statement": []}',
    good: '{"version": 1, "deny": ["Bash(rm *)"]}',
    fix: 'Add `version: 1` if it is a policy of ours; else nothing is to be done.',
  },
  check: ({ policies }) =>
    policies
      .filter(({ foreign, path }) => foreign && !path.includes('/'))
      .map(({ source }): Report => {
        const at = source.lineSpan(1);
        const key = OURS.exec(source.text)?.[1];
        if (key === undefined) return { at, message: 'This file is not a policy of ours and is ignored.' };
        const message = `This file has no "version", so it is ignored, with its ${key}.`;
        return { at, message, severity: 'warning', persona: 'author' };
      }),
};

/** Keys with which the file is probably meant for us. */
const OURS = /^[ \t{]{0,8}"?(lint|preset|custom_tools|extends)"?[ \t]*:/m;
