import { type CodexCall, codexCallsByFile, isLoad, MOST_STATEMENTS } from '../../../lint/codex/rules-file.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const codexRulesUnread: LintRule = {
  id: 'codex/rules-unread',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: "A file of Codex's rules has statements that lint cannot read.",
    why: 'A rules file is a program: a name, a loop or an argument without its key can make a rule that no reader of the file sees, and Codex runs what it allows outside the sandbox, without a question.',
    bad: '# .codex/rules/default.rules\nTOOLS = ["npm"]\nprefix_rule(pattern = [TOOLS, "test"], decision = "allow")\n',
    good: '# .codex/rules/default.rules\nprefix_rule(pattern = ["npm", "test"], decision = "allow")\n',
    fix: 'Write each rule as a call of its own, every argument with its key and its value written out.',
    source: 'developers.openai.com/codex: rules; facebook/starlark-rust: lexer.rs',
    verifiedOn: 'Codex 0.169.0 (documentation)',
    runners: ['codex'],
  },
  check: (project) => codexCallsByFile(project).flatMap((calls) => [...unread(calls), ...beyond(calls)]),
};

/** One report per file: a program of a thousand lines is one thing to look at. */
function unread(calls: readonly CodexCall[]): readonly Report[] {
  const statements = calls.filter((call) => call.arguments === null && !isLoad(call));
  const [first] = statements;
  if (first === undefined) return [];
  const message =
    statements.length === 1
      ? 'This is not a call with every argument written out, so what it allows is not checked.'
      : 'This and statements below it are not calls with every argument written out, so what they allow is not checked.';
  return [{ at: first.at, message }];
}

function beyond(calls: readonly CodexCall[]): readonly Report[] {
  const last = calls[MOST_STATEMENTS - 1];
  if (last === undefined) return [];
  return [
    { at: last.at, message: `Of this file only the first ${MOST_STATEMENTS} statements are checked.`, help: 'Split the file.' },
  ];
}
