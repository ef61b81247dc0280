import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import type { RuleInFile } from '../../project/project.js';
import { forAllRules, type LintRule, type Report } from '../../project/rule.js';

/** In the folder of Claude Code only the files that it obeys: people also keep plans and notes there. */
const CONFIGURATION =
  /^(?:\.?\/|~\/)?(?:\*\*\/)?(?:\.(?:git|husky|codex|agent|gemini|qwen|cursor|opencode|mcp\.json|github\/workflows)(?:\/|$)|\.claude(?:\/?$|\/(?:\*|settings|hooks|agents|skills|commands|plugins))|policy(?:\.local)?\.(?:ya?ml|json|toml))/;

export const configWritable: LintRule = {
  id: 'permissions/config-writable',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows writing what decides over agents.',
    why: 'Whoever can write the policy, the agents, the hooks or the CI can give itself every permission. Protected files are kept anyway; the rule shows that they were meant to be writable.',
    bad: 'allow:\n  - Edit(.claude/**)\n',
    good: 'ask:\n  - Edit(.claude/**)\n',
    fix: 'Ask instead of allowing, or name the one file that may be written.',
  },
  check: forAllRules(check),
};

function check({ rule, span }: RuleInFile): readonly Report[] {
  if (rule.effect !== 'allow' || rule.pattern === null || describeTool(rule.tool).access !== 'write') return [];
  if (!CONFIGURATION.test(rule.pattern)) return [];
  return [{ at: span, message: `${shown(rule.text)} lets an agent change what decides over agents.` }];
}
