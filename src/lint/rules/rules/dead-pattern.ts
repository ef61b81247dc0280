import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';
import { patternKinds, patternMistakes } from '../../../rule/rule-set.js';
import { foreignPattern } from '../../claude-rules/literal-syntax.js';
import type { LintProject, RuleInFile } from '../../project/project.js';
import { rulesOf } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const deadPattern: LintRule = {
  id: 'rules/dead-pattern',
  severity: 'error',
  docs: {
    what: 'The pattern of a rule can never match what it is about.',
    why: 'An allow with such a pattern allows nothing. A deny with it denies nothing, or is taken to deny everything of its tool.',
    bad: 'allow:\n  - Read(../other/**)\n',
    good: 'allow:\n  - Read(//home/me/other/**)\n',
    fix: 'Write the pattern as the message says.',
  },
  check: check,
};

/** Examines the rules directly, since this is not checked when definitions are read. */
function check(project: LintProject): readonly Report[] {
  return rulesOf(project).flatMap(reportRule);
}

function reportRule({ rule, span, file }: RuleInFile): Report[] {
  // The catch-all for unreadable entries reports these two already.
  const mistakes = patternMistakes(rule, toolsCovered).filter(
    ({ code }) => code !== 'rule/too-long' && code !== 'rule/control-character',
  );
  const [first] = mistakes;
  if (first === undefined) {
    const why = patternKinds(rule, toolsCovered).includes('command') ? foreignPattern(rule.pattern ?? '', 'literal') : null;
    return why === null || file.kind !== 'policy'
      ? []
      : [{ at: span, message: `${shown(rule.text)} is about no command that anybody runs: ${why}.` }];
  }
  const inside = rule.text.indexOf('(') + 1;
  const start =
    file.source.offsetAt(span) + inside + (rule.text.slice(inside).length - rule.text.slice(inside).trimStart().length);
  return [{ at: file.source.textSpan(start, rule.pattern ?? ''), message: first.message, help: first.message }];
}
