import { isFields } from '../../../call/fields.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { PolicyFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import { forPolicies, type LintRule, type Report } from '../../project/rule.js';
import type { Span } from '../../text/finding.js';
import type { LocatedText } from '../../text/located-text.js';
import { meant, suggester } from '../../text/suggest.js';

export const unknownLintRule: LintRule = {
  id: 'policy/unknown-lint-rule',
  severity: 'warning',
  docs: {
    what: 'The lint settings of a policy name a rule that does not exist.',
    why: 'The setting has no effect: what it should switch off or accept is still reported, or the other way round.',
    bad: 'lint:\n  rules: { naming/kebabcase: off }\n',
    good: 'lint:\n  rules: { naming/kebab-case: off }\n',
    fix: 'Write the id of a rule (policy lint --rules lists them).',
  },
  check: forPolicies(check),
};

function check({ data }: PolicyFile, { ruleIds }: LintProject): readonly Report[] {
  if (data === null) return [];
  const suggest = suggester();
  return named(data).flatMap(({ id, at }) => {
    if (ruleIds.includes(id)) return [];
    return [{ at, message: `There is no lint rule ${shown(id)}${meant(suggest(id, ruleIds))}` }];
  });
}

/** Returns the rules that the settings name, with their places. */
function named(data: LocatedText): { readonly id: string; readonly at: Span }[] {
  const levels = data.at('/lint/rules');
  const ignores = data.at('/lint/ignores');
  return [
    ...(isFields(levels) ? Object.keys(levels) : []).map((id) => ({ id, at: data.keySpan(pointerTo('/lint/rules', id)) })),
    ...(Array.isArray(ignores) ? ignores : []).flatMap((entry: unknown, index) =>
      isFields(entry) ? [{ id: String(entry.rule), at: data.valueSpan(`/lint/ignores/${index}/rule`) }] : [],
    ),
  ];
}
