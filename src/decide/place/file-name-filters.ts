/** Which files a search reads by their names: `grep -r --include='*.ts' x .` never opens a `.env`. */
import type { RunnerId } from '../../call/tool-call.js';
import { type RunnerTraits, traitsOf } from '../../call/traits.js';
import { optionValues, type SuppliedValue, suppliedWords } from '../../command/judge/evaluate.js';
import type { Command } from '../../command/model/command.js';
import { endingsOf, soughtEndings } from '../../command/pathnames/name-endings.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import type { FoundNames } from '../../shell/syntax/types.js';

/** The name patterns of a search, limited to those that every implementation interprets the same way. */
export interface NameFilter {
  /** The only endings of names that are read, in lower case; null if all names are read except the excluded ones. */
  readonly endings: readonly string[] | null;
  /** Excluded file names, with stars. */
  readonly without: readonly string[];
  /** Names of folders that are not entered. */
  readonly outside: readonly string[];
  /** A folder with a matching name is read with everything below it. */
  readonly through: boolean;
  /** Names with a leading dot are skipped, unless an ignore file includes them again. */
  readonly unhidden?: boolean;
  /** Files that a `.gitignore` excludes are skipped, as in ripgrep. */
  readonly ignoring?: boolean;
  /** Except for files that are already in git's index. */
  readonly untracked?: boolean;
  /** Only files in git's index are read. */
  readonly tracked?: boolean;
  /** Also everything below such a name, if it is a folder or another repository in the work tree. */
  readonly entered?: boolean;
}

/** The filter of a command that searches trees; null if it has none, or an unknown one. */
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

/** Options of ripgrep that include hidden files (`-u` does when given twice). */
const TAKING_IN: ReadonlySet<string> = new Set(['-.', '--hidden', '-u', '--unrestricted']);
const GLOBS: ReadonlySet<string> = new Set(['-g', '--glob', '--iglob']);
const TYPES: ReadonlySet<string | null> = new Set(['-t', '--type']);

/** The file extensions of ripgrep's types, combined over all its versions. */
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
 * Hidden files are skipped unless an option includes them. A pattern or type that matches a file includes it even if it is
 * hidden; then its ending has to exclude it. Folders with an excluded name are not entered, hidden or not.
 * @param how `isPlain`: the grammar has no issue; `isUnhidden`: no option includes hidden files; `isIgnoring`: no option includes
 * files that a `.gitignore` excludes
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

/** A name at any depth; with another slash, ripgrep would match it only in the current folder. */
const LEFT_OUT = /^!(?:([\w.-]+)\/?|\*\*\/([\w.-]+)(?:\/(?:\*\*)?)?)$/;

/** The filter of a runner's own search: a matching pattern includes a file even if it is ignored; a matching type does not. */
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
/** Formatters and linters, which read only files of their languages in a folder; a file that is named has been checked by its name. */
const LANGUAGES: ReadonlyMap<string, NameFilter> = new Map([
  ['gofmt', { ...UNFILTERED, endings: ['.go'] }],
  ...['ruff', 'black', 'isort', 'mypy', 'flake8', 'pyright'].map((name) => [name, PYTHON] as const),
  ...['biome', 'eslint', 'prettier'].map((name) => [name, WEB] as const),
]);
const TRACKED: NameFilter = { ...UNFILTERED, tracked: true };
/** The filter of `git add` without `-f`, which is an issue of the grammar. */
const ADDED: NameFilter = { ...UNFILTERED, ignoring: true, untracked: true };

/** `git grep x` without revisions or paths, and without options such as `--untracked`, which are issues of the grammar. */
function searchesIndex({ issues }: Command['verdict'], invocation: Command['invocation']): boolean {
  const given = issues.length > 0 ? null : suppliedWords(invocation, 'git');
  return given !== null && given.operands.length === (given.options.includes('-e') ? 0 : 1);
}

