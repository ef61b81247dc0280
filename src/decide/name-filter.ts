/** Which files a search reads by their names: `grep -r --include='*.ts' x .` never opens a `.env`. */
import type { Command } from '../command/command.js';
import { type GivenValue, givenValues } from '../command/grammar.js';
import { endingsOf, soughtEndings } from '../command/name-endings.js';
import { globMatch } from '../rule/wildcard.js';

/** The patterns of a search, of those kinds alone whose meaning every implementation agrees on. */
export interface NameFilter {
  /** Ends of the only names that are read, in lower case; null when all are read but those left out. */
  readonly endings: readonly string[] | null;
  /** Names, with stars, that are left out. */
  readonly without: readonly string[];
  /** Names of folders that are not entered. */
  readonly outside: readonly string[];
  /** A folder of such a name is read with all that is below it. */
  readonly through: boolean;
}

/** The filter of a command that searches trees; null when it has none, or none that can be told. */
export function searchFilter({ verdict, invocation, inner }: Command): NameFilter | null {
  const [name] = verdict.words;
  if (name === 'find') return inner.length === 0 ? null : foundFilter(soughtEndings(invocation.argv));
  if (name !== 'grep' && name !== 'rg') return null;
  const values = givenValues(invocation, name);
  if (values === null) return null;
  return name === 'grep'
    ? grepFilter(values)
    : patternFilter(values.flatMap(({ option, value }) => (GLOBS.has(option ?? '') ? [value] : [])));
}

const GLOBS: ReadonlySet<string> = new Set(['-g', '--glob', '--iglob']);

/** The last of grep's patterns that fits a name counts; a name that none fits is read unless the first of them is an `--include`. */
function grepFilter(values: readonly GivenValue[]): NameFilter | null {
  const chosen = values.filter(({ option }) => option === '--include' || option === '--exclude' || option === '--exclude-from');
  const includes = chosen.flatMap(({ option, value }) => (option === '--include' ? [value] : []));
  const outside = values.flatMap(({ option, value }) => (option === '--exclude-dir' && isPlain(value) ? [value ?? ''] : []));
  const endings = chosen[0]?.option === '--include' ? endingsOf(includes) : null;
  const without = chosen.flatMap(({ option, value, glob }) =>
    includes.length === 0 && !glob && option === '--exclude' && value !== null && EXCLUDED.test(value) ? [value] : [],
  );
  return endings === null && without.length === 0 && outside.length === 0 ? null : { endings, without, outside, through: false };
}

/** Of patterns of which one at least has to fit: `*.ts`, `src/**\/*.{ts,tsx}`; null for any other, and where there is none. */
export function patternFilter(patterns: readonly (string | null)[]): NameFilter | null {
  const wanted = patterns.filter((pattern) => pattern === null || !pattern.startsWith('!'));
  const endings = endingsOf(wanted);
  return endings === null ? null : { endings, without: [], outside: [], through: false };
}

/** Of what a reader of found names is given, by how they end. */
export function foundFilter(endings: readonly string[] | null | undefined): NameFilter | null {
  return endings ? { endings, without: [], outside: [], through: true } : null;
}

/** A name, perhaps with stars behind its beginning: no implementation lets a star stand for a leading dot that stands there. */
const EXCLUDED = /^[\w.-][\w.*-]*$/;

function isPlain(value: string | null): boolean {
  return value !== null && /^[\w.-]+$/.test(value);
}

/** Whether a search with this filter may open a file, given by its path below the folder that is searched. */
export function mayOpen({ endings, without, outside, through }: NameFilter, path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.some((folder) => outside.includes(folder))) return false;
  const chosen = (one: string) => endings === null || endings.some((ending) => one.toLowerCase().endsWith(ending));
  if (!chosen(name) && !(through && folders.some(chosen))) return false;
  return !without.some((pattern) => globMatch(pattern, name));
}
