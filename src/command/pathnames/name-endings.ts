/** How all names end that a pattern of names fits: `*.ts`, `src/**\/*.{ts,tsx}`. */
import type { ShellWord } from '../../shell/syntax/types.js';

/** The ends, in lower case; null where there is no pattern, or one that says nothing of the end. */
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

/** What the shell may put in the place of such a pattern ends as it does. Ends in a star, plain characters and a dot with an ending, or several in braces. */
const ENDING = /^([\w./*-]*\*)([\w-]*\.(?:[\w.-]*[A-Za-z0-9])?)(?:\{([A-Za-z0-9]+(?:,[A-Za-z0-9]+)*)\})?$/;

const PLAIN = /^[\w.-]{1,100}$/;

/** Words of find with which a test is one of several. */
const JOINERS: ReadonlySet<string> = new Set(['-o', '-or', ',', '(', ')']);
/** Of a longer `find` nothing is said: each of many that stand in one another would look at all words of the others. */
const MOST_WORDS = 64;
const ACTIONS = /^-(?:print|exec|ok|delete|ls|fprint|fls|quit|prune)/;

/** How the names end that a `find` prints or hands on: those that a test of names before its first action lets through. */
export function soughtEndings(argv: readonly ShellWord[]): readonly string[] | null {
  if (argv.length > MOST_WORDS || argv.some(({ value }) => value === null || JOINERS.has(value))) return null;
  for (const [at, { value }] of argv.entries()) {
    if (ACTIONS.test(value ?? '')) return null;
    if (value !== '-name' && value !== '-iname') continue;
    const before = argv[at - 1]?.value;
    const name = argv[at + 1]?.value ?? null;
    // A name without wildcards is the end of itself.
    const endings = name !== null && PLAIN.test(name) ? [name.toLowerCase()] : endingsOf([name]);
    if (before === '!' || before === '-not') continue;
    if (endings !== null) return endings;
  }
  return null;
}
