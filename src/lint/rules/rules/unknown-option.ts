import { analyse } from '../../../decide/flow/analysis.js';
import { writtenOut } from '../../../decide/policy/spellings.js';
import { shown } from '../../../policy/sentences.js';
import { type LintProject, type RuleInFile, rulesOf } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const unknownOption: LintRule = {
  id: 'rules/unknown-option',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A rule asks about or denies an option that the grammar of its command does not have.',
    why: 'A restriction holds for every spelling of an option that policy knows: -f, --force and what begins like it. Of one that it does not know, only the spelling of the rule is met.',
    bad: 'deny:\n  - Bash(git push --froce *)\n',
    good: 'deny:\n  - Bash(git push --force *)\n',
    fix: 'Correct the option, or write one rule for each of its spellings.',
  },
  check: (project: LintProject) => rulesOf(project).flatMap(reportRule),
};

function reportRule({ rule, span }: RuleInFile): Report[] {
  const words = rule.tool.toLowerCase() === 'bash' ? (writtenOut(rule)?.words ?? []) : [];
  if (!words.some((word) => word.startsWith('-')) || !words.every((word) => /^[\w./:@%+,=-]+$/.test(word))) return [];
  const command = words.join(' ');
  const { lines } = analyse({ tool: 'Bash', input: { command }, cwd: '/project', headless: false, shell: 'bash' });
  const [first] = lines.flatMap(({ tree }) => tree.commands);
  if (first?.verdict.known !== true) return [];
  const unknown = first.verdict.issues.flatMap(({ code, option }) =>
    code === 'option/unknown' && option !== null ? [option] : [],
  );
  return unknown.slice(0, 1).map((option) => ({
    at: span,
    message: `${shown(rule.text)} names ${shown(option)}, which is no option of ${first.verdict.words.join(' ')} that policy knows; only this spelling is met.`,
  }));
}
