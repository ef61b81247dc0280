/** Commands that print only process IDs: `lsof -ti :3000`, `pgrep -f vite`, `ps aux | grep x | awk '{print $2}'`. */

type Words = readonly string[] | null;

/** Options of `lsof` that add nothing to its output; with `-t` it prints only process IDs. */
const LSOF = /^(?:-[abnPlRUwt]*(?:i\S*)?|-s(?:TCP|UDP):\^?[\w,]+)$/;
const TERSE = /^-[abnPlRUw]*t/;
/** Options of `pgrep`; `-l`, `-a` and `-c` print more than process IDs or something else, `-d` puts a string between them. */
const PGREP = /^(?:-[fionxuPUgGstA]+|--(?:full|exact|newest|oldest|ignore-case|inverse))$/;
/** Arguments of `ps` that list all processes with their IDs in the second column. */
const ALL_PROCESSES = /^(?:-?a?ux{1,2}w{0,2}|-?axuw{0,2}|-efw{0,2}|-ef -?w{1,2})$/;
const SECOND_COLUMN = /^\{ ?print \$2;? ?\}$/;
/** Options of `grep` with which it only passes on whole lines. */
const GREP = /^-[vEFiwx]+$/;

/**
 * Whether the last command of a pipeline prints only process IDs, or nothing.
 * @param pipeline the words of each command; null for a command whose words are not certain
 */
export function printsProcesses(pipeline: readonly Words[]): boolean {
  const [first, ...rest] = pipeline;
  if (first == null) return false;
  const [name = '', ...words] = first;
  if (name === 'lsof') {
    const isTerse = words.some((word) => TERSE.test(word));
    return isTerse && words.every((word) => LSOF.test(word) || /^[\w:.@][\w:.,@-]*$/.test(word)) && rest.every(isFilter);
  }
  if (name === 'pgrep') return words.every((word) => PGREP.test(word) || !word.startsWith('-')) && rest.every(isFilter);
  if (name === 'pidof') return words.every((word) => /^\w[\w.-]*$/.test(word)) && rest.every(isFilter);
  if (name !== 'ps' || !ALL_PROCESSES.test(words.join(' '))) return false;
  const column = rest.findIndex((one) => one?.[0] === 'awk');
  const awk = rest[column] ?? null;
  return (
    awk?.length === 2 &&
    SECOND_COLUMN.test(awk[1] ?? '') &&
    rest.slice(0, column).every(isGrep) &&
    rest.slice(column + 1).every(isFilter)
  );
}

function isGrep(words: Words): boolean {
  const [name, ...rest] = words ?? [];
  return (
    (name === 'grep' || name === 'egrep' || name === 'fgrep') &&
    rest.filter(isText).length === 1 &&
    rest.every((word) => GREP.test(word) || isText(word))
  );
}

const isText = (word: string) => !word.startsWith('-');

/** Whether the command prints only some of its input lines, or all of them in another order. */
function isFilter(words: Words): boolean {
  const [name, ...rest] = words ?? [];
  const line = rest.join(' ');
  if (name === 'head' || name === 'tail') return /^(?:|-\d{1,6}|-n ?\d{1,6})$/.test(line);
  return (name === 'sort' && /^(?:-[nru]+)?$/.test(line)) || (name === 'uniq' && line === '');
}
