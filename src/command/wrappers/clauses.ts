/** Inner commands between the wrapper's own words: `find … -exec CMD {} ;`, `fd … -x CMD`. */
import type { FoundNames, Opaque, ShellWord, Span } from '../../shell/syntax/types.js';
import { type Appended, isCertain, opaqueReason, replaceIn, spanOf, staticWord } from '../model/words.js';
import { soughtEndings } from '../pathnames/name-endings.js';
import type { Inner, Surroundings, Unwrapped } from './found.js';
import type { ClauseRule } from './rules.js';

/** One clause: the words between its start and its end. */
interface Clause {
  readonly start: ShellWord;
  readonly words: readonly ShellWord[];
  /** Index after the clause. */
  readonly next: number;
  readonly closed: boolean;
}

/**
 * All clauses of `argv`, and the words that remain for the wrapper's own grammar. A clause without an end is an error of the
 * wrapper, or not a clause (`find -name -exec`): it stays among the own words too.
 */
export function readClauses(
  argv: readonly ShellWord[],
  rule: ClauseRule,
  around: Surroundings,
): Pick<Unwrapped, 'inner' | 'opaque' | 'appends' | 'own'> {
  const inner: Inner[] = [];
  const opaque: Opaque[] = [];
  const own: ShellWord[] = [];
  const clauses: Clause[] = [];
  for (let index = 0; index < argv.length; ) {
    const word = argv[index];
    if (word === undefined) break;
    if (index === 0 || !isCertain(word) || !rule.starts.has(word.value)) {
      own.push(word);
      index += 1;
      continue;
    }
    const clause = { start: word, ...readClause(argv, index, rule) };
    if (!clause.closed) {
      opaque.push(opaqueReason('unknown-construct', 'The end of an inner command is missing.', word.span));
      own.push(...argv.slice(index, clause.next));
    }
    if (clause.words.length === 0) opaque.push(opaqueReason('dynamic-command', 'An inner command is missing.', word.span));
    else clauses.push(clause);
    index = clause.next;
  }
  if (clauses.length === 0) return { inner, opaque, appends: around.appended, own };
  const local = argv.some((word) => word.value !== null && rule.local.has(word.value));
  const appends = foundNames(argv, own, rule, local, around);
  for (const clause of clauses) inner.push(innerOfClause(clause, rule, appends.names));
  return { inner, opaque, appends, own };
}

function readClause(argv: readonly ShellWord[], start: number, rule: ClauseRule): Omit<Clause, 'start'> {
  const open = rule.batch.length === 0;
  for (let index = start + 1; index < argv.length; index += 1) {
    const value = argv[index]?.value;
    const batch = !open && value === rule.batch[1] && argv[index - 1]?.value === rule.batch[0] && index - 1 > start;
    if (value === rule.until || batch) return { words: argv.slice(start + 1, index), next: index + 1, closed: true };
  }
  // Without a batch form, the end of the line ends the clause (fd).
  return { words: argv.slice(start + 1), next: argv.length, closed: open };
}

function innerOfClause(clause: Clause, rule: ClauseRule, names: FoundNames | null): Inner {
  const local = rule.local.has(clause.start.value ?? '');
  return {
    form: 'words',
    words: replaceIn(clause.words, { texts: rule.replace, names }),
    assignments: [],
    directory: local ? null : [],
    certain: clause.closed,
  };
}

/**
 * What is known about the names that are found: those of find begin with a starting point, which is never an option. Unknown when
 * a starting point is not static, when the names come from a file, or when a clause runs in the directory of the file.
 */
function foundNames(
  argv: readonly ShellWord[],
  own: readonly ShellWord[],
  rule: ClauseRule,
  local: boolean,
  around: Surroundings,
): Appended {
  const span = spanOf(argv, around.span);
  const fromFile = argv.some((word) => (word.value ?? word.literalPrefix).startsWith('-files0-from'));
  const known = rule.prefixed && !local && !fromFile;
  // Each name is a separate argument, and no command runs without one.
  const starting = known && around.appended === null ? startingNames(own, span) : null;
  const names = starting === null ? null : { ...starting, endings: soughtEndings(argv) };
  return { prefix: known ? startingPrefix(argv) : '', names, certain: true, span };
}

/** The starting points that every name begins with; null when one of them is not certain, or may be read as something else. */
function startingNames(own: readonly ShellWord[], span: Span): FoundNames | null {
  const roots: ShellWord[] = [];
  for (const word of own.slice(1)) {
    const text = word.value ?? word.literalPrefix;
    if (text === '-H' || text === '-P') continue;
    // `-L`, `--` and anything else that may precede the starting points.
    if (roots.length === 0 && /^-(?:[LDOf-]|files0)/.test(text)) return null;
    if (/^[-(!,]/.test(text)) break;
    if (!isCertain(word) || text === '' || text.startsWith(':') || word.tilde) return null;
    roots.push(word);
  }
  if (roots.length === 0) roots.push(staticWord('.', span));
  return { roots, bare: false, split: false, many: true, from: ['tree'] };
}

/** The common prefix of all starting points; `./` if there are none. */
function startingPrefix(argv: readonly ShellWord[]): string {
  let common: string | null = null;
  for (const word of argv.slice(1)) {
    const text = word.value ?? word.literalPrefix;
    if (text === '-H' || text === '-L' || text === '-P') continue;
    if (/^[-(!,]/.test(text)) break;
    common = common === null ? word.literalPrefix : commonPrefix(common, word.literalPrefix);
  }
  return common ?? './';
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
