/** rules/absolute-path: a path pattern with one leading slash was probably meant as an absolute path. */

import { shown } from '../../../policy/sentences.js';
import { patternKinds } from '../../../rule/rule-set.js';
import { toolsCovered } from '../../../rule/tool-coverage.js';
import type { RuleInFile } from '../../project.js';
import { forRules, type LintRule, type Report } from '../../rule.js';

/** Folders of a system's root that projects do not have at their own. */
const SYSTEM = /^\/(?:etc|usr|var|tmp|home|Users|root|opt|proc|dev|sys|Volumes|mnt|private|Library)(?:\/|$)/;

export const absolutePath: LintRule = {
  id: 'rules/absolute-path',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A path pattern with one leading slash was probably meant as an absolute path.',
    why: 'One slash begins at the project, two at the root of the file system: /etc/** means etc/ of the project.',
    bad: 'deny:\n  - Read(/etc/**)\n',
    good: 'deny:\n  - Read(//etc/**)\n',
    fix: 'Write two slashes for an absolute path.',
  },
  check: forRules(check),
};

function check({ rule, span }: RuleInFile): readonly Report[] {
  if (rule.pattern === null || !SYSTEM.test(rule.pattern) || !patternKinds(rule, toolsCovered).includes('path')) return [];
  if (patternKinds(rule, toolsCovered).length > 1) return [];
  const message = `${shown(rule.pattern)} begins at the project, not at the root of the file system.`;
  return [{ at: span, message, help: `Write ${rule.tool}(/${rule.pattern}).` }];
}
