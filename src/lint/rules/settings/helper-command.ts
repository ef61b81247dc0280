import { shown } from '../../../policy/sentences.js';
import { reaching } from '../../hooks/reaching.js';
import type { RiskyValue } from '../../project/risky.js';
import { forRisky, type LintRule, type Report } from '../../project/rule.js';

export const helperCommand: LintRule = {
  id: 'settings/helper-command',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project start a program by themselves.',
    why: 'A helper for keys or a status line runs when somebody opens the project, with their rights; no rule and no hook judges it.',
    bad: '{ "apiKeyHelper": "./tools/key.sh" }\n',
    good: '{ "model": "opus" }\n',
    fix: 'Read what it starts; keep helpers in the settings of the person.',
  },
  check: forRisky('settings/helper-command', check),
};

/** Commands that only display something. */
const DISPLAYS = /^\/(?:statusLine|subagentStatusLine|fileSuggestion)\//;

/** A script of the project itself, which is reviewed with it, and nothing else. */
const OWN_SCRIPT =
  /^\s*(?:(?:ba|z)?sh|node|bun|python3?)?\s*["']?(?:\$\{?CLAUDE_PROJECT_DIR\}?["']?\/|\.\/|\.claude\/)[\w./-]+["']?\s*$/;

function check({ data, pointer, value, says }: RiskyValue): readonly Report[] {
  if (typeof value !== 'string') return [];
  const at = data.valueSpan(pointer);
  const name = pointer.slice(1).replaceAll('/', '.');
  const [reach] = reaching(value);
  if (DISPLAYS.test(pointer) && reach === undefined && OWN_SCRIPT.test(value)) return [];
  const why = reach === undefined ? '' : `, and ${reach.why}`;
  const severity = reach?.runsRemote === true ? 'error' : DISPLAYS.test(pointer) && reach === undefined ? 'info' : 'warning';
  return [{ at, message: `${name} ${says}${why}: ${shown(value)}.`, severity }];
}
