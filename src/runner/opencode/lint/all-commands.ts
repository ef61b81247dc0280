import type { RiskyValue } from '../../../lint/project/risky.js';
import { forRisky, type LintRule, type Report } from '../../../lint/project/rule.js';

export const opencodeAllCommands: LintRule = {
  id: 'opencode/all-commands',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'The configuration of OpenCode allows every shell command.',
    why: 'OpenCode asks about none of them then; where no hook answers, every command runs.',
    bad: '{ "permission": { "bash": "allow" } }\n',
    good: '{ "permission": { "bash": { "*": "ask", "npm test": "allow" } } }\n',
    fix: 'Write "*": "ask", and allow the commands that are needed below it.',
  },
  check: forRisky('opencode/all-commands', check),
};

function check({ data, pointer, says }: RiskyValue): readonly Report[] {
  return [{ at: data.valueSpan(pointer), message: `${pointer.slice(1).replaceAll('/', '.')}: "allow" ${says}.` }];
}
