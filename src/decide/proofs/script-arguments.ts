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

/** Whether none of these words, however a script hands them on, is a command that does more than test and build. */
export function areHarmlessArguments(words: readonly string[]): boolean {
  let isValue = false;
  for (const word of words) {
    if (word === '--') isValue = false;
    else if (word.startsWith('-')) {
      const equals = word.indexOf('=');
      if (!/^-[\w-]*$/.test(equals < 0 ? word : word.slice(0, equals)) || (equals >= 0 && !isText(word.slice(equals + 1))))
        return false;
      isValue = equals < 0;
    } else if (isValue) {
      if (!isText(word)) return false;
      isValue = false;
    } else if (!VERBS.has(word) && !/^\d+$/.test(word) && !isFile(word)) return false;
  }
  return true;
}

/** A program that a project has installed is none of its files. */
function isFile(word: string): boolean {
  return PLAIN.test(word) && (word.includes('/') || ENDING.test(word)) && !isInstalled(word);
}

/** Text without a sign that shells know, which does not begin like a command. */
function isText(text: string): boolean {
  const [first = ''] = text.trim().split(' ');
  return TEXT.test(text) && (VERBS.has(first) || (tableOf(first) === null && wrapperOf(first) === undefined));
}
