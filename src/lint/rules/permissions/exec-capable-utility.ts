import { shown } from '../../../policy/sentences.js';
import { openProgram } from '../../claude-rules/open-command.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const execCapableUtility: LintRule = {
  id: 'permissions/exec-capable-utility',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of Claude Code allow a tool for files that also runs commands or writes anywhere.',
    why: 'With anything behind it, such a rule is as wide as one for a shell or for all writes: tar --to-command=sh, sed -i, vim -c !sh (gtfobins.github.io).',
    bad: '{ "permissions": { "allow": ["Bash(tar:*)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(tar -tf *)"] } }\n',
    fix: 'Name the options that are needed, or ask.',
  },
  check: forEachClaudeRule((entry): readonly Report[] => {
    const program = openProgram(entry);
    const how = program === null ? undefined : WAYS.get(program);
    return how === undefined ? [] : [{ at: entry.span, message: `${shown(entry.text)} allows more than it says: ${how}.` }];
  }),
};

const EDITOR = 'an editor runs commands and writes files';
const PAGER = 'a pager runs commands (!sh)';
const STARTER = 'it starts any program';

/** The other abilities of each program. Interpreters, network clients and programs that delete are reported by rules of their own. */
const WAYS: ReadonlyMap<string, string> = new Map([
  ['tar', 'tar --to-command and --checkpoint-action run commands'],
  ['zip', 'zip -T -TT runs a command'],
  ['sed', 'sed -i writes files, and its command e runs programs'],
  ['tee', 'tee writes any file'],
  ['split', 'split --filter runs a command'],
  ['vi', EDITOR],
  ['vim', EDITOR],
  ['nvim', EDITOR],
  ['view', EDITOR],
  ['ex', EDITOR],
  ['ed', EDITOR],
  ['emacs', EDITOR],
  ['nano', EDITOR],
  ['less', PAGER],
  ['more', PAGER],
  ['man', PAGER],
  ['script', 'script -c runs a command'],
  ['flock', 'flock -c runs a command'],
  ['sqlite3', 'sqlite3 runs commands (.shell) and writes files'],
  ['ssh-agent', STARTER],
  ['setsid', STARTER],
  ['taskset', STARTER],
  ['ionice', STARTER],
]);
