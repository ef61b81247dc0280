/** Judges a command that gets arguments which nobody sees: `xargs CMD`, `find -exec CMD {} +`. */
import type { Invocation, ShellWord } from '../shell/command-line.js';
import type { GrammarIssue, GrammarVerdict } from './command.js';
import { judgeInvocation } from './grammar.js';
import { tableOf } from './grammar-index.js';
import type { CommandTable } from './grammar-table.js';
import { hasRisk } from './option-risk.js';
import { type Appended, opaqueWord } from './wrappers-words.js';

/** Stands for the unseen arguments while the grammar judges: file names, none of which looks like an option. */
const STAND_IN = './*';

/**
 * The verdict on `invocation` with unseen arguments behind its own. They count as operands whose values are not known, so no
 * effect on them is ever proven. Where one of them could become an option that is not harmless (design, "Matching, settled":
 * argument-appending wrappers), the verdict has issue `wrapper/appended`.
 */
export function appendedVerdict(invocation: Invocation, name: string, appended: Appended): GrammarVerdict {
  const standIn: ShellWord = { text: '…', value: STAND_IN, span: appended.span, glob: true, tilde: false, literalPrefix: './' };
  const own = invocation.argv.length;
  const verdict = judgeInvocation({ ...invocation, argv: [...invocation.argv, standIn] }, name);
  const unseen = opaqueWord('…', appended.prefix, appended.span);
  const issues: GrammarIssue[] = verdict.issues.map((issue) => (issue.word >= own ? { ...issue, word: -1 } : issue));
  if (mayBecomeOption(invocation, verdict, appended)) {
    const message = `An argument that is appended to ${name} may be an option.`;
    issues.push({ rating: 'unknown', code: 'wrapper/appended', message, word: -1, option: null, span: appended.span });
  }
  return {
    ...verdict,
    issues,
    conditions: verdict.conditions.map((condition) => (condition.word >= own ? { ...condition, word: -1 } : condition)),
    effects: verdict.effects.map((effect) => (effect.path === standIn ? { ...effect, path: unseen } : effect)),
  };
}

function mayBecomeOption(invocation: Invocation, verdict: GrammarVerdict, appended: Appended): boolean {
  if (appended.prefix !== '' && !appended.prefix.startsWith('-')) return false;
  if (invocation.argv.some((word) => word.value === '--')) return false;
  return !verdict.known || hasRiskyOption(verdict.words);
}

/** True when a command (`['git', 'log']`) has an option that is not harmless, or a subcommand that is still to be named. */
function hasRiskyOption(words: readonly string[]): boolean {
  let table: CommandTable | null = tableOf(words[0] ?? '');
  for (const word of words.slice(1)) table = table?.subcommand?.(word) ?? null;
  return table === null || table.subcommand !== null || hasRisk(table);
}
