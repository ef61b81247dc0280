import { isFields } from '../../../call/fields.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { nearestWord } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';

const DECISIONS = ['allow', 'deny', 'ask_user'] as const;
const MOST_RULES = 2_000;

export const geminiPolicyInvalid: LintRule = {
  id: 'gemini/policy-invalid',
  severity: 'error',
  docs: {
    what: "A rule of Gemini CLI's policy engine is one that it refuses.",
    why: 'A rule that is refused decides nothing: what it was to deny is judged by the defaults.',
    bad: '# .gemini/policies/team.toml\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git push"\ndecision = "ask"\npriority = 100\n',
    good: '# .gemini/policies/team.toml\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git push"\ndecision = "ask_user"\npriority = 100\n',
    fix: 'Correct the rule as the message says.',
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'gemini-policy').flatMap(check),
};

function check({ data }: ConfigFile): readonly Report[] {
  const rules = data?.at('/rule');
  if (data === null || !Array.isArray(rules)) return [];
  return rules.slice(0, MOST_RULES).flatMap((rule: unknown, index): Report[] => {
    if (!isFields(rule)) return [];
    const pointer = `/rule/${index}`;
    const { decision, priority } = rule;
    const reports: Report[] = [];
    if (decision !== undefined && !DECISIONS.some((one) => one === decision)) {
      const near = decision === 'ask' ? 'ask_user' : typeof decision === 'string' ? nearestWord(decision, DECISIONS) : null;
      const meant = near === null ? '.' : `; did you mean "${near}"?`;
      reports.push({
        at: data.valueSpan(`${pointer}/decision`),
        message: `${shown(decision)} is no decision: ${DECISIONS.join(', ')} are${meant}`,
      });
    }
    if (typeof priority === 'number' && !(Number.isInteger(priority) && priority >= 0 && priority <= 999))
      reports.push({
        at: data.valueSpan(`${pointer}/priority`),
        message: `A priority is a whole number from 0 to 999; this is ${priority}.`,
      });
    if (Object.hasOwn(rule, 'commandPrefix') && Object.hasOwn(rule, 'commandRegex'))
      reports.push({
        at: data.keySpan(`${pointer}/commandRegex`),
        message: 'A rule has commandPrefix or commandRegex, not both.',
      });
    return reports;
  });
}
