import { isFields } from '../../../call/fields.js';
import { reportTogether } from '../../../lint/agents/several.js';
import { type PermissionMap, permissionMaps } from '../../../lint/opencode/agents.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';

export const opencodeRedirection: LintRule = {
  id: 'opencode/redirection',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'An agent of OpenCode may change no file, and a rule for its shell writes them all the same.',
    why: 'OpenCode does not look at redirections: with "git status*" allowed, git status > FILE writes a file, also where `edit` is denied.',
    bad: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  edit: deny\n  bash:\n    "*": deny\n    "git status*": allow\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\npermission:\n  edit: deny\n  bash:\n    "*": deny\n    "git status": allow\n---\nRead the diff first.\n',
    fix: 'Write the commands out without a * at their end, or ask about them.',
    source: 'opencode.ai/docs: permissions; AltimateAI/altimate-code#859',
    verifiedOn: 'OpenCode 1.18.33',
    runners: ['opencode'],
  },
  check: (project) => permissionMaps(project).flatMap(check),
};

/** One finding for each map, since it is one gap. */
function check({ data, pointer }: PermissionMap): readonly Report[] {
  const bash = data.at(`${pointer}/bash`);
  if (data.at(`${pointer}/edit`) !== 'deny' || !isFields(bash)) return [];
  const patterns = Object.keys(bash);
  const open = patterns
    .slice(Math.max(0, patterns.lastIndexOf('*')))
    .filter((text) => text.endsWith('*') && bash[text] === 'allow')
    .map((text) => ({ text, span: data.keySpan(pointerTo(`${pointer}/bash`, text)) }));
  const report = reportTogether(
    open,
    ({ text }) => `edit is denied, and ${shown(text)} also allows a redirection to a file.`,
    (_, list) => `edit is denied, and each of these also allows a redirection to a file: ${list}.`,
  );
  return report === null ? [] : [report];
}
