import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';
import { patternKinds } from '../../../rule/rule-set.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing, specifierSpan } from '../../claude-rules/entries.js';
import { SYSTEM } from '../../claude-rules/path.js';
import type { RuleInFile } from '../../project/project.js';
import { forRules, type LintRule, type Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const absolutePath: LintRule = {
  id: 'rules/absolute-path',
  severity: 'warning',
  docs: {
    what: 'A path pattern with one leading slash was probably meant as an absolute path.',
    why: 'One slash begins at the project, two at the root of the file system: /etc/** means etc/ of the project.',
    bad: 'deny:\n  - Read(/etc/**)\n',
    good: 'deny:\n  - Read(//etc/**)\n',
    fix: 'Write two slashes for an absolute path.',
  },
  check: (project) => [...forRules(check)(project), ...forEachClaudeRule(checkClaude)(project)],
};

function check({ rule, span }: RuleInFile): readonly Report[] {
  if (rule.pattern === null || !SYSTEM.test(rule.pattern) || !patternKinds(rule, toolsCovered).includes('path')) return [];
  if (patternKinds(rule, toolsCovered).length > 1) return [];
  const message = `${shown(rule.pattern)} begins at the project, not at the root of the file system.`;
  return [{ at: span, message, help: `Write ${rule.tool}(/${rule.pattern}).` }];
}

/** In Claude Code's settings, one slash refers to the folder to which the settings belong. */
export function isMeantAbsolute({ reach, specifier }: ClaudeEntry): boolean {
  return reach.kind === 'path' && reach.anchor === 'settings' && specifier !== null && SYSTEM.test(specifier);
}

/** The home folder of a person is another one on each machine: `~`. */
function checkClaude(entry: ClaudeEntry): readonly Report[] {
  const { specifier, tool } = entry;
  if (!isMeantAbsolute(entry) || specifier === null) return [];
  const instead = `${tool}(${/^\/(?:home|Users)\/[\w.-]+\/./.test(specifier) ? specifier.replace(/^\/\w+\/[\w.-]+/, '~') : `/${specifier}`})`;
  return [
    {
      at: specifierSpan(entry),
      message: `${shown(specifier)} begins at the folder of the settings: one slash is the project, two are the root of the file system.`,
      help: `Write ${instead}${instead.includes('(~') ? `, or ${tool}(/${specifier}) for this machine alone` : ''}.`,
      ...fixWith(replacing(entry, instead)),
    },
  ];
}
