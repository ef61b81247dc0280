import type { ClaudeEntry } from '../../../lint/claude-rules/entries.js';
import { openProgram } from '../../../lint/claude-rules/open-command.js';
import { type OpenGrant, openGrants } from '../../../lint/commands/open-grants.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { forEachClaudeRule } from '../../../lint/settings/claude-rule-checks.js';
import type { Span } from '../../../lint/text/finding.js';
import { shown } from '../../../policy/sentences.js';

export const gitWildcard: LintRule = {
  id: 'permissions/git-wildcard',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a coding agent allow every git command.',
    why: 'That is also push --force, reset --hard and clean -fdx, and git -c core.pager=COMMAND, which runs any program. In a policy Bash(git *) does not stand for these.',
    bad: '{ "permissions": { "allow": ["Bash(git:*)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(git status:*)", "Bash(git diff:*)", "Bash(git log:*)"] } }\n',
    fix: 'Name the subcommands, for example git status, git diff, git log, git add and git commit.',
  },
  check: (project) => [...forEachClaudeRule(inSettings)(project), ...openGrants(project).flatMap(ofOthers)],
};

function inSettings(entry: ClaudeEntry): readonly Report[] {
  return openProgram(entry) === 'git' ? [report(entry.span, entry.text)] : [];
}

/** Also covers rules of Codex and maps of OpenCode; in a policy, `Bash(git *)` allows less. */
function ofOthers({ file, prefixes, text, at }: OpenGrant): readonly Report[] {
  const isTheirs =
    file.kind === 'config' ? file.config !== 'claude-settings' : file.kind === 'agent' && file.format === 'opencode';
  return isTheirs && prefixes.some((words) => words.join(' ') === 'git') ? [report(at, text)] : [];
}

function report(at: Span, text: string): Report {
  return { at, message: `${shown(text)} allows every git command, also those that discard work or run programs.` };
}
