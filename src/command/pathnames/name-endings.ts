/** How all names that match a pattern end: `*.ts`, `src/**\/*.{ts,tsx}`. */
import type { ShellWord } from '../../shell/syntax/types.js';

/** The endings, in lower case; null if there is no pattern, or one that does not determine the ending. */
export function endingsOf(patterns: readonly (string | null)[]): readonly string[] | null {
  if (patterns.length === 0) return null;
  const endings: string[] = [];
  for (const pattern of patterns) {
    const [, start = '', ending = '', list] = ENDING.exec(pattern ?? '') ?? [];
    if (start === '') return null;
    if (list === undefined) endings.push(ending.toLowerCase());
    else for (const one of list.split(',')) endings.push(`${ending}${one}`.toLowerCase());
  }
  return endings;
}

/** A pattern whose matches all end as it does: a star, plain characters and a dot with a file extension, or several in braces. */
const ENDING = /^([\w./*-]*\*)([\w-]*\.(?:[\w.-]*[A-Za-z0-9])?)(?:\{([A-Za-z0-9]+(?:,[A-Za-z0-9]+)*)\})?$/;

const PLAIN = /^[\w.-]{1,100}$/;

/** Words of find that make a test only one of several. */
const JOINERS: ReadonlySet<string> = new Set(['-o', '-or', ',', '(', ')']);
/** A `find` with more words than this is not analysed: many nested ones would each read all words of the others. */
const MOST_WORDS = 64;
const ACTIONS = /^-(?:print|exec|ok|delete|ls|fprint|fls|quit|prune)/;

/** The endings of the names that a `find` prints or passes on: those that a name test before its first action lets through. */
export function soughtEndings(argv: readonly ShellWord[]): readonly string[] | null {
  if (argv.length > MOST_WORDS || argv.some(({ value }) => value === null || JOINERS.has(value))) return null;
  for (const [at, { value }] of argv.entries()) {
    if (ACTIONS.test(value ?? '')) return null;
    if (value !== '-name' && value !== '-iname') continue;
    const before = argv[at - 1]?.value;
    const name = argv[at + 1]?.value ?? null;
    // A name without wildcards is its own ending.
    const endings = name !== null && PLAIN.test(name) ? [name.toLowerCase()] : endingsOf([name]);
    if (before === '!' || before === '-not') continue;
    if (endings !== null) return endings;
  }
  return null;
}
