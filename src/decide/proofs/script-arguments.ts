/**
 * What a script of the project may be given. Many run what they are given (`exec "$@"`, `dotenv --`), so nothing may stand where a command
 * would that a shell could find as one: options with plain values, files, numbers, and words by which people tell a script what to do.
 */
import { tableOf } from '../../command/grammar/lookup.js';
import { wrapperOf } from '../../command/wrappers/rules.js';
import { isInstalled } from '../remedy/dispatchers.js';

/** Programs of none of these names change anything. */
const VERBS: ReadonlySet<string> = new Set(
  (
    'all build check ci compile coverage dev docs e2e fmt format generate help info integration lint list report serve server show ' +
    'status test tests typecheck types unit validate verify version'
  ).split(' '),
);
const ENDING =
  /\.(?:tsx?|[mc]?jsx?|py|rb|go|rs|java|kt|php|sh|json|ya?ml|toml|md|txt|html|s?css|vue|svelte|sql|xml|csv|lock|cfg|ini|proto|tf|[ch](?:pp|s)?|exs?|swift)$/;
const PLAIN = /^[\w.,:/@+[\]-]+$/;
const TEXT = /^[\w .,:/@+-]*$/;

/** Options by which a test, or what a person reads, is named: by several words, too. */
const NAMING = /^(?:-[tkg]|--(?:grep|name|title|filter|message|description|testNamePattern|test-name-pattern))$/;

/** Whether none of these words, however a script hands them on, is a command that does more than test and build. */
export function areHarmlessArguments(words: readonly string[]): boolean {
  let option: string | null = null;
  for (const word of words) {
    if (word === '--') option = null;
    else if (word.startsWith('-')) {
      const [, name = '', value = null] = /^(-[\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
      if (name === '' || (value !== null && !isValueOf(name, value))) return false;
      option = value === null ? name : null;
    } else if (option !== null) {
      if (!isValueOf(option, word)) return false;
      option = null;
    } else if (!isHarmless(word)) return false;
  }
  return true;
}

function isHarmless(word: string): boolean {
  return VERBS.has(word) || /^\d+$/.test(word) || isFile(word);
}

/** A program that a project has installed is none of its files. */
function isFile(word: string): boolean {
  return PLAIN.test(word) && (word.includes('/') || ENDING.test(word)) && !isInstalled(word);
}

/** Behind an option of one letter (`sh -c`) a word may be a command itself. */
function isValueOf(option: string, value: string): boolean {
  if (isHarmless(value)) return true;
  const isNaming = NAMING.test(option);
  const [first = ''] = value.trim().split(' ');
  if (!TEXT.test(value) || tableOf(first) !== null || wrapperOf(first) !== undefined) return false;
  return isNaming || (option.startsWith('--') && !value.includes(' '));
}
