import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, entriesThatAreNoTexts, replacing } from '../../claude-rules/entries.js';
import type { ConfigFile } from '../../files/files.js';
import { forConfigs, fromProblems, type LintRule, type Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const malformedRule: LintRule = {
  id: 'rules/malformed',
  severity: 'error',
  docs: {
    what: 'A permission rule is not written as Tool(pattern).',
    why: 'A rule that cannot be read is dead: policy refuses the file instead of guessing, Claude Code passes over the rule and says nothing.',
    bad: 'deny:\n  - Bash(rm *\n',
    good: 'deny:\n  - Bash(rm *)\n',
    fix: 'Write Tool or Tool(pattern), with nothing behind the last parenthesis.',
  },
  check: (project) => [
    ...fromProblems('rules/malformed')(project),
    ...forEachClaudeRule(checkClaude)(project),
    ...forConfigs(checkTypes)(project),
  ],
};

function checkClaude(entry: ClaudeEntry): readonly Report[] {
  const { reach, text } = entry;
  if (reach.kind !== 'nothing' || (reach.code !== 'malformed' && reach.code !== 'space')) return [];
  return [
    {
      at: entry.span,
      message: `Claude Code passes over ${shown(text)}: ${reach.because}.`,
      // Who relies on an allow rule sees a question instead.
      ...(entry.effect === 'allow' && { severity: 'info' as const }),
      ...(reach.instead === null ? {} : { help: `Write ${reach.instead}.` }),
      ...fixWith(replacing(entry, reach.instead)),
    },
  ];
}

/** An entry of a list that is not a string: Claude Code keeps the file and skips the entry (measured). */
function checkTypes(file: ConfigFile): readonly Report[] {
  return entriesThatAreNoTexts(file).map(({ at, value }) => ({
    at,
    message: `Claude Code passes over ${shown(value)}: a rule is a text.`,
    help: 'Write the rule as a text: "Tool(pattern)".',
  }));
}
