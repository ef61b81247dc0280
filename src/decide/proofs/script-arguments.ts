/**
 * Permitted arguments of a project script. Many scripts run their arguments (`exec "$@"`, `dotenv --`), so no word may be one
 * that a shell could find as a command: only options with plain values, files, numbers, and words that are not program names.
 */

import { isInstalled, takesCode } from '../../command/model/dispatchers.js';
import { isNameOfProgram, nameIn } from '../flow/program-names.js';
import type { Facts } from '../ruling/facts.js';

/** Words for which no program of the same name changes anything. */
const VERBS: ReadonlySet<string> = new Set(
  (
    'all build check ci compile coverage dev docs e2e fmt format generate help info integration lint list report serve server show ' +
    'status test tests typecheck types unit validate verify version localhost 127.0.0.1'
  ).split(' '),
);
const ENDING =
  /\.(?:tsx?|[mc]?jsx?|py|rb|go|rs|java|kt|php|sh|json|ya?ml|toml|md|txt|html|s?css|vue|svelte|sql|xml|csv|lock|cfg|ini|proto|tf|[ch](?:pp|s)?|exs?|swift)$/;
const PLAIN = /^[\w.,:/@+[\]-]+$/;
const TEXT = /^[\w .,:/@+-]*$/;

/** Options whose value names a test or is text for people; it may have several words. */
const NAMING = /^(?:-[tkg]|--(?:grep|name|title|filter|message|description|testNamePattern|test-name-pattern))$/;

/** Whether none of these words, however a script passes them on, is a command that does more than test and build. */
export function areHarmlessArguments(words: readonly string[], { programs }: Pick<Facts, 'programs'>): boolean {
  /** `init` as a subcommand, as in most tools; the program of that name takes a run level. */
  const isInit = (word: string) => word === 'init' && !words.some((one) => /^[\da-z]$/i.test(one));
  const isVerb = (word: string) => VERBS.has(word) && (SYSTEMS.test(word) || programs?.[word] !== true);
  const isHarmless = (word: string) =>
    isVerb(word) || isInit(word) || /^\d+$/.test(word) || isFile(word) || isNoProgram(word, programs);
  /** After an option with one letter (`sh -c`), a word may itself be a command. */
  const isValueOf = (option: string, value: string) => {
    if (isHarmless(value)) return true;
    const name = nameIn(value);
    if (!TEXT.test(value) || name === null || isNameOfProgram(name) || programs?.[name] === true) return false;
    return NAMING.test(option) || (option.startsWith('--') && !value.includes(' '));
  };
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

/** Systems have programs with these names, which only print information. */
const SYSTEMS = /^(?:test|info|help)$/;

/** A program installed in the project is not one of its files, nor is a program that takes code or tasks. */
function isFile(word: string): boolean {
  if (word === '.') return true;
  const name = word.slice(word.lastIndexOf('/') + 1);
  return PLAIN.test(word) && (word.includes('/') || ENDING.test(word)) && !isInstalled(word) && !takesCode(name);
}

/** Whether a look-up found no program with this name; an address may be that of another machine. */
function isNoProgram(word: string, programs: Facts['programs']): boolean {
  return PLAIN.test(word) && programs?.[word] === false && !isNameOfProgram(word) && !ADDRESS.test(word);
}

const ADDRESS = /@|(?<![\d.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\[.*:.*\]/;
