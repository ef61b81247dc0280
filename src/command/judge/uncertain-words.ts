/** Words that cannot be analysed: before each is read, notes what it could become. */

import { shownText } from '../../shell/syntax/shown-text.js';
import type { FoundNames, ShellWord } from '../../shell/syntax/types.js';
import { type Evaluation, raise } from '../grammar/evaluation.js';
import { hasRisk, onlyReads } from '../grammar/option-risk.js';
import { takesManyTexts } from './data-words.js';
import { isPlace } from './provenance.js';

const HYPHEN = 45;
const LONG = '--';

/** Notes a word that cannot be analysed, or that could become an option. */
export function noteUncertain(judgement: Evaluation, word: ShellWord, index: number): void {
  if (word.value !== null && !word.glob) return;
  if (isHarmlessValue(judgement, word)) return;
  const first = word.literalPrefix.charCodeAt(0);
  // File names that begin with a hyphen become options; where no option does harm, this does not matter (`ls *.md`).
  if (word.value !== null && Number.isNaN(first) && judgement.table.subcommand === null && !hasRisk(judgement.table)) return;
  if (word.value !== null && Number.isNaN(first) && onlyReads(judgement.table)) {
    // Facts tell whether such a file exists.
    judgement.conditions.push({ kind: 'plain-names', names: FOLDER, hyphen: true, word: index });
    return;
  }
  if (first === HYPHEN || Number.isNaN(first)) {
    raise(
      judgement,
      {
        rating: 'unknown',
        code: 'word/may-become-option',
        message: `${shownText(word.text)} could become an option; ${remedy(word)}.`,
      },
      index,
    );
  } else if (word.value === null) raiseDynamic(judgement, index);
}

/** How to make a word certain enough; an unquoted expansion may also be split. */
function remedy({ text }: ShellWord): string {
  return text.startsWith('$')
    ? `write "${shownText(text)}", or put that after --`
    : 'put it after -- or start it with ./ or another certain text';
}

/** The names in the current directory, as a glob lists them. */
const FOLDER: FoundNames = { roots: [], bare: true, split: false, many: true, from: ['folder'] };

/** `$HOME/x` without quotes: the shell splits it at blanks, and expands a path that is not plain. */
export function requirePlainWord(judgement: Evaluation, word: ShellWord, index: number): void {
  if (word.data === 'several' && isPlace(word) && !takesManyTexts(judgement.table))
    judgement.conditions.push({ kind: 'plain-place', path: word, word: index });
}

/** `--include=*.ts`: files with such names could only repeat the same option with another harmless value. */
function isHarmlessValue(judgement: Evaluation, word: ShellWord): boolean {
  const prefix = word.literalPrefix;
  if (word.value === null || !prefix.startsWith(LONG)) return false;
  const equals = prefix.indexOf('=');
  const rule = equals < 0 ? undefined : judgement.table.options.get(prefix.slice(0, equals));
  if (rule === undefined || rule.arity === 'none' || rule.rating !== 'harmless') return false;
  return rule.kind === 'text' && rule.checks.length === 0 && rule.effects.length === 0;
}

export function raiseDynamic(judgement: Evaluation, index: number): void {
  const shown = shownText(judgement.invocation.argv[index]?.text ?? 'this word');
  const message = `Only the shell knows the value of ${shown}; write it out.`;
  raise(judgement, { rating: 'unknown', code: 'word/dynamic', message }, index);
}
