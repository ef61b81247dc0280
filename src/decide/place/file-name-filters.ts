/** Which files a search reads by their names: `grep -r --include='*.ts' x .` never opens a `.env`. */
import type { RunnerId } from '../../call/tool-call.js';
import { type RunnerTraits, traitsOf } from '../../call/traits.js';
import { optionValues, type SuppliedValue, suppliedWords } from '../../command/judge/evaluate.js';
import type { Command } from '../../command/model/command.js';
import { endingsOf, soughtEndings } from '../../command/pathnames/name-endings.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import type { FoundNames } from '../../shell/syntax/types.js';

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
  /** Names with a leading dot are passed over, unless a file of ignored names takes them in. */
  readonly unhidden?: boolean;
  /** What a `.gitignore` leaves out is passed over, as ripgrep does. */
  readonly ignoring?: boolean;
  /** But for files that git's index has already. */
  readonly untracked?: boolean;
  /** Only files in git's index are read. */
  readonly tracked?: boolean;
  /** And all that lies below one of them in the folder, where a folder or another repository stands in its place. */
  readonly entered?: boolean;
}

/** The filter of a command that searches trees; null when it has none, or none that can be told. */
export function searchFilter({ verdict, invocation, inner }: Command): NameFilter | null {
  const [name] = verdict.words;
  if (name === 'find')
    return inner.length === 0 ? null : foundFilter({ endings: soughtEndings(invocation.argv), from: ['tree'] });
  const languages = LANGUAGES.get(name ?? '');
  if (languages !== undefined) return languages;
  if (name === 'git' && verdict.words[1] === 'add') return verdict.issues.length === 0 ? ADDED : null;
  if (name === 'git') return verdict.words[1] === 'grep' && searchesIndex(verdict, invocation) ? TRACKED : null;
  if (name !== 'grep' && name !== 'rg') return null;
  const values = optionValues(invocation, name);
  if (values === null) return null;
  if (name === 'grep') return grepFilter(values);
  const options = suppliedWords(invocation, name)?.options ?? [];
  const isUnhidden = !options.some((option) => TAKING_IN.has(option));
  const isIgnoring = !options.some((option) => /^(?:-u|-L|--(?:unrestricted|follow|(?:no-)?ignore.*))$/.test(option));
  return ripgrepFilter(values, { isPlain: verdict.issues.length === 0, isUnhidden, isIgnoring });
}

/** Options of ripgrep that take hidden files in; two `-u` do. */
const TAKING_IN: ReadonlySet<string> = new Set(['-.', '--hidden', '-u', '--unrestricted']);
const GLOBS: ReadonlySet<string> = new Set(['-g', '--glob', '--iglob']);
const TYPES: ReadonlySet<string | null> = new Set(['-t', '--type']);

/** How the names of ripgrep's types end, of all its versions together. */
const TYPE_ENDINGS: ReadonlyMap<string | null, readonly string[]> = new Map([
  ['ts', ['.ts', '.tsx', '.cts', '.mts']],
  ['js', ['.js', '.jsx', '.vue', '.cjs', '.mjs']],
  ['py', ['.py', '.pyi']],
  ['python', ['.py', '.pyi']],
  ['rust', ['.rs']],
  ['go', ['.go']],
  ['java', ['.java', '.jsp', '.jspx', '.properties']],
  ['kotlin', ['.kt', '.kts']],
  ['md', ['.markdown', '.md', '.mdown', '.mdwn', '.mdx', '.mkd', '.mkdn']],
  ['css', ['.css', '.scss']],
  ['html', ['.htm', '.html', '.ejs']],
]);

/**
 * Hidden files are passed over, unless an option takes them in. A pattern or a type that fits a file takes it in even where it is hidden;
 * then how their names end has to keep it out.
 * Folders of a name that a pattern leaves out are not entered, whether they are hidden or not.
 * @param how whether no option is given that the grammar has an issue with, none that takes hidden files in, and none that
 *   takes in what a `.gitignore` leaves out
 */
function ripgrepFilter(
  values: readonly SuppliedValue[],
  how: { isPlain: boolean; isUnhidden: boolean; isIgnoring: boolean },
): NameFilter | null {
  const globs = values.flatMap(({ option, value }) => (GLOBS.has(option ?? '') ? [value] : []));
  const types = values.flatMap(({ option, value }) => (TYPES.has(option) ? [value] : []));
  if (globs.some((glob) => glob === null || !glob.startsWith('!'))) return patternFilter(globs);
  if (!how.isPlain) return null;
  const outside = globs.flatMap(
    (glob) =>
      LEFT_OUT.exec(glob ?? '')
        ?.slice(1)
        .filter(Boolean) ?? [],
  );
  const endings = how.isUnhidden ? types.map((type) => TYPE_ENDINGS.get(type) ?? null) : [null];
  const ignoring = how.isIgnoring ? { ignoring: true } : {};
  if (endings.every((one) => one !== null))
    return types.length === 0
      ? { ...UNHIDDEN, ...ignoring, outside }
      : { ...UNFILTERED, ...ignoring, endings: endings.flat(), outside };
  return outside.length === 0 && !how.isIgnoring ? null : { ...UNFILTERED, ...ignoring, outside };
}

