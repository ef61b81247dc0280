/** Judges a command that receives unseen arguments: `xargs CMD`, `find -exec CMD {} +`. */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import { tableOf } from '../grammar/lookup.js';
import { hasRisk } from '../grammar/option-risk.js';
import type { CommandTable } from '../grammar/table.js';
import { mayBeOperand } from '../judge/data-words.js';
import { judgeInvocation } from '../judge/evaluate.js';
import type { GrammarIssue, GrammarVerdict } from '../model/command.js';
import { type Appended, namesWord, opaqueWord } from '../model/words.js';

/** Stands for the unseen arguments while the grammar judges: file names that do not look like options. */
const STAND_IN = './*';

/** The verdict on `invocation` followed by unseen arguments. */
export function appendedVerdict(invocation: Invocation, name: string, appended: Appended): GrammarVerdict {
  const table = tableOf(name);
  if (appended.names !== null && table !== null)
    return judgedWith(namesWord('…', appended.names, appended.span), invocation, name, appended);
  const text: ShellWord = {
    ...opaqueWord('…', '', appended.span),
    data: 'several',
    ...(appended.processes === true && { origin: { source: { kind: 'processes' }, before: '', after: '' } }),
  };
  if (table !== null && mayBeOperand(table, text, false)) return judgedWith(text, invocation, name, appended);
  return unknownVerdict(invocation, name, appended);
}

/** Without them, the program refuses to run. */
const MISSING = 'operand/missing';

/** Judges the command with a word that stands for all of them; and also without it, if the command is run even when there are none. */
function judgedWith(word: ShellWord, invocation: Invocation, name: string, appended: Appended): GrammarVerdict {
  const own = invocation.argv.length;
  const verdict = judgeInvocation({ ...invocation, argv: [...invocation.argv, word] }, name);
  const alone = appended.certain ? null : judgeInvocation(invocation, name);
  return {
    ...verdict,
    issues: [
      ...verdict.issues.map((issue) => without(issue, own)),
      ...(alone?.issues.filter(({ code }) => code !== MISSING) ?? []),
    ],
    conditions: [...verdict.conditions.map((condition) => without(condition, own)), ...(alone?.conditions ?? [])],
    effects: [...verdict.effects, ...(alone?.effects ?? [])],
  };
}

/** Detaches an issue or condition about an added word, which is not one of the command's own. */
function without<One extends { readonly word: number }>(one: One, own: number): One {
  return one.word >= own ? { ...one, word: -1 } : one;
}

/**
 * Judges the unseen arguments as operands of unknown value, so that no effect on them is ever proven. If one of them could become
 * an option that is not harmless, the verdict has the issue `wrapper/appended`.
 */
function unknownVerdict(invocation: Invocation, name: string, appended: Appended): GrammarVerdict {
  const standIn: ShellWord = { text: '…', value: STAND_IN, span: appended.span, glob: true, tilde: false, literalPrefix: './' };
  const own = invocation.argv.length;
  const verdict = judgeInvocation({ ...invocation, argv: [...invocation.argv, standIn] }, name);
  const unseen = opaqueWord('…', appended.prefix, appended.span);
  const issues: GrammarIssue[] = verdict.issues.map((issue) => without(issue, own));
  if (mayBecomeOption(invocation, verdict, appended)) {
    const message = `An argument that is appended to ${name} may be an option.`;
    issues.push({ rating: 'unknown', code: 'wrapper/appended', message, word: -1, option: null, span: appended.span });
  }
  return {
    ...verdict,
    issues,
    conditions: verdict.conditions.map((condition) => without(condition, own)),
    effects: verdict.effects.map((effect) => (effect.path === standIn ? { ...effect, path: unseen } : effect)),
  };
}

function mayBecomeOption(invocation: Invocation, verdict: GrammarVerdict, appended: Appended): boolean {
  if (appended.prefix !== '' && !appended.prefix.startsWith('-')) return false;
  if (invocation.argv.some((word) => word.value === '--')) return false;
  return !verdict.known || hasRiskyOption(verdict.words);
}

/** True when a command (`['git', 'log']`) has an option that is not harmless, or still needs a subcommand. */
function hasRiskyOption(words: readonly string[]): boolean {
  let table: CommandTable | null = tableOf(words[0] ?? '');
  for (const word of words.slice(1)) table = table?.subcommand?.(word) ?? null;
  return table === null || table.subcommand !== null || hasRisk(table);
}
