/** The worst call that an allow rule with a wildcard lets through: the grammar proposes calls, and the engine says what they do. */
import { tableOf } from '../../command/grammar/lookup.js';
import type { OptionRule } from '../../command/grammar/option-rule.js';
import type { CommandTable } from '../../command/grammar/table.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { programOf } from '../claude-rules/open-command.js';

export interface WorstCall {
  readonly command: string;
  /** What it does, as a sentence of the grammar. */
  readonly does: string;
  /** An option that does it; null if the command itself does. */
  readonly option: {
    /** Another spelling that a rule stops. */
    readonly stopped: string | null;
    /** It deletes or changes settings, so that a person should be asked; others are rarely meant by anyone. */
    readonly isForGood: boolean;
    /** It writes a file, and runs nothing. */
    readonly onlyWrites: boolean;
    /** The beginnings of all options that do as much; a rule that stops these stops every such call. */
    readonly beginnings: readonly string[];
  } | null;
}

/** How calls are judged. */
interface Judging {
  /** Whether the file as a whole lets a call run. */
  readonly isAllowed: (command: string) => boolean;
  /** Whether an ask or deny rule of the file is about a call. */
  readonly isStopped: (command: string) => boolean;
  /** The answer of a careful policy. */
  readonly decide: (command: string) => Decision;
}

/** Examples of values and operands: a file that git runs, a program, a setting that names one. */
const WRITTEN = '.git/hooks/pre-commit';
const PROGRAM = 'sh';
const SETTING = 'core.pager sh';

/**
 * Returns the worst call that begins with these words.
 * @returns null if none is bad, or if what follows the words is not known
 */
export function worstCall(words: readonly string[], judging: Judging): WorstCall | null {
  const table = tableFor(words);
  if (table === null || words.some((word) => /[*?]|^--?dry-run/.test(word))) return null;
  return (
    byItself(words, table, judging) ??
    byOption(words, table, judging) ??
    bySetting(words, table, judging) ??
    bySpelling(words, table, judging)
  );
}

/** Returns the grammar of the command or subcommand that the words name. */
function tableFor([first = '', ...others]: readonly string[]): CommandTable | null {
  let table = tableOf(programOf(first));
  for (const word of others) {
    if (table === null || word.startsWith('-')) break;
    table = table.subcommand === null ? table : table.subcommand(word);
  }
  return table;
}

/** A command that publishes, or that deletes elsewhere. */
function byItself(words: readonly string[], table: CommandTable, judging: Judging): WorstCall | null {
  const actions = new Set(table.effects.map(({ action }) => action));
  const isBad = actions.has('publish') || (actions.has('delete') && actions.has('network'));
  if (!isBad || table.rating === 'harmless' || table.work !== false) return null;
  const command = `${words.join(' ')} x`;
  return isTrue(command, table.code, judging) ? { command, does: table.reason, option: null } : null;
}

/** A setting that names a program, written without an option: `git config core.pager sh`. */
function bySetting(words: readonly string[], table: CommandTable, { isAllowed, decide }: Judging): WorstCall | null {
  const setting = [...table.options.values()].find(({ effects }) => effects.includes('configure') && effects.includes('execute'));
  const command = `${words.join(' ')} ${SETTING}`;
  const isBad = setting !== undefined && isAllowed(command) && decide(command).decision !== 'allow';
  return isBad ? { command, does: setting.reason, option: null } : null;
}

/** An option that a rule beside this one stops in one spelling only: `git commit -n` beside a rule against `--no-verify`. */
function bySpelling(words: readonly string[], table: CommandTable, { isAllowed, isStopped }: Judging): WorstCall | null {
  const spellings = new Map<OptionRule, string[]>();
  for (const [spelling, rule] of table.options)
    if (rule.arity === 'none' && rule.rating !== 'harmless') spellings.set(rule, [...(spellings.get(rule) ?? []), spelling]);
  for (const [rule, own] of spellings) {
    const stopped = own.find((spelling) => isStopped(`${words.join(' ')} ${spelling}`));
    const open = own.find((spelling) => isAllowed(`${words.join(' ')} ${spelling}`));
    if (stopped === undefined || open === undefined) continue;
    const option = { stopped, isForGood: false, onlyWrites: false, beginnings: [open] };
    return { command: `${words.join(' ')} ${open}`, does: rule.reason, option };
  }
  return null;
}

