import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import { DROPPED_TOOLS } from '../../claude-rules/known-tools.js';
import type { LintProject } from '../../project/project.js';
import { allRulesOf } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const allWrites: LintRule = {
  id: 'permissions/all-writes',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A rule or definition allows writing every file of the project.',
    why: 'Code that runs later (build scripts, tests, hooks) can be written as well as the file that was meant.',
    bad: 'allow:\n  - Edit\n',
    good: 'allow:\n  - Edit(src/**)\n',
    fix: 'Name the folders that may be written.',
  },
  check: check,
};

/** Most projects let edits pass; that is why only auditors are told. A tool that is gone allows nothing. */
function check(project: LintProject): readonly Report[] {
  const rules = allRulesOf(project).flatMap(({ rule, span, file }): Report[] => {
    const everything = rule.pattern === null || /^(?:\.\/|\/{1,2})?\*\*?(?:\/\*)?$/.test(rule.pattern);
    if (rule.effect !== 'allow' || !everything || describeTool(rule.tool).access !== 'write') return [];
    if (file.kind === 'config' && DROPPED_TOOLS.has(rule.tool)) return [];
    return [{ at: span, message: `${shown(rule.text)} allows writing every file of the project.` }];
  });
  const definitions = project.agents.flatMap(({ data, format }): Report[] => {
    if (data === null || format !== 'codex-yaml' || data.at('/tools/fs/write') !== true) return [];
    return [{ at: data.keySpan('/tools/fs/write'), message: '`write: true` allows writing every file.' }];
  });
  return [...rules, ...definitions];
}
