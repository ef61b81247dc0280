/**
 * What a script of the project may be given. Many run what they are given (`exec "$@"`, `dotenv --`), so nothing may stand where a command
 * would that a shell could find as one: options with plain values, files, numbers, and words that are no name of a program.
 */

import { isInstalled, takesCode } from '../../command/model/dispatchers.js';
import { isNameOfProgram, nameIn } from '../flow/program-names.js';
import type { Facts } from '../ruling/facts.js';

/** Programs of none of these names change anything. */
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

/** Options by which a test, or what a person reads, is named: by several words, too. */
const NAMING = /^(?:-[tkg]|--(?:grep|name|title|filter|message|description|testNamePattern|test-name-pattern))$/;

/** Whether none of these words, however a script hands them on, is a command that does more than test and build. */
export function areHarmlessArguments(words: readonly string[], { programs }: Pick<Facts, 'programs'>): boolean {
  /** `init` as most tools have it; the program of that name takes a run level. */
  const isInit = (word: string) => word === 'init' && !words.some((one) => /^[\da-z]$/i.test(one));
  const isVerb = (word: string) => VERBS.has(word) && (SYSTEMS.test(word) || programs?.[word] !== true);
  const isHarmless = (word: string) =>
    isVerb(word) || isInit(word) || /^\d+$/.test(word) || isFile(word) || isNoProgram(word, programs);
  /** Behind an option of one letter (`sh -c`) a word may be a command itself. */
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

/** Systems have programs of these names, and they only tell something. */
const SYSTEMS = /^(?:test|info|help)$/;

/** A program that a project has installed is none of its files, nor one that takes code or tasks. */
function isFile(word: string): boolean {
  if (word === '.') return true;
  const name = word.slice(word.lastIndexOf('/') + 1);
  return PLAIN.test(word) && (word.includes('/') || ENDING.test(word)) && !isInstalled(word) && !takesCode(name);
}

/** A word that nothing is called, where that was looked for; an address may be that of another machine. */
function isNoProgram(word: string, programs: Facts['programs']): boolean {
  return PLAIN.test(word) && programs?.[word] === false && !isNameOfProgram(word) && !ADDRESS.test(word);
}

const ADDRESS = /@|(?<![\d.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\[.*:.*\]/;