function byOption(words: readonly string[], table: CommandTable, judging: Judging): WorstCall | null {
  // What runs the project's own code does as much without any option.
  if (table.work !== false || table.effects.some(({ action }) => action === 'execute')) return null;
  const publishes = table.effects.some(({ action }) => action === 'publish');
  const spellings = new Map<OptionRule, string[]>();
  // `find -exec` takes more words than one.
  for (const [spelling, rule] of table.options)
    if (badness(rule, publishes) > 0 && !(rule.kind === 'command' && /^-\w\w/.test(spelling)))
      spellings.set(rule, [...(spellings.get(rule) ?? []), spelling]);
  const options = [...spellings].sort(([left], [right]) => badness(right, publishes) - badness(left, publishes));
  // A remote that stands in the rule is not written again: it would be taken for a branch.
  const given = words.filter((word, index) => index > 1 && !word.startsWith('-')).length;
  const operand = table.operands?.list[0]?.kind === 'git-remote' ? ['origin', 'main'].slice(given).join(' ') : 'x';
  for (const [rule, own] of options) {
    let stopped: string | null = null;
    for (const spelling of own.sort((left, right) => right.length - left.length))
      for (const command of callsWith(words.join(' '), spelling, rule, operand)) {
        if (!judging.isAllowed(command)) stopped ??= spelling;
        else if (isTrue(command, rule.code, judging)) {
          const isForGood = rule.effects.includes('delete') || rule.effects.includes('configure');
          const onlyWrites = rule.effects.includes('write') && !rule.effects.includes('execute');
          const beginnings = options.flatMap(([, others]) => others.map((one) => beginningOf(one, table)));
          return { command, does: rule.reason, option: { stopped, isForGood, onlyWrites, beginnings } };
        }
      }
  }
  return null;
}

/** How bad an option is: it runs or writes what the caller names, it deletes for good, it changes settings; 0 for all others. */
function badness({ rating, arity, kind, effects }: OptionRule, publishes: boolean): number {
  if (effects.includes('delete') && publishes) return 5;
  const takes = arity !== 'none' && arity !== 'greedy' && (kind === 'path' || kind === 'command');
  if (rating === 'refuse' && takes && effects.includes('execute')) return 4;
  if (rating === 'refuse' && takes && effects.includes('write')) return 3;
  if (rating === 'harmless') return 0;
  return effects.includes('delete') && rating === 'refuse'
    ? 2
    : effects.includes('configure') && effects.includes('execute')
      ? 1
      : 0;
}

/** Calls with an option, before and behind an operand, its value in the same word and in the next. */
function callsWith(words: string, spelling: string, { kind, arity, effects }: OptionRule, operand: string): readonly string[] {
  const value = kind === 'command' ? PROGRAM : effects.includes('write') ? WRITTEN : 'x';
  const forms =
    arity === 'none'
      ? [spelling]
      : [
          ...(spelling.startsWith('--') ? [`${spelling}=${value}`] : []),
          ...(arity === 'required' ? [`${spelling} ${value}`] : []),
        ];
  if (effects.includes('configure')) return forms.map((form) => `${words} ${form} ${SETTING}`);
  return forms
    .flatMap((form) => (arity === 'none' ? [`${words} ${form} ${operand}`] : [`${words} ${form}`]))
    .concat(forms.map((form) => `${words} ${operand} ${form}`))
    .map((call) => call.replace(/ {2,}/g, ' ').trim());
}

/** Whether the file allows the call, and the engine would not, for this very reason. */
function isTrue(command: string, code: string, { isAllowed, decide }: Judging): boolean {
  if (!isAllowed(command)) return false;
  const { decision, reasons } = decide(command);
  return decision !== 'allow' && reasons.some((reason) => reason.code === code);
}

/** The shortest beginning of a long option that no other option has: programs take it for the whole. */
function beginningOf(spelling: string, table: CommandTable): string {
  if (!spelling.startsWith('--')) return spelling;
  const others = [...table.options].map(([other]) => other).filter((other) => other !== spelling);
  for (let length = 4; length < spelling.length; length++) {
    const beginning = spelling.slice(0, length);
    if (!others.some((other) => other.startsWith(beginning))) return beginning;
  }
  return spelling;
}
