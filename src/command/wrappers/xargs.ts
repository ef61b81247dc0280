/** How xargs uses its standard input: the arguments for the command it runs. */
import type { FoundNames, ShellRedirection } from '../../shell/syntax/types.js';
import type { Appended } from '../model/words.js';
import type { Surroundings } from './found.js';
import type { OptionUse } from './options.js';

const NUL = new Set(['-0', '--null']);
const DELIMITER = new Set(['-d', '--delimiter']);
const NOT_EMPTY = new Set(['-r', '--no-run-if-empty']);
/** With these, the input is a file; or (`-J`, only on BSD) several words replace one. */
const OTHERWISE = new Set(['-a', '--arg-file', '-J']);

/** The arguments after the words of the command. */
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
 * The names that the arguments stand for; null when they may be anything else. Only NUL keeps every name whole: blanks and line
 * ends separate arguments, quotes and backslashes vanish, so that `a /etc/x` becomes two and `.""./x` leads out of the directory.
 * Facts must tell whether such names exist.
 */
export function namesTaken(uses: readonly OptionUse[], { input, appended, redirections }: Surroundings): FoundNames | null {
  if (input === null || appended !== null || !redirections.every(leavesInput)) return null;
  if (uses.some(({ option }) => OTHERWISE.has(option))) return null;
  const delimiter = uses.findLast(({ option }) => DELIMITER.has(option) || NUL.has(option));
  const ends = delimiter === undefined ? 'blank' : endOf(delimiter);
  // Separators other than those of the names: one argument would contain all names, or part of one.
  if (ends === null || (ends === 'nul') !== input.nul) return null;
  const { roots, bare, from, endings, unhidden } = input;
  return { roots, bare, from, endings, unhidden, split: ends !== 'nul', many: true };
}

/** Whether standard input stays unchanged. */
function leavesInput({ direction, descriptor, operator }: ShellRedirection): boolean {
  return direction === 'write' || (direction === 'duplicate' && operator === '>&' && descriptor !== 0);
}

function endOf({ option, value }: OptionUse): 'nul' | 'line' | null {
  if (NUL.has(option) || value?.value === '\\0') return 'nul';
  return value?.value === '\\n' || value?.value === '\n' ? 'line' : null;
}
