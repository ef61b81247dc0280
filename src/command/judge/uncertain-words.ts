/** Words whose text only the shell knows: what each could turn into is noted before it is read. */

import { shownText } from '../../shell/syntax/shown-text.js';
import type { FoundNames, ShellWord } from '../../shell/syntax/types.js';
import { type Evaluation, raise } from '../grammar/evaluation.js';
import { hasRisk, onlyReads } from '../grammar/option-risk.js';
import { takesManyTexts } from './data-words.js';
import { isPlace } from './provenance.js';

const HYPHEN = 45;
const LONG = '--';

/** Notes a word that only the shell knows, or that could turn into an option. */
export function noteUncertain(judgement: Evaluation, word: ShellWord, index: number): void {
  if (word.value !== null && !word.glob) return;
  if (isHarmlessValue(judgement, word)) return;
  const first = word.literalPrefix.charCodeAt(0);
  // File names that begin with a hyphen turn into options; where no option does harm, that is no concern (`ls *.md`).
  if (word.value !== null && Number.isNaN(first) && judgement.table.subcommand === null && !hasRisk(judgement.table)) return;
  if (word.value !== null && Number.isNaN(first) && onlyReads(judgement.table)) {
    // Whether there is a file of such a name facts tell.
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

/** What makes a word certain enough; an expansion without quotes may also fall apart. */
function remedy({ text }: ShellWord): string {
  return text.startsWith('$')
    ? `write "${shownText(text)}", or put that after --`
    : 'put it after -- or start it with ./ or another certain text';
}

/** The names of what is in the current folder, as a glob gives them. */
const FOLDER: FoundNames = { roots: [], bare: true, split: false, many: true, from: ['folder'] };

/** `$HOME/x` without quotes: the shell splits it at blanks, and expands what is no plain path. */
export function requirePlainWord(judgement: Evaluation, word: ShellWord, index: number): void {
  if (word.data === 'several' && isPlace(word) && !takesManyTexts(judgement.table))
    judgement.conditions.push({ kind: 'plain-place', path: word, word: index });
}

/** `--include=*.ts`: files of such names could only turn it into the same option once more, with another harmless value. */
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
