/** Judges one option value or operand by its kind: built-in checks, checks of the grammar, effects and conditions. */

import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { judgeGhValue } from '../git/gh-values.js';
import { isGitKind, judgeGitValue } from '../git/values.js';
import { addEffect, type Evaluation, type PlacedValue, raisePlaced, touchPath } from '../grammar/evaluation.js';
import type { Kind } from '../grammar/file.js';
import { awkPrintsOnly } from '../languages/awk-program.js';
import { filterComputesOnly } from '../languages/jq-filter.js';
import { formatPrintsOnly } from '../languages/printf-format.js';
import { printsOnly } from '../languages/sed-script.js';
import { takesFiles, touchNames } from './consumers.js';
import { printsOperands, takesAnyText } from './data-words.js';
import { isNumericWord, judgeOrigin } from './provenance.js';

/** `5`, `-5`, `+3`, `1.5`, `10k`. */
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?[A-Za-z]{0,3}$/;

/** `https://host/file`, where a file is expected. */
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** Whether a value is a number as programs accept it, with sign, fraction or unit. */
export function isNumber(value: string): boolean {
  return NUMBER.test(value);
}

/** Whether a kind names files, so that a glob or `~` is possible. */
export function isPathKind(kind: Kind): boolean {
  return kind === 'path' || kind === 'git-pathspec' || kind === 'git-revision-or-pathspec';
}

/** Judges a word by the rule of its option or position. */
export function judgeValue(judgement: Evaluation, place: PlacedValue): void {
  const { rule, word, index } = place;
  const { value } = word;
  if ((word.data !== undefined || word.names !== undefined) && takesAnyText(rule)) return;
  if (word.data !== undefined && judgeOrigin(judgement, place)) return;
  if (word.names !== undefined && takesFiles(rule)) {
    touchNames(judgement, place, word.names);
    return;
  }
  if ((word.data !== undefined || word.names !== undefined) && (value === null || !isPathKind(rule.kind)))
    raiseUnknown(judgement, place);
  if (value === null) {
    // The uncertainty itself was noted when the word was read.
    if (rule.kind === 'url') addEffect(judgement, 'network', word, false, index);
    const recursive = rule.recursive || (place.option === null && judgement.recursive);
    for (const action of rule.effects) addEffect(judgement, action, isPathKind(rule.kind) ? word : null, recursive, index);
    return;
  }
  if (word.glob && place.option === null && takesAnyText(rule) && printsOperands(judgement.table)) {
    // The shell lists the matching files.
    judgement.effects.push({ action: 'read', path: word, recursive: false, listing: true, span: word.span });
    return;
  }
  if ((word.glob || word.tilde) && !isPathKind(rule.kind)) raiseExpanded(judgement, place);
  for (const check of rule.checks)
    if (check.applies(value)) raisePlaced(judgement, place, check.rating, check.code, check.reason);
  if (rule.kind === 'path') judgePlain(judgement, place, value);
  else if (isGitKind(rule.kind)) judgeGitValue(judgement, place, rule.kind, value);
  else if (rule.kind.startsWith('gh-')) judgeGhValue(judgement, place, value);
  else judgePlain(judgement, place, value);
}

function judgePlain(judgement: Evaluation, place: PlacedValue, value: string): void {
  const { rule, word, index } = place;
  if (rule.kind === 'path') {
    if (!rule.dash || value !== '-') touchPath(judgement, place, word);
    // Many programs accept a URL in place of a file, and fetch it; no path looks like this.
    if (value.includes('://') && ADDRESS.test(value)) addEffect(judgement, 'network', word, false, index);
    return;
  }
  if (rule.kind === 'number' && !isNumber(value))
    raisePlaced(judgement, place, 'unknown', 'value/number', 'A number is needed here.');
  if ((rule.kind === 'sed-script' && !printsOnly(value)) || (rule.kind === 'awk-program' && !awkPrintsOnly(value))) {
    const reason = 'This script is not known to print only; scripts can write files and run commands.';
    raisePlaced(judgement, place, 'care', `${judgement.table.code}/script`, reason);
    addEffect(judgement, 'write', null, false, index);
    addEffect(judgement, 'execute', null, false, index);
  }
  if (rule.kind === 'printf-format' && !formatPrintsOnly(value, behind(judgement, index))) {
    const reason =
      'This format, or an argument that it takes for a number, is not known to print only; either can set a variable.';
    raisePlaced(judgement, place, 'care', `${judgement.table.code}/format`, reason);
  }
  if (rule.kind === 'jq-filter' && !filterComputesOnly(value)) {
    const reason = 'A word of this filter is not known to compute only; filters can read the environment and other files.';
    raisePlaced(judgement, place, 'care', `${judgement.table.code}/filter`, reason);
  }
  // Noted so that rules about domains can see the address.
  if (rule.kind === 'url') addEffect(judgement, 'network', word, false, index);
  for (const action of rule.effects) addEffect(judgement, action, null, rule.recursive, index);
}

/** The values of the operands after a word; an unknown number is as good as any. */
function behind({ operands }: Evaluation, index: number): (string | null)[] {
  const certainValue = (word: ShellWord) => (isNumericWord(word) ? '0' : word.glob ? null : word.value);
  return operands.flatMap((operand) => (operand.index > index ? [certainValue(operand.word)] : []));
}

function raiseUnknown(judgement: Evaluation, place: PlacedValue): void {
  const reason = `Only the shell knows the value of ${shownText(place.word.text)}; write it out.`;
  raisePlaced(judgement, place, 'unknown', 'word/dynamic', reason);
}

function raiseExpanded(judgement: Evaluation, place: PlacedValue): void {
  const reason = `The shell would expand ${shownText(place.word.text)}, where one certain word is needed; quote it.`;
  raisePlaced(judgement, place, 'unknown', 'word/dynamic', reason);
}