/** The filter of grep: its last matching pattern decides; a name that matches none is read unless the first pattern is an `--include`. */
function grepFilter(values: readonly SuppliedValue[]): NameFilter | null {
  const chosen = values.filter(({ option }) => option === '--include' || option === '--exclude' || option === '--exclude-from');
  const includes = chosen.flatMap(({ option, value }) => (option === '--include' ? [value] : []));
  const outside = values.flatMap(({ option, value }) =>
    option === '--exclude-dir' && isBareFileName(value) ? [value ?? ''] : [],
  );
  const endings = chosen[0]?.option === '--include' ? endingsOf(includes) : null;
  const without = chosen.flatMap(({ option, value, glob }) =>
    includes.length === 0 && !glob && option === '--exclude' && value !== null && EXCLUDED.test(value) ? [value] : [],
  );
  return endings === null && without.length === 0 && outside.length === 0 ? null : { endings, without, outside, through: false };
}

/**
 * The filter of patterns at least one of which has to match (`*.ts`, `src/**\/*.{ts,tsx}`); null for any other pattern, and if
 * there is none.
 */
function patternFilter(patterns: readonly (string | null)[]): NameFilter | null {
  const wanted = patterns.filter((pattern) => pattern === null || !pattern.startsWith('!'));
  const endings = endingsOf(wanted);
  return endings === null ? null : { endings, without: [], outside: [], through: false };
}

/** The filter for a reader of found names, by their endings and where they were found. */
export function foundFilter({ endings, from, unhidden = false }: Found): NameFilter | null {
  const tracked = from.every((one) => one !== 'tree' && one !== 'folder');
  if (!endings && !tracked && !unhidden) return null;
  return { endings: endings ?? null, without: [], outside: [], through: true, tracked, unhidden };
}

/** Like `foundFilter`, for a command that searches found folders (`grep -r x "$f"`); ripgrep skips hidden files there. */
export function enteringFilter(names: Found, command: Command): NameFilter | null {
  const filter = foundFilter(names);
  if (filter?.tracked !== true) return filter;
  const { invocation } = command;
  // The words that the names replace would be unknown.
  const argv = invocation.argv.filter(({ origin }) => origin?.source.kind !== 'printed');
  const own = searchFilter({ ...command, invocation: { ...invocation, argv } });
  return { ...filter, entered: true, unhidden: own?.unhidden === true };
}

/** The filter of the files that `find . -name '*.orig' -delete` deletes. */
export function deletedFilter({ verdict, invocation }: Command): NameFilter | null {
  return verdict.words[0] === 'find' ? foundFilter({ endings: soughtEndings(invocation.argv), from: ['tree'] }) : null;
}

type Found = Pick<FoundNames, 'endings' | 'from' | 'unhidden'>;

/** A name, optionally with stars after its beginning: in no implementation does a star match a leading dot. */
const EXCLUDED = /^[\w.-][\w.*-]*$/;

function isBareFileName(value: string | null): boolean {
  return value !== null && /^[\w.-]+$/.test(value);
}

/**
 * Whether a search with this filter may open a file.
 * @param path relative to the folder that is searched
 */
export function mayOpen({ endings, without, outside, through }: NameFilter, path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.some((folder) => outside.includes(folder))) return false;
  const chosen = (one: string) => endings === null || endings.some((ending) => one.toLowerCase().endsWith(ending));
  if (!chosen(name) && !(through && folders.some(chosen))) return false;
  return !without.some((pattern) => globMatch(pattern, name));
}

/**
 * Whether a search that skips hidden names never reaches a file.
 * @param patterns last segments of what ignore files include again (`!.github`); null if unknown
 */
export function isSkippedFile(path: string, patterns: readonly string[] | null): boolean {
  if (patterns === null) return false;
  const hidden = path
    .toLowerCase()
    .split('/')
    .filter((name) => /^\.[^.]/.test(name));
  return hidden.some((name) => !patterns.some((pattern) => globMatch(withoutLists(pattern.toLowerCase()), name)));
}
