/** policy/unknown-lint-rule: the lint settings of a policy name a rule that does not exist. */
import { nearestWord } from '../../policy/nearest.js';
import { pointerTo } from '../../policy/pointer.js';
import { shown } from '../../policy/sentences.js';
import type { PolicyFile } from '../files.js';
import type { Span } from '../finding.js';
import { isMap } from '../located-text.js';
import type { LintProject } from '../project.js';
import { forPolicies, type LintRule, type Report } from '../rule.js';

export const unknownLintRule: LintRule = {
  id: 'policy/unknown-lint-rule',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The lint settings of a policy name a rule that does not exist.',
    why: 'The setting has no effect: what it should switch off or accept is still reported, or the other way round.',
    bad: 'lint:\n  rules: { naming/kebabcase: off }\n',
    good: 'lint:\n  rules: { naming/kebab-case: off }\n',
    fix: 'Write the id of a rule (policy lint --rules lists them).',
  },
  check: forPolicies(check),
};

/** Entries beyond these are not compared: there are far fewer rules. */
const MOST_ENTRIES = 1_000;

function check({ data }: PolicyFile, { ruleIds }: LintProject): readonly Report[] {
  if (data === null) return [];
  const levels = data.at('/lint/rules');
  const ignores = data.at('/lint/ignores');
  return [
    ...(isMap(levels) ? Object.keys(levels).slice(0, MOST_ENTRIES) : []).flatMap((id) =>
      reportId(id, data.keySpan(pointerTo('/lint/rules', id)), ruleIds),
    ),
    ...(Array.isArray(ignores) ? ignores.slice(0, MOST_ENTRIES) : []).flatMap((entry: unknown, index) =>
      isMap(entry) ? reportId(String(entry.rule), data.valueSpan(`/lint/ignores/${index}/rule`), ruleIds) : [],
    ),
  ];
}

function reportId(id: string, at: Span, ruleIds: readonly string[]): Report[] {
  if (ruleIds.includes(id)) return [];
  const near = nearestWord(id, ruleIds);
  return [{ at, message: `There is no lint rule ${shown(id)}${near === null ? '.' : `; did you mean ${near}?`}` }];
}
