/** What xargs makes of its standard input: the arguments that it gives to the command it runs. */
import type { FoundNames, ShellRedirection } from '../../shell/syntax/types.js';
import type { Appended } from '../model/words.js';
import type { Surroundings } from './found.js';
import type { OptionUse } from './options.js';

const NUL = new Set(['-0', '--null']);
const DELIMITER = new Set(['-d', '--delimiter']);
const NOT_EMPTY = new Set(['-r', '--no-run-if-empty']);
/** The input is a file instead; `-J` replaces one word by several, and only on BSD. */
const OTHERWISE = new Set(['-a', '--arg-file', '-J']);

/** The arguments behind the words of the command. */
export function xargsAppends(uses: readonly OptionUse[], around: Surroundings): Appended {
  const certain = uses.some(({ option, role }) => NOT_EMPTY.has(option) || role === 'replace' || role === 'replace-attached');
  const processes = around.processes === true && around.appended === null && around.redirections.every(leavesInput);
  const readsInput = !uses.some(({ option }) => OTHERWISE.has(option));
  return {
    prefix: '',
    names: namesTaken(uses, around),
    ...(processes && readsInput && { processes }),
    certain,
    span: around.span,
  };
}

/**
 * The names that the arguments are, null when they may be anything else. Only NUL keeps every name whole: blanks and line ends part
 * arguments, quotes and backslashes vanish, so that `a /etc/x` becomes two and `.""./x` climbs. Whether there are such names facts must tell.
 */
export function namesTaken(uses: readonly OptionUse[], { input, appended, redirections }: Surroundings): FoundNames | null {
  if (input === null || appended !== null || !redirections.every(leavesInput)) return null;
  if (uses.some(({ option }) => OTHERWISE.has(option))) return null;
  const delimiter = uses.findLast(({ option }) => DELIMITER.has(option) || NUL.has(option));
  const ends = delimiter === undefined ? 'blank' : endOf(delimiter);
  // Ends that are not those of the names: one argument would hold them all, or a part of one.
  if (ends === null || (ends === 'nul') !== input.nul) return null;
  const { roots, bare, from, endings, unhidden } = input;
  return { roots, bare, from, endings, unhidden, split: ends !== 'nul', many: true };
}

/** Whether the standard input stays what it was. */
function leavesInput({ direction, descriptor, operator }: ShellRedirection): boolean {
  return direction === 'write' || (direction === 'duplicate' && operator === '>&' && descriptor !== 0);
}

function endOf({ option, value }: OptionUse): 'nul' | 'line' | null {
  if (NUL.has(option) || value?.value === '\\0') return 'nul';
  return value?.value === '\\n' || value?.value === '\n' ? 'line' : null;
}
