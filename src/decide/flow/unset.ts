/** Variables that are empty, as far as a line shows: `rm -rf "$dir"/*` wipes the disk if nothing set `dir`. */

/** At most this many variables of a line are examined. */
const MOST_NAMES = 16;
/** Commands that may set variables without naming them. A quoted literal for `eval` is excluded: it names the variables that it sets. */
const ELSEWHERE = /(?:^|[\s;&|({])(?:(?:source|\.|set|export)[ \t]|eval[ \t](?!\s*'[^']*'\s*(?:$|[;&|)])))/;

/** `unset dir` mentions a variable but leaves it empty. */
const UNSETTING = /\bunset(?:[ \t]+-?[A-Za-z_]\w*)+/g;

/** Variables that every shell and login sets. The home directory is checked wherever it is used. */
const ALWAYS_SET =
  /^(?:HOME|PWD|USER|LOGNAME|SHELL|PATH|IFS|UID|EUID|PPID|RANDOM|SRANDOM|SECONDS|LINENO|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|EPOCH\w+|BASH\w*|ZSH\w*)$/;
/** Options that pass a script to another shell, which has arguments of its own. */
const OTHER_SHELL = /[ \t]-[a-z]*[cs](?![\w-])/;

/** Names that a line uses but nowhere sets or mentions. */
export interface UnsetNames {
  /** Lower-case names and positional arguments: each call runs in a new shell, whose environment has no folders in lower-case variables. */
  readonly surely: readonly string[];
  /** Upper-case names: the environment may or may not set them. */
  readonly perhaps: readonly string[];
}

const NONE: UnsetNames = { surely: [], perhaps: [] };

/**
 * Returns the names that nothing in a line sets.
 * @param ofFunctions whether the line defines functions; `$1` is then an argument of theirs
 */
export function unsetNames(source: string, ofFunctions: boolean): UnsetNames {
  if (ELSEWHERE.test(source)) return NONE;
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/\$\{?([A-Za-z_]\w{0,63}|[1-9@*])(?!\w)/g)) {
    if (names.size >= MOST_NAMES) break;
    if (name !== '_' && !/_proxy$/i.test(name) && !ALWAYS_SET.test(name)) names.add(name === '*' ? '@' : name);
  }
  if (names.size === 0) return NONE;
  const others = source.replace(UNSETTING, '');
  const hasArguments = ofFunctions || OTHER_SHELL.test(source);
  const unset = [...names].filter((name) => (/^\w*[A-Za-z_]/.test(name) ? !isMentioned(others, name) : !hasArguments));
  const isPerhaps = (name: string) => /^[A-Z_]/.test(name);
  return { surely: unset.filter((name) => !isPerhaps(name)), perhaps: unset.filter(isPerhaps) };
}

/** Whether the name occurs anywhere without a preceding `$` or `${`. */
function isMentioned(source: string, name: string): boolean {
  const uses = new RegExp(`(?<![\\w$])(?<!\\$\\{)${name}(?!\\w)`);
  return uses.test(source);
}