/** A name, at any depth; with another slash in it ripgrep would look for it in the current folder alone. */
const LEFT_OUT = /^!(?:([\w.-]+)\/?|\*\*\/([\w.-]+)(?:\/(?:\*\*)?)?)$/;

/** The filter of a runner's own search: a pattern that fits a file takes it in even where it is ignored, a type does not. */
export function grepToolFilter(input: Readonly<Record<string, unknown>>, runner: RunnerId | undefined): NameFilter | null {
  const { searchesByRipgrep, searchPattern }: Partial<RunnerTraits> = runner === undefined ? {} : traitsOf(runner);
  const { glob, type } = input;
  const pattern = glob ?? (searchPattern === undefined ? undefined : input[searchPattern]);
  if (pattern !== undefined) return typeof pattern === 'string' ? patternFilter([pattern]) : null;
  if (!searchesByRipgrep) return null;
  const endings = typeof type === 'string' ? (TYPE_ENDINGS.get(type) ?? null) : null;
  return { ...UNFILTERED, endings, ignoring: true };
}

const UNFILTERED: NameFilter = { endings: null, without: [], outside: [], through: false };
const UNHIDDEN: NameFilter = { ...UNFILTERED, unhidden: true };
const SCRIPTS = ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.vue', '.svelte', '.astro'];
const DATA = [
  '.json',
  '.jsonc',
  '.json5',
  '.yaml',
  '.yml',
  '.toml',
  '.md',
  '.mdx',
  '.css',
  '.scss',
  '.less',
  '.html',
  '.graphql',
  '.gql',
];
const PYTHON: NameFilter = { ...UNFILTERED, endings: ['.py', '.pyi', '.pyw', '.ipynb', '.toml', '.ini', '.cfg'] };
const WEB: NameFilter = {
  ...UNFILTERED,
  endings: [...SCRIPTS, ...DATA, '.grit', '.hbs', '.handlebars', '.babelrc', '.prettierrc'],
};
/** Formatters and linters: of a folder they read files of their languages alone; a file that is named has been looked at by its name. */
const LANGUAGES: ReadonlyMap<string, NameFilter> = new Map([
  ['gofmt', { ...UNFILTERED, endings: ['.go'] }],
  ...['ruff', 'black', 'isort', 'mypy', 'flake8', 'pyright'].map((name) => [name, PYTHON] as const),
  ...['biome', 'eslint', 'prettier'].map((name) => [name, WEB] as const),
]);
const TRACKED: NameFilter = { ...UNFILTERED, tracked: true };
/** Without `-f`, which is an issue of the grammar. */
const ADDED: NameFilter = { ...UNFILTERED, ignoring: true, untracked: true };

/** `git grep x` without revisions or paths, and without `--untracked` and its like, which are issues of the grammar. */
function searchesIndex({ issues }: Command['verdict'], invocation: Command['invocation']): boolean {
  const given = issues.length > 0 ? null : suppliedWords(invocation, 'git');
  return given !== null && given.operands.length === (given.options.includes('-e') ? 0 : 1);
}

/** The last of grep's patterns that fits a name counts; a name that none fits is read unless the first of them is an `--include`. */
function grepFilter(values: readonly SuppliedValue[]): NameFilter | null {
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
function patternFilter(patterns: readonly (string | null)[]): NameFilter | null {
  const wanted = patterns.filter((pattern) => pattern === null || !pattern.startsWith('!'));
  const endings = endingsOf(wanted);
  return endings === null ? null : { endings, without: [], outside: [], through: false };
}

/** Of what a reader of found names is given, by how they end and where they were found. */
export function foundFilter({ endings, from, unhidden = false }: Found): NameFilter | null {
  const tracked = from.every((one) => one !== 'tree' && one !== 'folder');
  if (!endings && !tracked && !unhidden) return null;
  return { endings: endings ?? null, without: [], outside: [], through: true, tracked, unhidden };
}

/** The same for who searches those that are folders (`grep -r x "$f"`); ripgrep passes over what is hidden there. */
export function enteringFilter(names: Found, command: Command): NameFilter | null {
  const filter = foundFilter(names);
  if (filter?.tracked !== true) return filter;
  const { invocation } = command;
  // What the names stand in the place of would be unknown words.
  const argv = invocation.argv.filter(({ origin }) => origin?.source.kind !== 'printed');
  const own = searchFilter({ ...command, invocation: { ...invocation, argv } });
  return { ...filter, entered: true, unhidden: own?.unhidden === true };
}

/** Of what `find . -name '*.orig' -delete` deletes. */
export function deletedFilter({ verdict, invocation }: Command): NameFilter | null {
  return verdict.words[0] === 'find' ? foundFilter({ endings: soughtEndings(invocation.argv), from: ['tree'] }) : null;
}

type Found = Pick<FoundNames, 'endings' | 'from' | 'unhidden'>;

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

/**
 * Whether a search that passes over hidden names never gets to a file.
 * @param patterns last parts of what files of ignored names take in (`!.github`); null when nobody can say
 */
export function isSkippedFile(path: string, patterns: readonly string[] | null): boolean {
  if (patterns === null) return false;
  const hidden = path
    .toLowerCase()
    .split('/')
    .filter((name) => /^\.[^.]/.test(name));
  return hidden.some((name) => !patterns.some((pattern) => globMatch(withoutLists(pattern.toLowerCase()), name)));
}
