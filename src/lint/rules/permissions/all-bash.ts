import { shown } from '../../../policy/sentences.js';
import { isTotalRule } from '../../../policy/total-rule.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';
import { patternKinds } from '../../../rule/rule-set.js';
import { decidesCommand } from '../../claude-rules/answer.js';
import { claudeEntries } from '../../claude-rules/entries.js';
import { readClaudeRule } from '../../claude-rules/read.js';
import { protectsSecrets } from '../../claude-rules/secret-files.js';
import { judgeFor } from '../../commands/judge.js';
import type { LintFile } from '../../files/files.js';
import type { LintProject, RuleInFile } from '../../project/project.js';
import { forAllRules, type LintRule, type Report } from '../../project/rule.js';

export const allBash: LintRule = {
  id: 'permissions/all-bash',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows every shell command, or begins with a wildcard, so that it allows every program.',
    why: 'Bash(* --version) also allows `sh -c id --version`. The rule allows commands without checking them; only the built-in denials and the protection of files and secrets still apply.',
    bad: 'allow:\n  - Bash\n',
    good: 'allow:\n  - Bash(npm test)\n',
    fix: 'Name the commands that may run, or choose preset: safe.',
  },
  check: forAllRules(check),
};

const SHELL = 'every shell command';

function check({ rule, span, file }: RuleInFile, project: LintProject): readonly Report[] {
  if (rule.effect !== 'allow') return [];
  if (!isTotalRule(rule)) {
    const command = patternKinds(rule, toolsCovered).includes('command') ? anyProgram(rule.pattern ?? '') : null;
    if (command === null || !isAllowed(command, rule.text, file, project)) return [];
    return [{ at: span, message: `${shown(rule.text)} allows every program: ${shown(command)} runs without a question.` }];
  }
  const what = rule.tool.startsWith('mcp__') ? 'every tool of every MCP server, shells among them,' : SHELL;
  const secret = what === SHELL && file.kind === 'config' ? claudeEntries(file).find(protectsSecrets) : undefined;
  const also = secret === undefined ? '' : `, also one that reads what ${shown(secret.text)} is to protect`;
  return [{ at: span, message: `${shown(rule.text)} allows ${what} without checking it${also}.` }];
}

/** Returns a command that runs another program, for a pattern that begins with a wildcard: what stands behind it are arguments of `sh`. */
function anyProgram(pattern: string): string | null {
  const [, behind, star = ''] = /^\s*\*([^*\\]*)(\*?)$/.exec(pattern) ?? [];
  return behind === undefined ? null : `sh -c id ${behind.trimStart()}${star && 'x'}`.trim();
}

function isAllowed(command: string, text: string, file: LintFile, project: LintProject): boolean {
  if (file.kind === 'config' && file.config === 'claude-settings') return decidesCommand(readClaudeRule(text, 'allow'), command);
  const judge = judgeFor(project);
  return file.kind !== 'policy' || (judge.judges(command) && judge.byPolicy(command)?.decision === 'allow');
}
